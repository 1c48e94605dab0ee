# Two commands are enough: `make report` and `make test`. Both set up .venv the first time.
# Needs Python 3.11 or newer with venv, and make (3.81 or newer); nothing else.

PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
READY := .venv/ready
BENCH_READY := .venv/ready-bench
# Options for one run: make report ARGS="-p labels=my.csv", make test ARGS="-k kappa".
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help report test test-slow lab check bench data clean validation

help: ## List the commands
	@echo "Commands of construct-toolkit:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

report: $(READY) ## Write reports/construct_diagnosis.html from the bundled data (ARGS="-p labels=my.csv")
	@$(BIN)/construct-toolkit report construct_diagnosis --out reports $(ARGS)

test: $(READY) ## Run all tests but the slow ones (ARGS="-k kappa")
	@echo "Running the tests (some minutes; 'make test-slow' runs the simulations) ..."
	@$(BIN)/python -m pytest --numprocesses=auto $(ARGS)

test-slow: $(READY) ## Run the statistical simulations too (half an hour)
	@echo "Running all tests, the statistical simulations too (half an hour) ..."
	@$(BIN)/python -m pytest --numprocesses=auto -m "slow or not slow" $(ARGS)

lab: $(READY) ## Open JupyterLab on the notebooks
	@echo "Opening JupyterLab on notebooks/ (stop it with Ctrl-C) ..."
	@$(BIN)/python -m jupyterlab --notebook-dir=notebooks $(ARGS)

check: $(READY) ## Check style, types and the arrows between packages
	@echo "Checking style ..."
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "Checking types ..."
	@$(BIN)/mypy
	@echo "Checking which package imports which ..."
	@$(BIN)/lint-imports

bench: $(BENCH_READY) ## Measure speed against other packages
	@echo "Measuring (some minutes; run it on an idle machine) ..."
	@$(BIN)/python benchmarks/run.py $(ARGS)

data: $(READY) ## Write the bundled data again, byte for byte
	@echo "Writing data/pilot/, data/he300/, data/gate/, data/pool/ and data/labelling/ ..."
	@$(BIN)/python data/make_pilot.py
	@$(BIN)/python data/make_he300.py
	@$(BIN)/python data/make_gate.py
	@$(BIN)/python data/make_pool.py
	@$(BIN)/python data/make_labelling.py

clean: ## Remove .venv, reports and caches
	@echo "Removing .venv, reports and caches ..."
	@rm -rf .venv reports dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

validation: $(READY) ## Measure the coverage of the intervals again (half an hour; goes on where it stopped)
	@echo "Measuring coverage for docs/validation.md (about half an hour on two cores) ..."
	@$(BIN)/python tests/functional/validate.py $(ARGS)

# The stamp is newer than what it was made from, so the second time costs nothing.
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and was not found." \
	  "Install it, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) has no venv module." \
	  "On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Setting up .venv with $(PYTHON) (once, two or three minutes) ..."
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt --editable '.[lab,test]'
	@touch $@

$(BENCH_READY): $(READY)
	@echo "Adding the packages to compare with ..."
	@$(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	@touch $@
