"""The published evaluations of the methods, run on given data beside their own figures."""
