"""What a case states, in normal forms. Several checks compare it with what they read elsewhere."""
