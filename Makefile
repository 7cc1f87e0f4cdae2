# Two commands: `make start` to see it work, `make test` to check it all. Everything else is an npm script.
# `make test VERBOSE=1` prints each test.
# Each recipe ends in exec, so that Ctrl-C reaches the program itself.

.PHONY: start test

start:
	@node specs/run/ready.mjs build && exec node dist/cli/main.js demo

test:
	@node specs/run/ready.mjs install && exec node_modules/.bin/tsx specs/run/test.ts $(if $(VERBOSE),--verbose)
