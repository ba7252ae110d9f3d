"""What the learned filler predicts and how: curves and contacts over a gap, kernel ridge regression
with mirror images.
"""
