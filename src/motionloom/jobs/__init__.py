"""One call a job, with the words of the command line; `motionloom` shows them."""
