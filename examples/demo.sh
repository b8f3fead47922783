#!/bin/sh
# The main job on real scores: evaluate the models, compare them, choose one, and write a report.
# `make demo` runs it; it needs roclab on the path, and writes report.html where it is called.
set -e
run() { printf '\n$ %s\n' "$*" && "$@"; }

run roclab evaluate examples/scores.csv --label malignant
run roclab compare examples/scores.csv --label malignant --score logistic_regression,random_forest,decision_tree
run roclab select examples/scores.csv --label malignant --seed 0
run roclab report examples/scores.csv --label malignant --by size -o report.html

cat <<END

The report is in $PWD/report.html: open it in a browser.
Go on with a file of your own, a table with a column of labels and a column of scores for each model:

  source .venv/bin/activate
  roclab report scores.csv --label outcome -o report.html

Plots, models on disk and the monitor need further packages: pip install 'roclab[all]'
roclab --help lists the commands; docs/tutorial/first_numbers.md goes on from here.
END
