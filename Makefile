# Two commands on a machine with Python 3.11+ and make: `make demo` and `make test`.
PYTHON ?= python3
PORT ?= 8000
VAR ?= var
MINUTES ?= 60
RATE ?= 3
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what it imports; compiling all of every package takes ten seconds more.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes
export PORT VAR
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo run test test-all check messages wheel sbom audit faults bench soak lock clean

demo: $(VENV)/.base
	@$(BIN)/python manage.py demo
	@exec $(BIN)/python manage.py up

run: $(VENV)/.base
	@exec $(BIN)/python manage.py up

# What a change needs at each step: every test, with one of its values. Real processes, and sweeps over
# all roles, documents and rows, take more than half of the time of all tests, and the other values half
# of the rest: `make test-all` and `.ci/run` run them too.
test: $(VENV)/.dev
	VAR=$(VAR)/test $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder \
	  -m "not slow and not processes and not sweep" --values=1 $(ARGS)

test-all: $(VENV)/.dev
	$(MAKE) test ARGS='-m "not slow" --values=0 $(ARGS)'

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -m assurance.rules
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/djade --check $$(git ls-files 'templates/*.html')
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run

# Needs gettext. New texts of code and templates go into the catalogues, and catalogues are compiled.
messages: $(VENV)/.base
	$(BIN)/python manage.py makemessages -l ar -l de -l es -l fr --no-wrap --add-location file --no-obsolete \
	  $(foreach folder,.venv bench build deploy tests var,--ignore $(folder))
	$(BIN)/python manage.py compilemessages --ignore .venv

# The package for pip: docs/deploy.md.
wheel: $(VENV)/.dev
	$(BIN)/python -m hatchling build -t wheel -d $(VAR)/wheel

# The list of packages with versions, hashes and licences, as CycloneDX.
sbom: $(VENV)/.dev
	$(BIN)/python -m assurance.sbom $(VAR)/sbom.json

# Known faults of what an installation runs. Needs the network; AUDIT=--required fails without.
audit: $(VENV)/.dev
	$(BIN)/python -m assurance.audit $(AUDIT)

# Kills processes, takes databases away, and prints what held. Needs PostgreSQL and Redis.
faults: $(VENV)/.dev
	VAR=$(VAR)/test REQUIRE_SERVERS=1 $(BIN)/python -m pytest -p tests.fault_table -m fault -n 2 --dist loadfile $(ARGS)

# Prints ratios beside their goals. Needs PostgreSQL and Redis on this machine.
bench: $(VENV)/.base
	$(BIN)/python -m bench.start_up
	$(BIN)/python -m bench.webhook_ingest
	$(BIN)/python -m bench.job_loop
	$(BIN)/python -m bench.hub_reads
	$(BIN)/python -m bench.export
	$(BIN)/python -m bench.deliveries

# A steady load for so many minutes: memory, rows that wait, errors. RATE: cases a second.
soak: $(VENV)/.base
	$(BIN)/python -m bench.soak --minutes $(MINUTES) --rate $(RATE)

# Needs uv. The lock files carry hashes and name no index.
lock:
	for set in pip base dev provenance ocr-hq face s3 sentry otel saml; do uv pip compile --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-header \
	  requirements/$$set.in -o requirements/$$set.txt; done

clean:
	rm -rf $(VENV)

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed"'
	$(PYTHON) -m venv $(VENV)

# The pip that an older Python brings spends half a minute choosing among wheels.
$(VENV)/.pip: requirements/pip.txt | $(VENV)/bin/python
	$(PIP) -r requirements/pip.txt
	@touch $@

$(VENV)/.base: requirements/base.txt $(VENV)/.pip
	$(PIP) -r requirements/base.txt
	@touch $@

$(VENV)/.dev: requirements/base.txt requirements/dev.txt $(VENV)/.pip
	$(PIP) -r requirements/base.txt -r requirements/dev.txt
	@touch $@ $(VENV)/.base
