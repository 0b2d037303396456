# Every target does its own set-up: a fresh machine needs Python 3.11 or newer, make and git.

BIN := .venv/bin
GATES := $(patsubst %,tests/test_%.py,layers purity sizes public_names error_tree makers banned)
PEERS_PYTHON := .venv-bench-fetch/bin/python
CRAWL4AI_PYTHON := .venv-bench-crawl4ai/bin/python
export URL

.DEFAULT_GOAL := help
.PHONY: help demo read test check bench bench-chat bench-fetch bench-frockbot bench-iii bench-quota bench-reading bot soak fuzz docs clean run-setup dev-setup

help: ## list what make can do
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

demo: run-setup ## read the bundled site through the real stack; needs no network
	@$(BIN)/webward demo

read: run-setup ## read a real page: make read URL=https://example.com/
	@test -n "$$URL" || { echo 'Say which page: make read URL=https://example.com/' >&2; exit 2; }
	@$(BIN)/webward read "$$URL"

bot: run-setup ## a Discord bot that reads pages: make bot MODEL=qwen3:8b [BASE_URL=…], with DISCORD_TOKEN set
	@$(BIN)/python -c 'import discord, openai, PIL' 2>/dev/null || $(BIN)/pip install --quiet --editable '.[bot]'
	@$(if $(MODEL),WEBWARD_CHAT_MODEL_NAME='$(MODEL)') $(if $(BASE_URL),WEBWARD_CHAT_MODEL_BASE_URL='$(BASE_URL)') \
		$(BIN)/python -m examples.discord_bot

test: check ## everything: check, then all tests
	$(BIN)/pytest --numprocesses auto --dist worksteal

check: dev-setup ## lint, format, types and the gate tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(GATES)

bench: run-setup ## how fast the command starts, against a bare Python
	@$(BIN)/python bench/start_time.py

bench-quota: run-setup ## how long a take from a quota lasts among eight processes
	@$(BIN)/python bench/quota.py

bench-chat: dev-setup ## what the images of a page add to fetch_url
	@$(BIN)/python bench/chat.py

bench-frockbot: dev-setup ## what the FrockBot line protocol adds to a fetch, and the classifier's speed
	@$(BIN)/python bench/frockbot.py

bench-iii: dev-setup ## what the bus of an iii engine adds to fetches, 500 at once
	@$(BIN)/python bench/iii.py

bench-reading: run-setup ## reading quality and speed: make bench-reading SCORER=path/to/score_reading.py CORPUS=path
	@test -n "$(SCORER)" -a -n "$(CORPUS)" || { echo 'Say SCORER= and CORPUS=' >&2; exit 2; }
	test -d .venv-bench || $(BIN)/python -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --upgrade pip
	.venv-bench/bin/pip install --quiet --requirement $(dir $(SCORER))requirements.txt --editable .
	PYTHONPATH=bench:$(dir $(SCORER)) .venv-bench/bin/python "$(SCORER)" --corpus "$(CORPUS)" --rounds 5 \
		--reader webward=reader:read --reader webward-everything=reader:everything $(PEERS)

bench-fetch: run-setup ## the fetch path against its peers: make bench-fetch [OPTIONS=--quick] [CORPUS=path]
	@scripts/setup bench
	test -x $(PEERS_PYTHON) || $(BIN)/python -m venv .venv-bench-fetch
	$(PEERS_PYTHON) -m pip install --quiet --upgrade pip
	$(PEERS_PYTHON) -m pip install --quiet trustme --editable .
	$(PEERS_PYTHON) -m pip install --quiet --requirement bench/fetch/peers.txt \
		|| xargs -n1 $(PEERS_PYTHON) -m pip install --quiet <bench/fetch/peers.txt || true
	test -z "$(CORPUS)" -o -x $(CRAWL4AI_PYTHON) || $(BIN)/python -m venv .venv-bench-crawl4ai
	test -z "$(CORPUS)" || $(CRAWL4AI_PYTHON) -m pip install --quiet crawl4ai || true
	$(PEERS_PYTHON) -m bench.fetch $(OPTIONS) $(if $(CORPUS),--corpus "$(CORPUS)" --crawl4ai $(CRAWL4AI_PYTHON))

soak: dev-setup ## one gateway among good and hostile servers for MINUTES (10): nothing may grow or stick
	$(BIN)/python -m bench.soak --minutes $(or $(MINUTES),10)

fuzz: dev-setup ## throw soups and bytes at the reader for some minutes
	timeout 900 $(BIN)/pytest tests/fuzz --hypothesis-profile=fuzz

docs: dev-setup ## write anew what is made from the code: docs/reference.md, deploy/iii
	@$(BIN)/python scripts/reference.py

clean: ## remove the environment, the caches and what was built
	rm -rf .venv .venv-bench* bench-fetch.jsonl build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

run-setup:
	@scripts/setup run

dev-setup:
	@scripts/setup dev
