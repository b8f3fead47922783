"""HTTP: what the service accepts and answers."""
