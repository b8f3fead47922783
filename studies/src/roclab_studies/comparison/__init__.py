"""Error rates of the tests that compare AUCs."""
