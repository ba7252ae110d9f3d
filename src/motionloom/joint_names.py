"""What names of joints say: the side, and the part of the body without prefixes that many joints
share.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

#: Names of joints by part, in lower case and without side: English, anatomy and the Japanese of
#: MikuMikuDance. ``spine004`` and ``spine006`` are neck and head of Blender's Rigify.
WORDS = {
    part: set(names.split())
    for part, names in {
        "hips": "hips hip pelvis center centre センター 腰",
        "neck": "neck lowerneck necklower neck0 neck1 neck01 necktwist01 spine004 首",
        "head": "head head1 spine006 頭",
        "face": "face",
        "elbow": "elbow forearm farm lowerarm radius ulna ひじ",
        "hand": "hand wrist paw frontpaw frontfoot forepaw 手首",
        "hip": "hip upleg upperleg thigh femur 足",
        "knee": "knee leg lowerleg lowleg calf shin tibia ひざ",
        "foot": "foot ankle hindfoot hindpaw backfoot 足首",
        "toe": "toe toes toebase toe0 toe1 ball forefoot つま先 足先ex",
    }.items()
}
#: Words that may have a side as one letter before them, with nothing between.
_SIDED = re.compile("femur|tibia|foot|toes?|humerus|radius|wrist|hand|clavicle|hipjoint|ankle")
#: Prefixes of well-known rigs, stripped even where few joints have them.
_KNOWN = re.compile(
    r"^(mixamorig\d*|(valvebiped\.)?bip0*1|cc_base|j_(bip|sec|adj)|[mf]_avg|bn|def|org|mch|jnt)"
    r"(?=[_\-. A-Z0-9])[_\-. ]?",
    re.IGNORECASE,
)
_SIDES = {"left": "left", "l": "left", "左": "left", "right": "right", "r": "right", "右": "right"}
_MIDDLE = {"m", "c"}
_OTHER_LETTER = {"l": "r", "r": "l", "L": "R", "R": "L"}
_TOKEN = re.compile(r"[左右]|[A-Z]?[a-z]+\d*|[A-Z]+\d*(?![a-z])|\d+|[^\W\da-zA-Z_左右]+\d*")
_SEPARATOR = re.compile(r"[_\-. ]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Share of the joints, and number of them, from which a prefix or suffix is no part of the name.
_SHARE, _FEWEST = 0.25, 5
#: Share for what is set off by no separator, or is a number: there a coincidence is likelier.
_NEARLY_ALL = 0.9


@dataclass(frozen=True)
class JointName:
    """A joint's name, taken apart.

    Parameters
    ----------
    side : str
        ``"left"``, ``"right"`` or ``""``.
    part : str
        What remains without side and shared prefixes and suffixes, in lower case.
    rest : str
        Everything but the side, in lower case: two joints of one side differ in it.

    Examples
    --------
    >>> read_joint_names(["mixamorig:LeftHand"])[0].side
    'left'
    """

    side: str
    part: str
    rest: str

    def says(self, word: str) -> bool:
        """Whether the part is one of the `WORDS` for it.

        Examples
        --------
        >>> read_joint_names(["RightFoot"])[0].says("foot")
        True
        """
        return self.part in WORDS[word]


def read_joint_names(names: Sequence[str]) -> tuple[JointName, ...]:
    """Take the names of a skeleton's joints apart.

    What many of them share tells no joint from another and is left out.

    Parameters
    ----------
    names : sequence of str
        All of one skeleton: what is shared is judged by how many have it.

    Returns
    -------
    tuple of JointName
        In the same order.

    Examples
    --------
    >>> left, right = read_joint_names(["LeftForeArm", "thigh_r"])
    >>> left.side, right.side
    ('left', 'right')
    """
    return _read(tuple(names))


@lru_cache(maxsize=64)
def _read(names: tuple[str, ...]) -> tuple[JointName, ...]:
    """A skeleton is looked at several times while it is read, and many clips have the same."""
    plain = [unicodedata.normalize("NFKC", re.sub(r"^.*[:|]", "", name)) for name in names]
    prefixes = _shared_prefixes(plain)
    suffixes = _shared_suffixes(plain)
    cores = [_core(name, prefixes, suffixes) for name in plain]
    known = {core for _, core, _ in cores}
    found = []
    for before, core, after in cores:
        side, part = _split(core, known)
        found.append(JointName(side, part, f"{before}{part}{after}".lower()))
    return tuple(found)


def _core(name: str, prefixes: Sequence[str], suffixes: Sequence[str]) -> tuple[str, str, str]:
    """Prefix, core and suffix of a name; the longest prefix and suffix that leave something."""
    core = name.removeprefix(next((p for p in prefixes if name.startswith(p) and name != p), ""))
    core = core.removesuffix(next((s for s in suffixes if core.endswith(s) and core != s), ""))
    core = re.sub(r"_\d+$", "", core) if "_#" in suffixes else core
    core = _KNOWN.sub("", core) or core
    before, _, after = name.partition(core) if core else ("", "", "")
    return before, core, after


def _shared_prefixes(names: Sequence[str]) -> list[str]:
    """Beginnings of many names, longest first."""
    at_separator = ({name[: m.end()] for m in _SEPARATOR.finditer(name, 1)} for name in names)
    at_hump = ({name[: m.end()] for m in _HUMP.finditer(name)} for name in names)
    return _frequent(at_separator, len(names), _SHARE) + _frequent(at_hump, len(names), _NEARLY_ALL)


def _shared_suffixes(names: Sequence[str]) -> list[str]:
    """Ends of many names, longest first; ``"_#"`` where nearly all end in a number of their own."""
    at_separator = ({name[m.start() :] for m in _SEPARATOR.finditer(name, 1)} for name in names)
    at_hump = ({name[m.start() :] for m in _HUMP.finditer(name)} for name in names)
    found = _frequent(at_separator, len(names), 2 * _SHARE)
    found += _frequent(at_hump, len(names), _NEARLY_ALL)
    numbered = sum(bool(re.search(r"_\d+$", name)) for name in names)
    return [*found, "_#"] if numbered >= max(_FEWEST, _NEARLY_ALL * len(names)) else found


def _frequent(affixes: Iterable[set[str]], n: int, share: float) -> list[str]:
    """Affixes of at least `share` of `n` names that hold a word and no side, longest first."""
    count = Counter(affix for of_name in affixes for affix in of_name)
    enough = (affix for affix, times in count.items() if times >= max(_FEWEST, share * n))
    return sorted((a for a in enough if _is_noise(a)), key=lambda a: (-len(a), a))


def _is_noise(affix: str) -> bool:
    tokens = [t.lower() for t in _TOKEN.findall(affix)]
    return any(not t.isdigit() for t in tokens) and not any(_side_of(t)[0] for t in tokens)


def _side_of(token: str) -> tuple[str, str]:
    """Side that a token in lower case names, and what is left of the token."""
    if token in _SIDES:
        return _SIDES[token], ""
    for side in ("left", "right"):
        if token.startswith(side):
            return side, token[len(side) :]
    return "", token


def _split(core: str, known: set[str]) -> tuple[str, str]:
    """Side and part of a name without affixes; a side of one letter needs its counterpart among
    `known`.
    """
    tokens = [t.lower() for t in _TOKEN.findall(core)]
    for i, token in enumerate(tokens):
        side, left_over = _side_of(token)
        if side:
            return side, "".join([*tokens[:i], left_over, *tokens[i + 1 :]])
    word = "".join(tokens)
    mirrored = _OTHER_LETTER.get(core[:1], "") + core[1:]
    is_sided = _SIDED.fullmatch(word[1:]) or (mirrored in known and mirrored != core[1:])
    if word[:1] in ("l", "r") and word[1:] and is_sided:
        return _SIDES[word[0]], word[1:]
    if len(tokens) > 1:  # 'Neck_M', 'C_Head': M and C name the middle
        for i in (-1, 0):
            if tokens[i] in _MIDDLE:
                return "", "".join(tokens[:-1] if i else tokens[1:])
    return "", word
