"""Wu, Flach and Ferri (2007): model selection by scored AUC."""
