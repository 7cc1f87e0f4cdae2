/**
 * The environment of the tools that are written in Go: the type checker, and the linter where it needs types. By default they use each
 * processor, and several threads check the same types. This takes half of the processor time and no more memory
 * (docs/adr/0011-test-cost.md).
 */

/** One thread, and fewer rounds of garbage collection. */
export const ONE_GO_THREAD = { GOMAXPROCS: '1', GOGC: '400' };

/** For `tsc`, which otherwise divides its work among four checkers. */
export const ONE_CHECKER = '--singleThreaded';
