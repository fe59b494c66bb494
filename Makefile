# `make demo` shows what graphmem does, `make test` checks it.

PYTHON ?= python3
BIN := .venv/bin
# Three processes, each with a server of its own, keep two cores busy, since tests wait for servers,
# timeouts and children. A file's tests stay together, in an order of ours.
WORKERS := --numprocesses 3 --dist loadfile --no-loadscope-reorder
# Three quarters of what pip would compile are never imported. Python compiles the rest when it is,
# unless it has been told to write no bytecode.
COMPILE = $(if $(PYTHONDONTWRITEBYTECODE),--compile,--no-compile)

# Tests run graphmem in some two hundred processes, of which each would compile it again.
test check thorough faults: export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test check thorough faults bench clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*  ## \(.*\)/make \1  - \2/p' Makefile

demo: .venv/demo-installed  ## set up and show a search over a sample project
	$(BIN)/graphmem demo

test: .venv/test-installed  ## set up, then format, lint, types and all tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest $(WORKERS)

check: .venv/test-installed  ## set up, then format, lint, types and the tests that need no server
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest $(WORKERS) -m "not live"

thorough: .venv/test-installed  ## set up, then try every property with very many examples
	$(BIN)/pytest $(WORKERS) --hypothesis-profile thorough -m hypothesis

faults: .venv/test-installed  ## set up, then kill, fill, cut and steal, and print what was lost
	$(BIN)/pytest --faults tests/faults tests/test_commit_once.py tests/test_neo4j_restarts.py \
		tests/test_neo4j_failed_starts.py tests/test_neo4j_backup.py tests/test_large_entities.py \
		tests/test_hostile_files.py

bench: .venv/test-installed  ## set up and measure; some minutes
	$(BIN)/python benchmarks

clean:  ## remove what was built and cached; .venv stays
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

.venv/demo-installed: EXTRAS = offline,java
.venv/test-installed: EXTRAS = offline,java,dev
.venv/demo-installed .venv/test-installed: pyproject.toml constraints.txt | .venv/bin/pip
	@echo "Installing graphmem's libraries into .venv; the first time, torch alone downloads about 3 GB."
	$(BIN)/pip install --disable-pip-version-check $(COMPILE) -c constraints.txt -e '.[$(EXTRAS)]'
	@touch $@

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 15) else "graphmem needs Python 3.11 to 3.14: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
