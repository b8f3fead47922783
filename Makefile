# The one front door. Every target sets up what it needs in .venv; nothing is done twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
CORE := CMakeLists.txt pyproject.toml $(wildcard core/*.cpp core/*.hpp core/include/roclab/*.hpp)
DONE := $(VENV)/.done
TOOLS := build/tools
NINJA := -G Ninja "-DCMAKE_MAKE_PROGRAM=$(abspath $(TOOLS)/bin/ninja)"
SECURITY := build/security
FUZZ := build/fuzz
SECONDS ?= 60
JOBS ?= 1
OLDEST := build/oldest
BOM := build/bom
WITH_TOOLS = PYTHONPATH=$$($(TOOLS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
CPP := $(wildcard core/*.cpp core/*.hpp core/include/roclab/*.hpp core/tests/*.cpp core/tests/*.hpp)
# What must be free of data races; in scores_that_change the caller makes one.
READERS := intervals_at_many_levels readers_of_windows readers_of_an_approximate_window one_objective_for_all

# One build for both, since they do not exclude each other. A comma cannot be written in an argument of a call.
ADDRESS := address,undefined

.PHONY: help python venv-of-python demo monitor test coverage test-slow test-machines test-sanitizers test-scale test-security audit fuzz fuzz-core test-studies check bench bench-monitor studies docs smoke clean test-oldest test-extras test-compilers test-arm64 wheel test-wheel sbom

help: ## say what the targets do
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/ -/' | sed 's/^/make /'

# Asked for each time, since no file says which PYTHON is meant now.
python:
	@command -v $(PYTHON) >/dev/null || { echo "there is no $(PYTHON). Name the Python to use: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "roclab needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) -V 2>&1`. Try: make PYTHON=python3.12" >&2; exit 1; }

venv-of-python: python
	@[ ! -e $(VENV) ] || [ "`$(BIN)/python -V 2>&1`" = "`$(PYTHON) -V`" ] || \
	  { echo "$(VENV) is damaged or of another Python than `$(PYTHON) -V`: make clean removes it" >&2; exit 1; }

# One that was left half made is made again: pip that was killed while it replaced itself is never whole again.
$(DONE)/venv: | venv-of-python
	$(PYTHON) -m venv $(if $(wildcard $(DONE)),--clear) $(VENV)
	@mkdir -p $(DONE)
	$(PIP) install -U 'pip>=25.1'
	@touch $@

# Beside .venv, which keeps what is used after compiling.
$(TOOLS)/.done: $(DONE)/venv pyproject.toml
	$(PYTHON) -m venv --without-pip $(TOOLS)
	$(PIP) --python $(TOOLS)/bin/python install --group build
	@touch $@

# Before anything large is fetched: it says what to install where the compiler is missing or too old.
build/smoke/build.ninja: $(TOOLS)/.done CMakeLists.txt core/compiler.cmake core/compiler.cpp
	@$(TOOLS)/bin/cmake -S . -B build/smoke $(NINJA) >/dev/null
	@touch $@

# Editable: Python files are used where they lie, the core is compiled again only when it has changed. Modules of other packages are
# compiled to bytecode when they are first imported: most never are.
$(DONE)/install: $(DONE)/venv build/smoke/build.ninja $(CORE)
	@echo "Compiling the core and fetching packages: about a minute"
	@$(WITH_TOOLS) $(PIP) install --no-compile --no-build-isolation -e '.[cli]'
	@touch $@

$(DONE)/all: $(DONE)/install
	$(PIP) install --no-compile 'roclab[all]'
	@touch $@

$(DONE)/studies: $(DONE)/all studies/pyproject.toml
	$(PIP) install -e studies --group studies/pyproject.toml:test
	@touch $@

$(DONE)/group-%: $(DONE)/all pyproject.toml
	$(PIP) install --group $*
	@touch $@

# The wheel of this commit for PYTHON, if `make wheel` has left one, no file differs from the commit and nothing is installed yet.
FITTING := $(if $(wildcard dist/COMMIT),$(if $(wildcard $(DONE)/install),,$(shell $(PYTHON) tests/wheel.py fitting)))

$(DONE)/wheel: $(DONE)/venv dist/COMMIT
	@$(PIP) install --no-compile "$(FITTING)[cli]" || \
	  { echo "$(FITTING) cannot be installed: make wheel builds it again, and make clean lets make demo compile" >&2; exit 1; }
	@touch $@

demo: $(if $(FITTING),$(DONE)/wheel,$(DONE)/install) ## evaluate, compare and select real models, and write report.html
	@PATH="$(abspath $(BIN)):$$PATH" sh examples/demo.sh

monitor: $(DONE)/all ## watch simulated models in production, until Ctrl-C
	@$(BIN)/roclab monitor serve --demo

# On all cores; a worker that has finished takes over tests of the others.
test: $(DONE)/group-test smoke ## run the tests, documented examples too
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m 'not slow and not scale' --doctest-modules src/roclab tests

coverage: $(DONE)/group-test $(DONE)/group-coverage ## run the tests and report the branch coverage of src; twice as long
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m 'not slow and not scale' --cov --cov-report=term:skip-covered --doctest-modules src/roclab tests

# For environments of their own. What the core was compiled to for .venv is used again.
build/wheel/.done: $(DONE)/install $(shell find src -name '*.py' -o -name '*.pyi')
	rm -rf build/wheel
	$(WITH_TOOLS) $(PIP) wheel --no-build-isolation --no-deps -w build/wheel .
	@touch $@

$(OLDEST)/.done: build/wheel/.done constraints/oldest.txt
	rm -rf $(OLDEST) && $(PYTHON) -m venv --without-pip $(OLDEST)
	$(PIP) --python $(OLDEST)/bin/python install --no-compile -c constraints/oldest.txt --group oldest "$$(ls build/wheel/*.whl)[all,excel]"
	@touch $@

# pandas before 3 warns of how narwhals counts its objects.
test-oldest: $(OLDEST)/.done ## run the unit tests with the lowest versions of all packages
	$(OLDEST)/bin/python -m pytest -q -n auto --dist worksteal -m 'not slow and not scale' -W 'ignore:The behavior of value_counts:FutureWarning' tests/unit

test-extras: build/wheel/.done ## run the documented examples of each extra in an environment that has this extra alone
	$(BIN)/python tests/extras.py

test-slow: $(DONE)/group-test ## run simulations and the quick form of all benchmarks
	$(BIN)/python -m pytest -q -n auto --dist loadfile -m slow tests

test-machines: $(if $(WHEEL),,$(DONE)/group-test) ## run the tests as on other processors, in other locales and time zones; SHORT=1: a part of them; WHEEL=1: with the wheel of dist
	$(if $(WHEEL),$(PYTHON) tests/wheel.py machines,$(BIN)/python tests/machines.py $(if $(SHORT),--short))

# Workers run the same Python as the tests. What a test starts, it stops.
test-scale: $(DONE)/group-test $(DONE)/group-scale ## run the tests on clusters of Spark and Dask, which they start here
	@sh tests/scale/java.sh
	PYSPARK_PYTHON="$(abspath $(BIN)/python)" $(BIN)/python -m pytest -q -m scale tests/scale

# In an environment of its own: schemathesis is a plug-in of pytest.
$(SECURITY)/.done: $(DONE)/venv pyproject.toml
	$(PYTHON) -m venv $(SECURITY)
	$(SECURITY)/bin/python -m pip --disable-pip-version-check -q install -U 'pip>=25.1'
	$(SECURITY)/bin/python -m pip --disable-pip-version-check -q install --group security
	@touch $@

test-security: $(DONE)/all $(SECURITY)/.done ## look for weaknesses in the monitor's code, and attack its routes by their description
	$(SECURITY)/bin/bandit -q -c pyproject.toml -r src/roclab/monitor src/roclab/cli
	$(BIN)/python tests/fuzz_monitor.py $(SECURITY)/bin/schemathesis

audit: $(DONE)/all $(SECURITY)/.done ## ask PyPI for known vulnerabilities of installed packages
	$(BIN)/python -m pip list --format=freeze --exclude roclab --exclude roclab-studies > $(SECURITY)/installed.txt
	$(SECURITY)/bin/pip-audit --strict --no-deps --disable-pip -r $(SECURITY)/installed.txt

# Of what `pip install 'roclab[all]'` brings, so in an environment that has nothing else.
sbom: build/wheel/.done $(SECURITY)/.done ## list the packages that roclab[all] brings, as CycloneDX, in dist/roclab.cdx.json
	@rm -rf $(BOM) && mkdir -p dist && $(PYTHON) -m venv --without-pip $(BOM)
	$(PIP) --python $(BOM)/bin/python install --no-compile "$$(ls build/wheel/*.whl)[all]"
	$(SECURITY)/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type library --output-reproducible -o dist/roclab.cdx.json $(BOM)/bin/python
	@$(BIN)/python .github/bill.py dist/roclab.cdx.json

test-studies: $(DONE)/studies ## run the tests of the studies, and compare pages with recorded results
	$(BIN)/python -m pytest -q -n auto --dist worksteal -c studies/pyproject.toml --doctest-modules studies/src studies/tests

# atheris must load what it observes, which it cannot in an editable install: so a copy, and -S keeps the other out of sight.
# The monitor is asked by the client of its tests, which needs httpx.
$(FUZZ)/.done: $(DONE)/group-test pyproject.toml
	$(PIP) install --target $(FUZZ) --upgrade --group fuzz
	@touch $@

fuzz: $(FUZZ)/.done ## feed all parsers with random and mutated inputs, SECONDS each, JOBS at a time, or only TARGETS
	rm -rf $(FUZZ)/roclab && cp -r src/roclab $(FUZZ)/roclab
	site=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') && \
	  cp $$site/roclab/_core/_native*.so $(FUZZ)/roclab/_core/ && \
	  JOBS=$(JOBS) PYTHONPATH=$(FUZZ):$$site $(BIN)/python -S tests/fuzz_parsers.py $(SECONDS) $(TARGETS)

# libFuzzer is clang's, and needs its headers: apt install clang libclang-rt-dev.
fuzz-core: $(DONE)/all ## the same for bytes that the core reads, without Python, under the sanitizers
	@mkdir -p $(FUZZ)-core/inputs; command -v clang++ >/dev/null && \
	  echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' | \
	  clang++ -x c++ - -fsanitize=fuzzer,address,undefined -o $(FUZZ)-core/probe 2>/dev/null || \
	  { echo "skipped: clang++ or its runtime for fuzzing is not installed (apt install clang libclang-rt-dev)"; exit 0; }; \
	clang++ -std=c++20 -O1 -g1 -ffp-contract=off -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Icore/include \
	  core/tests/fuzz_bytes.cpp -o $(FUZZ)-core/fuzz_bytes && \
	$(BIN)/python tests/fuzz_parsers.py --core-inputs $(FUZZ)-core/inputs && \
	$(FUZZ)-core/fuzz_bytes $(FUZZ)-core/inputs -max_total_time=$(SECONDS) -max_len=6000 -timeout=10 -rss_limit_mb=2048 \
	  -print_final_stats=1 -artifact_prefix=$(FUZZ)-core/

smoke: build/smoke/build.ninja ## compile and run the core's own test, without Python
	@$(TOOLS)/bin/cmake --build build/smoke
	@$(TOOLS)/bin/ctest --test-dir build/smoke --output-on-failure --parallel 2

# Warnings are errors; then again with nothing but C++20, as for other compilers. All tests, or one.
core_tests = \
	$(TOOLS)/bin/cmake -S . -B build/$(1) $(NINJA) -DROCLAB_WERROR=ON $(2) >/dev/null && \
	$(TOOLS)/bin/cmake --build build/$(1) $(addprefix --target ,$(3)) && $(TOOLS)/bin/ctest --test-dir build/$(1) --output-on-failure --parallel 2 $(addprefix -R ,$(3))

# The module for Python as well: with what these compilers have, it is what wheels have.
strict_module = \
	$(TOOLS)/bin/cmake -S . -B build/$(1)-module $(NINJA) -DSKBUILD=1 -DROCLAB_WERROR=ON -DCMAKE_CXX_COMPILER=$(1) \
	  "-DPython_EXECUTABLE=$(abspath $(BIN)/python)" -Dnanobind_DIR=$$($(TOOLS)/bin/python -m nanobind --cmake_dir) >/dev/null && \
	$(TOOLS)/bin/cmake --build build/$(1)-module

test-compilers: $(TOOLS)/.done ## compile the core with GCC and Clang, warnings as errors, and run its own tests, with and without what these have beyond C++20
	@for compiler in g++ clang++; do \
	  command -v $$compiler >/dev/null || { echo "skipped: $$compiler is not installed"; continue; }; \
	  $(call core_tests,$$compiler,-DCMAKE_CXX_COMPILER=$$compiler) && \
	  $(call core_tests,$$compiler-portable,-DCMAKE_CXX_COMPILER=$$compiler -DROCLAB_PORTABLE=ON) && \
	  $(call strict_module,$$compiler) || exit 1; done

test-arm64: $(TOOLS)/.done ## compile the core's own tests for arm64 and run them in an emulator
	@command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null || { echo "skipped: needs g++-aarch64-linux-gnu and qemu-user"; exit 0; }; \
	$(call core_tests,arm64,-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
	  -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-aarch64;-L;/usr/aarch64-linux-gnu")

wheel: python ## build the wheel for PYTHON twice into dist, compare and check it, then test-wheel
	$(PYTHON) tests/wheel.py build
	$(PYTHON) tests/wheel.py test $(TESTS)

test-wheel: python ## install the wheel that is in dist for PYTHON into an empty environment and test it; TESTS="tests": more than tests/unit
	$(PYTHON) tests/wheel.py test $(TESTS)

# A copy of the package with a core that is compiled with a sanitizer. Python itself is not, so the sanitizer is loaded first, and
# -S keeps the installed roclab out of sight.
sanitized_core = \
	$(TOOLS)/bin/cmake -S . -B build/$(1) $(NINJA) -DSKBUILD=1 -DROCLAB_SANITIZE=$(2) \
	  "-DPython_EXECUTABLE=$(abspath $(BIN)/python)" -Dnanobind_DIR=$$($(TOOLS)/bin/python -m nanobind --cmake_dir) >/dev/null && \
	$(TOOLS)/bin/cmake --build build/$(1) && \
	rm -rf build/$(1)/roclab && cp -r src/roclab build/$(1)/roclab && cp build/$(1)/_native.*.so build/$(1)/roclab/_core/
# libstdc++ as well: a sanitizer that is loaded before it does not find how exceptions are thrown.
with_sanitizer = LD_PRELOAD="$$($(CXX) -print-file-name=lib$(1).so) $$($(CXX) -print-file-name=libstdc++.so)" \
	PYTHONPATH=build/$(2):$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') $(BIN)/python -S tests/threads/scenarios.py

# Trees are tested with the address and undefined-behaviour sanitizers by make smoke, and have no threads.
test-sanitizers: $(DONE)/install ## run the core's own tests, and threads that share data, with the thread, address and undefined-behaviour sanitizers
	$(call core_tests,smoke-thread,-DROCLAB_SANITIZE=thread,smoke)
	$(call core_tests,smoke-address,-DROCLAB_SANITIZE=$(ADDRESS),smoke)
	$(call sanitized_core,thread,thread)
	$(call sanitized_core,address,$(ADDRESS))
	@for scenario in $(READERS); do echo "thread sanitizer: $$scenario" && \
	  TSAN_OPTIONS=halt_on_error=1 $(call with_sanitizer,tsan,thread) $$scenario || exit 1; done
	@for scenario in $(READERS) scores_that_change; do echo "address and undefined-behaviour sanitizers: $$scenario" && \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(call with_sanitizer,asan,address) $$scenario || exit 1; done

check: $(DONE)/group-check $(DONE)/group-test ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(DONE)/group-bench ## measure against named peers; writes benchmarks/results
	$(BIN)/python -m benchmarks

bench-monitor: $(DONE)/all ## measure the monitor under load, against baselines in the same run; QUICK=1: a minute, indicative
	$(BIN)/python -m benchmarks.monitor $(if $(QUICK),--quick)

studies: $(DONE)/studies ## run the studies behind the documentation that have no recorded answers (hours for all)
	$(BIN)/python -m roclab_studies

docs: $(DONE)/group-docs ## build the documentation into docs/_build
	$(BIN)/sphinx-build -q -W -b html docs docs/_build

clean: ## remove everything that make has made
	rm -rf $(VENV) build dist studies/build docs/_build report.html
