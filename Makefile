# Two commands: `make start` runs the demo, `make test` runs every check. Everything else is an npm script.
# `make test VERBOSE=1` prints each test.
# Each recipe ends in exec, so that Ctrl-C reaches the program itself.

.PHONY: start test

start:
	@node tools/run/ready.mjs build && exec node dist/cli/main.js demo

test:
	@node tools/run/ready.mjs install && exec node_modules/.bin/tsx tools/run/test.ts $(if $(VERBOSE),--verbose)
