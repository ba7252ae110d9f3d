"""Before anything is made: what happens when and where, whether it can, and how long it takes."""
