"""World positions of the bones of an FBX or USD file as Blender imports it; run by its Python.

python blender_positions.py FILE FRAMES NAMES_JSON OUT_JSON [new]    ``new``: its second importer
"""

import json
import sys

import bpy

file, frames, names, out = sys.argv[1:5]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
if file.endswith(".fbx"):
    scene.render.fps = int(sys.argv[6]) if len(sys.argv) > 6 else 30
    if "new" in sys.argv[5:6]:
        bpy.ops.wm.fbx_import(filepath=file)
    else:
        import addon_utils

        addon_utils.enable("io_scene_fbx")
        bpy.ops.import_scene.fbx(filepath=file, anim_offset=0.0)
elif file.endswith(".usda"):
    bpy.ops.wm.usd_import(filepath=file)
armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
rows = []
action = armature.animation_data.action
first = action.frame_range[0]
for i in range(int(frames)):
    scene.frame_set(int(first) + i, subframe=first - int(first))
    row = []
    for name in json.loads(names):
        bone = armature.pose.bones.get(name)
        at = None if bone is None else armature.matrix_world @ bone.head
        # Z is up in Blender.
        row.append(None if at is None else [at[0], at[2], -at[1]])
    rows.append(row)
meshes = [o for o in bpy.data.objects if o.type == "MESH"]
with open(out, "w") as stream:
    json.dump(
        {
            "rows": rows,
            "range": list(action.frame_range),
            "fps": scene.render.fps / scene.render.fps_base,
            "vertices": sum(len(o.data.vertices) for o in meshes),
        },
        stream,
    )
