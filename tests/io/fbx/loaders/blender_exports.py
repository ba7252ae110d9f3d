"""Import an FBX file in Blender, export it, and say where the bones are; run by its Python.

python blender_exports.py FILE FRAMES NAMES_JSON OUT_JSON EXPORTED
"""

import importlib
import json
import sys

import bpy

file, frames, names, out, exported = sys.argv[1:6]
bpy.ops.wm.read_factory_settings(use_empty=True)
importlib.import_module("addon_utils").enable("io_scene_fbx")
bpy.ops.import_scene.fbx(filepath=file, anim_offset=0.0)
scene = bpy.context.scene
scene.frame_start, scene.frame_end = 0, int(frames) - 1
armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
rows = []
for i in range(int(frames)):
    scene.frame_set(i)
    heads = [armature.matrix_world @ armature.pose.bones[name].head for name in json.loads(names)]
    rows.append([[at[0], at[2], -at[1]] for at in heads])
bpy.ops.export_scene.fbx(
    filepath=exported,
    object_types={"ARMATURE", "MESH"},
    bake_anim_use_all_actions=False,
    bake_anim_use_nla_strips=False,
    bake_anim_simplify_factor=0.0,
    add_leaf_bones=False,
)
with open(out, "w") as stream:
    json.dump({"rows": rows}, stream)
