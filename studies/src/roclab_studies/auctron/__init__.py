"""Castro and Braga (2008): AUCtron."""
