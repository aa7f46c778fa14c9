# Each target makes what it needs. PYTHON=... chooses the interpreter, ARGS=... passes options.
SHELL := /bin/bash
VENV ?= .venv
BIN := $(VENV)/bin
# One process per core; more than four do not help.
JOBS ?= --numprocesses=auto --maxprocesses=4
SCRIPTS := tests/migrate tests/r/test_pieces.py tests/prose/test_papers_pages.py
# What most mistakes show up in, and of each table of cases every twelfth.
QUICK := $(wildcard tests/test_*architecture.py) tests/test_recorded.py tests/test_public_names.py tests/prose/test_lengths.py \
         $(addprefix tests/,core fit data random result parallel formula companions rbase rlang)
# If ARGS names paths, only these are run, whatever their lane.
LANE = $(if $(filter tests% benchmarks% parity%,$(ARGS)),,$(1))
# What Python compiles is kept, and not next to the sources, whatever the environment says: otherwise each process of a test
# run compiles pandas, scikit-learn and the tests anew.
PYTHONPYCACHEPREFIX ?= $(abspath build/pycache)
PYTHONDONTWRITEBYTECODE :=
export VENV PYTHONPYCACHEPREFIX PYTHONDONTWRITEBYTECODE
# There is a process of tests for each core; BLAS with threads of its own would only wait.
test test-scripts quick: export OPENBLAS_NUM_THREADS := 1
test test-scripts quick: export OMP_NUM_THREADS := 1
export PATH := $(abspath $(BIN)):$(PATH)
BUILD := pyproject.toml tools/venv.sh
EXTRA = $(BIN)/python tools/extra.py $(1) | $(BIN)/python -m pip install --quiet --disable-pip-version-check -r /dev/stdin && touch $@

.DEFAULT_GOAL := help
.PHONY: help demo test quick test-scripts slow parity record faults ctest filters ctest-arm64 ctest-windows bench papers selection evidence lint format map docs dist matrix clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 13

demo: $(VENV)/.demo ## the command on the breast cancer data; `make test` adds to the same environment
	$(BIN)/python examples/breast_cancer.py | \
	$(BIN)/pyrrf select - --target diagnosis --features 5 --cv --jobs -1 --plot demo-importances.png $(ARGS)

test: $(VENV)/.done ## Python tests without the two lanes below; no R needed; ARGS="tests/r" for a part of any lane
	@$(BIN)/pytest $(JOBS) $(call LANE,$(addprefix --ignore=,tests/slow $(SCRIPTS))) $(ARGS)

quick: $(VENV)/.lint ## ruff, the architecture and a slice of the tests, for work in progress: about a minute on two cores
	@tools/lint.sh ruff && $(BIN)/pytest $(JOBS) $(QUICK) --every 12 $(ARGS)

test-scripts: $(VENV)/.done ## tests of migrate and of the papers' pages
	@$(BIN)/pytest $(JOBS) $(call LANE,$(SCRIPTS)) $(ARGS)

slow: $(VENV)/.slow ## long tests: measured shapes, thousands of calls on threads, the benchmark's own
	@$(BIN)/pytest $(JOBS) --dist=loadfile $(call LANE,tests/slow benchmarks) $(ARGS)

parity: $(VENV)/.done ## live comparison with R, if R and RRF are installed; ARGS="parity/test_rules.py" for a part
	@tools/parity.sh pytest $(ARGS)

record: $(VENV)/.done ## store R's answers for the tests that run without R
	@tools/parity.sh record $(ARGS)

faults: $(VENV)/.done ## which tests see faults seeded one at a time, and what the statistics see; ARGS="Gini rds" for some
	@$(if $(ARGS),,$(BIN)/python -m parity.tables &&) $(BIN)/python -m parity.faults $(ARGS)

ctest: $(VENV)/.done ## C unit tests under the address and undefined-behaviour sanitizers, and `filters`
	@tools/ctest.sh && tools/filters.sh && tools/plain.sh

filters: $(VENV)/.done ## no answer depends on a filter: the core without each, and without their folder; ARGS="FILTER_LANES" for some
	@tools/filters.sh $(ARGS) $(if $(ARGS),,&& tools/plain.sh)

ctest-arm64: ## the same tests on another processor: cross compiler and qemu, installed if missing
	@tools/ctest.sh arm64

ctest-windows: ## the same tests on another system: MinGW-w64 and wine, installed if missing
	@tools/ctest.sh windows

bench: $(VENV)/.bench ## times compared with CRAN RRF, ranger, scikit-learn and -intelex, LightGBM; ARGS="--data FOLDER" for real data
	@$(BIN)/python -m benchmarks.bench $(ARGS)

papers: $(VENV)/.bench ## the papers' tables compared with ours; ARGS="NAME --data FOLDER", and ARGS=--help for more
	@$(BIN)/python -m benchmarks.papers $(ARGS)

evidence: $(VENV)/.bench ## every table and picture that README and the pages quote, on one commit; ARGS="--data FOLDER", or ARGS=--list
	@$(BIN)/python -m benchmarks.evidence $(ARGS)

selection: $(VENV)/.bench ## selectors compared, error against size; ARGS="--data FOLDER", and ARGS=--help for more
	@$(BIN)/python -m benchmarks.selection $(ARGS)

lint: $(VENV)/.lint ## ruff, mypy, clang-format, cython-lint, the workflows' schema
	@tools/lint.sh

format: $(VENV)/.lint ## rewrite Python and C files in the style of lint; the reading path of src_c/README.md
	@ruff format . && git ls-files -z '*.c' '*.h' | xargs -0 -r clang-format -i
	@python3 tools/reading_path.py

map: ## what each file is for; ARGS="pyrrf/fit src_c/tree" for some folders
	@python3 tools/map.py $(ARGS)

docs: $(VENV)/.docs ## API pages in build/docs; a warning is an error
	@$(BIN)/sphinx-build --quiet --fail-on-warning --builder html docs build/docs && echo build/docs/index.html

dist: $(VENV)/.dist ## source archive and wheel in dist/, each tried in an empty environment; ARGS="python3.12 python3.13" for these
	@tools/dist.sh $(ARGS)

matrix: $(VENV)/.dist ## the same wheels with the oldest and newest numpy, pandas and scikit-learn; a page of what passed
	@tools/dist.sh $(ARGS) && $(BIN)/python tools/matrix.py $(ARGS)

clean: ## remove environments and builds
	@rm -rf $(VENV) build dist .r-library

$(VENV)/.demo: $(BUILD)
	@tools/venv.sh $(VENV) demo

# An environment of the demo lacks only packages.
$(VENV)/.done: $(BUILD)
	@if [ -e $(VENV)/.demo ] && $(MAKE) --question $(VENV)/.demo; then $(call EXTRA,test); else tools/venv.sh $(VENV) test; fi

$(VENV)/.lint: $(VENV)/.done
	@$(call EXTRA,lint)

$(VENV)/.slow: $(VENV)/.done
	@$(call EXTRA,slow)

$(VENV)/.docs: $(VENV)/.done
	@$(call EXTRA,docs)

$(VENV)/.bench: $(VENV)/.done
	@$(call EXTRA,bench)

$(VENV)/.dist: $(VENV)/.done
	@$(call EXTRA,dist)
