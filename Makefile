# The one front door. Every target sets up what it needs in .venv; nothing is done twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
CORE := CMakeLists.txt pyproject.toml $(wildcard core/*.cpp core/*.hpp core/include/roclab/*.hpp)
DONE := $(VENV)/.done

.PHONY: help demo test check bench studies docs smoke clean

help: ## say what the targets do
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/ -/' | sed 's/^/make /'

$(DONE)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "roclab needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) -V 2>&1`. Try: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -U 'pip>=25.1'
	@mkdir -p $(DONE) && touch $@

# Editable: Python files are used where they lie, the core is compiled anew only when it has changed.
$(DONE)/install: $(DONE)/venv $(CORE)
	$(PIP) install --group build
	$(PIP) install --no-build-isolation -e '.[all]'
	@touch $@

$(DONE)/group-%: $(DONE)/install pyproject.toml
	$(PIP) install --group $*
	@touch $@

demo: $(DONE)/install ## evaluate real models' scores: AUC with confidence intervals
	@$(BIN)/roclab evaluate examples/scores.csv --label malignant

test: $(DONE)/group-test smoke ## run the tests
	$(BIN)/python -m pytest -q

smoke: $(DONE)/install ## compile and run the core's own test, without Python
	@$(BIN)/cmake -S . -B build/smoke -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) >/dev/null
	@$(BIN)/cmake --build build/smoke
	@$(BIN)/ctest --test-dir build/smoke --output-on-failure

check: $(DONE)/group-check $(DONE)/group-test ## style, types, layers, documented examples
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q --doctest-modules src/roclab tests/e2e/test_readme.py tests/e2e/test_docs_examples.py

bench: $(DONE)/group-bench ## measure against named peers; writes benchmarks/results
	$(BIN)/python -m benchmarks

studies: $(DONE)/install ## run the studies behind the documentation that have no recorded answers (hours for all)
	$(BIN)/python -m studies

docs: $(DONE)/group-docs ## build the documentation into docs/_build
	$(BIN)/sphinx-build -q -W -b html docs docs/_build

clean: ## remove everything that make has made
	rm -rf $(VENV) build docs/_build
