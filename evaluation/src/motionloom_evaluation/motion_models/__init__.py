"""Motion models (Carvalho, Boulic & Thalmann 2007): their experiments on given takes."""
