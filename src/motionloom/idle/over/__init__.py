"""What lies over waiting: gestures, looks, and what people do now and then."""
