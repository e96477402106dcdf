# Every task of this repository, the same by hand and in CI.

BIN := .venv/bin
# How much `make nightly` raises the counts of every test; some count in full whenever it is more than 1.
BLACKQUEEN_FACTOR ?= 1
NIGHTLY_FACTOR ?= 5
export BLACKQUEEN_FACTOR
# Some containers set it. Then each program that a test starts compiles all its modules again, which
# takes longer than most of these tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play setup test check reference format nightly night-fuzz fuzz bench wheel lock picture screenshots clean

help:  ## list these tasks
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

play:  ## sit down at a table with bots
	@tools/environment play
	@$(BIN)/blackqueen play --last $(ARGS) || { code=$$?; [ $$code -eq 130 ] || exit $$code; }

setup:  ## create .venv with everything that development needs
	@tools/environment dev

# The rules and the protocol are held to tests of their own that reach every line and branch.
# Watching that costs time, so nothing else is watched, nor tests marked `no_cover`: they play whole
# games.
WATCHED := engine protocol
GAME_RULES := $(wildcard tests/games/*/rules)
RULES := engine protocol tests/engine tests/protocol $(GAME_RULES)
# The rules never wait. Other tests do: for programs, for pictures on a page, and for time.
CORES := $(shell getconf _NPROCESSORS_ONLN)
WORKERS := $(shell echo $$(($(CORES) + 2)))
# Every move of a test waits for a disk, a tenth of the whole time, and no test is about one that loses
# its power: so the databases lie in memory where there is room for them.
MEMORY := $(shell [ "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 2000000 ] 2>/dev/null \
	&& echo PYTEST_DEBUG_TEMPROOT=/dev/shm)
PYTEST = $(MEMORY) $(BIN)/pytest --dist worksteal --numprocesses

test: setup  ## run every kind of test
	@tools/system-packages
	@failed=0; \
	$(PYTEST) $(CORES) $(WATCHED:%=--cov=%) --cov-report= $(RULES) || failed=1; \
	$(PYTEST) $(WORKERS) $(RULES:%=--ignore=%) || failed=1; \
	exit $$failed
	@$(BIN)/coverage report --fail-under=100 \
		|| { echo 'engine/ and protocol/ are to be covered whole, branches too.'; exit 1; }

# Tests that take seconds, and find what a change has left out of the documents.
QUICK := tests/test_repository_pages.py tests/server/commands/test_message_table.py

check: setup  ## format, lint, types, imports between folders, generated files, documents
	@$(BIN)/ruff format --check --quiet . || { echo 'Not formatted: make format'; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m protocol.reference --check
	@$(BIN)/python -m server.events.reference --check
	@$(BIN)/pytest --quiet --no-header $(QUICK)

reference: setup  ## write the references of the protocol and of public events again
	@$(BIN)/python -m protocol.reference
	@$(BIN)/python -m server.events.reference

format: setup  ## format the code, and fix what the linter can fix
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

# The parts of the night, each at most 90 minutes on two quiet cores. Together they run every test.
NIGHT := rules games bots server programs fuzz
NIGHT_games := tests/engine/recycle tests/conformance
NIGHT_rules := engine protocol tests/engine tests/protocol $(GAME_RULES) $(NIGHT_games:%=--ignore=%)
NIGHT_bots := bots tests/bots $(wildcard tests/games/*/bots)
NIGHT_server := tests/server
NIGHT_programs := $(foreach part,rules games bots server,$(patsubst %,--ignore=%,$(filter-out --%,$(NIGHT_$(part)))))
PART ?= $(NIGHT)

nightly:  ## the same tests with more repetitions, in parts (PART=server)
	@failed=0; \
	for part in $(PART); do $(MAKE) --no-print-directory night-$$part || failed=1; done; \
	exit $$failed

night-%: setup
	$(if $(filter $*,$(NIGHT)),,$(error PART=$*: the parts are $(NIGHT)))
	@tools/system-packages
	BLACKQUEEN_FACTOR=$(NIGHTLY_FACTOR) $(PYTEST) $(WORKERS) $(NIGHT_$*)

night-fuzz: fuzz

fuzz: setup  ## play randomly generated game descriptions, for MINUTES=10
	@$(BIN)/python -m tools.fuzz $(MINUTES)

# Words behind `bench` are groups of figures, not targets.
ifeq (bench,$(firstword $(MAKECMDGOALS)))
GROUPS := $(filter-out bench,$(MAKECMDGOALS))
.PHONY: $(GROUPS)
$(GROUPS): bench ; @:
endif

bench:  ## measure speed and memory, or a group such as page; a missed limit fails
	@tools/environment bench
	@$(BIN)/blackqueen bench $(ARGS) $(GROUPS)

wheel: setup  ## build dist/blackqueen-….whl, for players who do not need the source
	@rm -rf dist
	@$(BIN)/python -m hatchling build -t wheel -d dist

# uv resolves once for all systems and Python versions; nothing else here needs it.
COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header --no-annotate --group build
SERVER = --extra server --extra postgres --extra mqtt
lock: setup  ## resolve the dependencies again (ARGS=--upgrade for newer ones)
	@$(COMPILE) $(ARGS) --output-file requirements/play.txt
	@$(COMPILE) $(ARGS) $(SERVER) --constraints requirements/play.txt --output-file requirements/base.txt
	@$(COMPILE) $(ARGS) $(SERVER) --extra lab --group dev --constraints requirements/base.txt \
		--output-file requirements/dev.txt
	@$(COMPILE) $(ARGS) $(SERVER) --extra lab --group dev --group bench --constraints requirements/dev.txt \
		--output-file requirements/bench.txt

picture: setup  ## take the README's picture again (needs tmux)
	@$(BIN)/python -m tools.picture docs/table.svg

screenshots: setup  ## take the pictures of the page in docs/images again (needs Chromium)
	@$(BIN)/python -m tools.screenshots docs/images

clean:  ## remove .venv and everything generated
	@rm -rf .venv .*_cache .hypothesis .coverage* htmlcov build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
