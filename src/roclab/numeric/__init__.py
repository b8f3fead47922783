"""Numbers that keep their digits: sums, steps of decimals, products in integers."""
