"""What a constraint file asks for besides key poses."""
