"""Why a motion graph does not meet a constraint."""
