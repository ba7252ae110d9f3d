import numpy as np
import pytest

from motionloom.clips.pieces import GraphWalk, Piece
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform


def test_a_path_laid_down_piece_by_piece_equals_frame_by_frame_assembly(walkers):
    path = GraphWalk((Piece(0, 10, 40), Piece(3, 5, 60), Piece(5, 20, 33), Piece(0, 50, 80)))
    start = GroundTransform(0.7, 1.0, -2.0)
    # Brute force: every frame moves the body by its clip's own step, seen from the body.
    poses = [start.compose(_stand(walkers, path.pieces[0].clip, path.pieces[0].start))]
    for piece, after in zip(path.pieces, (*path.pieces[1:], None), strict=True):
        for frame in range(piece.start, piece.stop):
            step = _stand(walkers, piece.clip, frame).inverse()
            if frame + 1 < piece.stop or after is not None:
                poses.append(
                    poses[-1].compose(step.compose(_stand(walkers, piece.clip, frame + 1)))
                )
    expected = np.array([[p.x, p.z, p.angle] for p in poses])
    body = path.body(walkers, start)
    assert body.shape == (path.n_frames, 3)
    assert np.allclose(body[:, :2], expected[:, :2], atol=1e-12)
    assert np.allclose(np.exp(1j * body[:, 2]), np.exp(1j * expected[:, 2]), atol=1e-12)


def _stand(clips, clip, frame):
    x, z, angle = clips.body[clips.starts[clip] + frame]
    return GroundTransform(angle, x, z)


def test_frames_and_seams(walkers):
    path = GraphWalk((Piece(1, 3, 8), Piece(0, 20, 26)))
    assert path.seams == (5,)
    first = walkers.starts[1]
    assert path.frames(walkers).tolist() == [*range(first + 3, first + 8), *range(20, 26)]


@pytest.mark.parametrize("pieces", [(), (Piece(0, 5, 5),), (Piece(0, -1, 5),)])
def test_bad_paths_are_refused(pieces):
    with pytest.raises(InvalidInputError):
        GraphWalk(pieces)


def test_a_seam_needs_the_frame_it_replaces(walkers):
    length = walkers.motions[0].n_frames
    with pytest.raises(InvalidInputError, match="has no frame"):
        GraphWalk((Piece(0, 10, length), Piece(1, 0, 20))).transforms(walkers)
