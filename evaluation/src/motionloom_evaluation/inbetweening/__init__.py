"""In-betweening by the protocol of the LaFAN1 benchmark, and the thesis' test of phase spaces."""
