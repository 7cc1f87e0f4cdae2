/** What is mutated, and which tests its mutants must not get past. */

/** The environment variable that names the test files, as JSON, to the configuration that the runner reads. */
export const TESTS_VARIABLE = 'RINGBACK_MUTANTS_TESTS';

export interface MutantGroup {
  readonly name: string;
  /** The files whose mutants are tried. */
  readonly mutate: readonly string[];
  /** The test files. The first test that fails ends the try of a mutant. */
  readonly tests: readonly string[];
  /** Per cent of the mutants that must be found. */
  readonly floor: number;
}

export const GROUPS: readonly MutantGroup[] = [
  {
    name: 'errors',
    mutate: ['src/protocol/errors.ts'],
    tests: ['specs/unit/protocol/errors.test.ts'],
    floor: 100,
  },
  {
    name: 'machine',
    mutate: ['src/calls/machine.ts', 'src/calls/machine-driver.ts'],
    tests: ['specs/unit/calls/machine.test.ts', 'specs/unit/calls/tables.test.ts'],
    floor: 100,
  },
  {
    name: 'peer',
    mutate: ['src/calls/peer/table.ts'],
    tests: ['specs/unit/calls/tables.test.ts', 'specs/unit/calls/peer.test.ts'],
    floor: 100,
  },
];
