"""Motion on robots measured, beside MuJoCo's view of the same model and poses."""
