"""What lies between the studio and a browser: who may come in, messages, windows."""
