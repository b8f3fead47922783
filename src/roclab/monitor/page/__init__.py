"""The page: plain ES modules, styles, and uPlot, served as they are."""
