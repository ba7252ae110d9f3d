"""Import files in Blender and save where the bones are; run by its Python.

python blender_imports.py JOBS_JSON OUT_JSON

Each job has ``file``, ``importer`` (``old`` or ``new``, of FBX), ``names``, ``frames``, ``fps`` and
optionally ``exported``, an FBX file to write from the scene. ``rows`` of its answer hold the world
positions of the bones, frame by frame, with +Y up.
"""

import json
import sys
from pathlib import Path

import bpy  # isort: skip
import addon_utils  # Found once bpy is imported.

ADDONS = {".fbx": "io_scene_fbx", ".glb": "io_scene_gltf2"}


def import_file(path, importer):
    """Read a file with Blender's usual settings."""
    suffix = Path(path).suffix
    if suffix in ADDONS:
        addon_utils.enable(ADDONS[suffix])
    if suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=path)
    elif suffix == ".usda":
        bpy.ops.wm.usd_import(filepath=path)
    elif importer == "new":
        bpy.ops.wm.fbx_import(filepath=path)
    else:
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)


def first_frame(armature):
    """Where the armature's animation begins; 0 without one."""
    animation = armature.animation_data
    return animation.action.frame_range[0] if animation and animation.action else 0.0


def positions(armature, job):
    """World positions of bones in every frame; null for bones that are not there."""
    first = first_frame(armature)
    bones = [armature.pose.bones.get(name) for name in job["names"]]
    rows = []
    for i in range(job["frames"]):
        bpy.context.scene.frame_set(int(first) + i, subframe=first - int(first))
        heads = [None if b is None else armature.matrix_world @ b.head for b in bones]
        # Z is up in Blender.
        rows.append([None if at is None else [at[0], at[2], -at[1]] for at in heads])
    return rows


def export(path, first, frames):
    """Write the scene's armature and meshes as FBX, all frames baked."""
    scene = bpy.context.scene
    scene.frame_start = first
    scene.frame_end = first + frames - 1
    bpy.ops.export_scene.fbx(
        filepath=path,
        object_types={"ARMATURE", "MESH"},
        bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
        add_leaf_bones=False,
    )


def run(job):
    """The answer to one job."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    render = bpy.context.scene.render
    render.fps = round(job["fps"])
    render.fps_base = round(job["fps"]) / job["fps"]
    import_file(job["file"], job.get("importer"))
    armatures = [o for o in bpy.data.objects if o.type == "ARMATURE"]
    meshes = [o for o in bpy.data.objects if o.type == "MESH"]
    answer = {
        "rows": positions(armatures[0], job),
        "armatures": len(armatures),
        "connected": [b.name for b in armatures[0].data.bones if b.use_connect],
        "fps": render.fps / render.fps_base,
        "vertices": sum(len(o.data.vertices) for o in meshes),
    }
    if job.get("exported"):
        export(job["exported"], round(first_frame(armatures[0])), job["frames"])
    return answer


with open(sys.argv[1]) as stream:
    jobs = json.load(stream)
with open(sys.argv[2], "w") as stream:
    json.dump([run(job) for job in jobs], stream)
