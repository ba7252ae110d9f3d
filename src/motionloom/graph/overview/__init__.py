"""What a motion graph says about itself: components, speeds and turns that its clips cover,
pictures.
"""
