"""What the body must do: masses, inverse dynamics, balance, and motions corrected by them."""
