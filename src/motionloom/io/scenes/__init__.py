"""What glTF, FBX and USD files share: trees of nodes, rest poses, drawn bones, unique names."""
