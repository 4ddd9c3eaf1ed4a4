# Everything a reader or contributor runs. Needs Python 3.11 or newer (with venv), make and git.
# Written for GNU make 3.81, which macOS still ships.

VENV     := .venv
BIN      := $(VENV)/bin
READY    := $(VENV)/.ready
OFFLINE  := scripts/offline
INSTALL  := install --quiet --constraint requirements.lock
WORKERS  ?= 2
NB       ?=

# A sample question that wants a report; QUESTION="..." asks another one.
SAMPLE   := "$(BIN)/python" -c 'from deep_research_offline.web import build_web; \
    print(next(q.text for q in build_web().questions if q.kind == "report" and "compare" in q.text))'

export PYTHON QUESTION

# Tests and notebooks start scores of processes. Where the shell forbids bytecode beside the sources, each of
# them would compile every library again, half of what a start costs; so it is kept inside .venv instead.
ifneq ($(PYTHONDONTWRITEBYTECODE),)
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX ?= $(CURDIR)/$(VENV)/bytecode
endif

.DEFAULT_GOAL := help
.PHONY: help setup demo test lab lint format bench prove notebooks designs local-model record lock clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s%s\n", $$1, $$2 }'

setup: $(READY) ## make .venv with everything that the other targets need

# uv installs in seconds what takes pip a minute; where it is missing or cannot reach the index, pip does it.
# uv compiles nothing: what every run imports is compiled here, so that the first one need not (4 seconds).
$(READY): pyproject.toml requirements.lock
	@"$(BIN)/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    python=$$(scripts/find-python) && echo "making $(VENV) with $$python" && "$$python" -m venv --clear $(VENV); }
	@echo "installing into $(VENV) (the first time this takes a minute)"
	@"$(BIN)/python" -m pip $(INSTALL) uv 2>/dev/null || true
	@"$(BIN)/uv" pip $(INSTALL) --python "$(BIN)/python" --editable '.[all]' 2>/dev/null \
	    || "$(BIN)/python" -m pip $(INSTALL) --editable '.[all]'
	@"$(BIN)/python" -c 'import deep_research.engine.chat_openai, deep_research.runs.driving, \
	    deep_research_offline.model, matplotlib.backends.backend_svg'
	@touch $(READY)

demo: setup ## ask for a report, offline, and show it
	@$(OFFLINE) "$(BIN)/python" -m deep_research ask --model offline --search offline --set output.charts=some \
	    "$${QUESTION:-$$($(SAMPLE))}"

# Files in their order: by number of tests, as pytest-xdist would have it, the slowest (few tests, many processes)
# starts last, and one worker waits for it.
test: setup ## run every test, then every notebook
	@status=0; home=$$(mktemp -d); trap 'rm -rf "$$home"' EXIT; \
	$(OFFLINE) "$(BIN)/python" -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder tests || status=1; \
	$(OFFLINE) env DEEP_RESEARCH_HOME="$$home" "$(BIN)/python" -m pytest -n $(WORKERS) --dist loadfile \
	    --nbval --nbval-current-env notebooks || status=1; \
	exit $$status

# A copy of one's own, so that what is run or tried out there leaves the project as it is. Containers often have
# no other user than root, for whom Jupyter wants to be told so.
lab: setup ## open your copy of the notebooks (the folder lab; remove it for a fresh one) in JupyterLab
	@test -d lab || cp -R notebooks lab
	@"$(BIN)/python" -m jupyter lab $$([ "$$(id -u)" != 0 ] || echo --allow-root --no-browser) lab

lint: setup ## ruff (rules and format), mypy, and the order of the rooms
	@status=0; \
	"$(BIN)/ruff" check . || status=1; \
	"$(BIN)/ruff" format --check . || status=1; \
	"$(BIN)/python" -m mypy || status=1; \
	"$(BIN)/lint-imports" --no-cache || status=1; \
	exit $$status

format: setup ## let ruff mend what it can
	@"$(BIN)/ruff" check --fix . ; "$(BIN)/ruff" format .

bench: setup ## speed, as ratios (benchmarks/)
	@$(OFFLINE) "$(BIN)/python" -m benchmarks

prove: setup ## measure what the README claims (benchmarks/prove.py)
	@$(OFFLINE) "$(BIN)/python" -m benchmarks.prove

notebooks: setup ## execute the notebooks in place; one of them: make notebooks NB=notebooks/03_one_researcher.ipynb
	@$(OFFLINE) "$(BIN)/python" scripts/run_notebooks.py $(NB)

designs: setup ## draw every design's graph again (docs/designs)
	@$(OFFLINE) "$(BIN)/python" scripts/draw_designs.py

local-model: setup ## serve a small real model here, for --model local (1.1 GB, in the cache folder)
	@"$(BIN)/python" scripts/local_model.py

record: setup ## record the runs of the small real model again; needs `make local-model` in another terminal
	@"$(BIN)/python" scripts/record.py

# Not by way of setup: what pyproject.toml newly asks for may contradict the lock that setup installs by.
lock: ## resolve requirements.lock again; with UPGRADE=1 to the newest releases
	@test -x "$(BIN)/uv" || $(MAKE) setup
	@"$(BIN)/uv" pip compile pyproject.toml --all-extras --universal --python-version 3.11 --no-annotate \
	    --no-emit-index-url --custom-compile-command 'make lock' --quiet $(if $(UPGRADE),--upgrade) -o requirements.lock

clean: ## remove .venv and caches (runs stay)
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
