"""Model selection: contenders, and the rules that choose a model."""
