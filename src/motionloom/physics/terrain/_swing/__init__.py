"""How feet go from foothold to foothold: phases, curves, and the path of each foot."""
