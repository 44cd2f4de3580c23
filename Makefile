# The desk by hand and in continuous integration. Every target makes the machine ready first; see `make help`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test faults check bench bundle fidelity shots pictures matrix bindings test-openstack

# One set of features everywhere: a build of one package alone would resolve other features and compile half the tree
# again. With `custom-protocol` the built UI is inside the binary, in debug builds too.
WORKSPACE := --workspace --features gpudesk-app/custom-protocol
# What tests need beside it, built at once: tests ask for features of their own.
EVERYTHING := $(WORKSPACE) --all-targets
STEP := scripts/step
UI_SOURCES := $(shell find ui -path ui/node_modules -prune -o -path ui/dist -prune -o -path ui/src/paraglide -prune -o -type f -print 2>/dev/null)

help: ## What there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

run: ## Start the window (without a display: the market as a table)
	@scripts/run

test: ## Everything that can fail: check, tests of Rust and UI, the real window
	@scripts/setup test
	@$(MAKE) --no-print-directory check-steps
	@$(STEP) "build" cargo build $(EVERYTHING)
	@$(STEP) "Rust tests" scripts/cargo-test $(WORKSPACE)
	@$(STEP) "a new cloud from the template" scripts/check-new-cloud
	@$(STEP) "documentation tests" cargo test --doc --quiet $(WORKSPACE)
	@$(STEP) "UI tests" npm --prefix ui run --silent test
	@$(STEP) "window tests" scripts/window-tests
	@$(STEP) --total

faults: ## Thousands of random rentals with faults and cut-off programs (GPUDESK_SEED replays one)
	@scripts/setup check
	@$(MAKE) --no-print-directory ui/dist/index.html
	@GPUDESK_SCHEDULES=$${GPUDESK_SCHEDULES:-5000} RUST_BACKTRACE=0 cargo test $(WORKSPACE) --test faults -- --nocapture random

check: ## Formatting, lints, types, documentation, arrows
	@scripts/setup check
	@$(MAKE) --no-print-directory check-steps
	@$(STEP) --total

.PHONY: check-steps
check-steps: ui/dist/index.html
	@$(STEP) "rustfmt" cargo fmt --all --check
	@$(STEP) "clippy" cargo clippy --quiet $(WORKSPACE) --all-targets -- -D warnings
	@$(STEP) "rustdoc" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps $(WORKSPACE)
	@$(STEP) "arrows" scripts/check-arrows
	@$(STEP) "UI lint" npm --prefix ui run --silent lint
	@$(STEP) "window tests' form" ui/node_modules/.bin/prettier --log-level warn --check 'tests/window/*.js' 'tests/fidelity/*.mjs'
	@$(STEP) "UI types" npm --prefix ui run --silent check

bench: ## Speed and size against their budgets
	@scripts/setup check
	@$(MAKE) --no-print-directory ui/dist/index.html
	@scripts/bench

bundle: ## Packages to install (.deb and .rpm) under target/release/bundle
	@scripts/setup run
	@$(MAKE) --no-print-directory ui/dist/index.html
	@$(STEP) "release build" cargo build --release $(WORKSPACE)
	@$(STEP) "packages" ui/node_modules/.bin/tauri build --ci --bundles deb,rpm

test-openstack: ## OpenStack's adapter at a real Nova with fake machines, where one can be started
	@scripts/setup test
	@scripts/test-openstack

fidelity: ## The vendors' own clients at the practice market (installs them under target/fidelity)
	@scripts/setup run
	@$(MAKE) --no-print-directory ui/dist/index.html
	@$(STEP) "build" cargo build $(WORKSPACE)
	@$(STEP) "fidelity" scripts/fidelity

shots: ## Pictures of every view under target/shots
	@scripts/setup check
	@$(MAKE) --no-print-directory ui/dist/index.html
	@$(STEP) "build" cargo build $(EVERYTHING)
	@$(STEP) "pictures" scripts/with-desktop node tests/window/shots.js

pictures: shots ## The pictures of README, taken anew
	@cp target/shots/market-dark-en-1440x860.png docs/market-dark.png
	@cp target/shots/market-light-en-1440x860.png docs/market-light.png

matrix: ## README's table of clouds, from their terms
	@UPDATE_MATRIX=1 cargo test $(WORKSPACE) --test contract matrix

bindings: ## TypeScript of the commands, from the api crate
	@UPDATE_BINDINGS=1 cargo test $(WORKSPACE) --test contract bindings

ui/dist/index.html: $(UI_SOURCES)
	@$(STEP) "UI build" npm --prefix ui run --silent build
	@touch $@
