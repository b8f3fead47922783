"""The tree that splits by AUC, against Gini and entropy."""
