/** What is mutated, and which tests its mutants must not get past. */

/** The environment variable that names the test files, as JSON, to the configuration that the runner reads. */
export const TESTS_VARIABLE = 'RINGBACK_MUTANTS_TESTS';

export interface MutantGroup {
  readonly name: string;
  /** The files whose mutants are tried. */
  readonly mutate: readonly string[];
  /** The test files, the quick ones first: the first test that fails ends the try of a mutant. */
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
    // Not by the test that has the same numbers once more: each must be seen where somebody keeps to it.
    name: 'limits',
    mutate: [
      'src/protocol/limits.ts',
      'src/calls/realtime/retry-policy.ts',
      'src/calls/realtime/wait.ts',
      'src/calls/peer/resend.ts',
    ],
    tests: [
      'specs/unit/protocol/limits-in-use.test.ts',
      'specs/unit/protocol/times-in-use.test.ts',
      'specs/unit/protocol/wire.test.ts',
      'specs/unit/calls/stats-mos.test.ts',
      'specs/unit/calls/stats-sampler.test.ts',
      'specs/unit/calls/realtime.test.ts',
      'specs/unit/calls/client.test.ts',
      'specs/unit/calls/peer.test.ts',
      'specs/unit/calls/quality-monitor.test.ts',
      'specs/unit/calls/host-data.test.ts',
      'specs/unit/exchange/kept.test.ts',
      'specs/unit/exchange/direct-call.test.ts',
    ],
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
  {
    name: 'call',
    mutate: ['src/calls/direct-call/table.ts'],
    tests: [
      'specs/unit/calls/tables.test.ts',
      'specs/unit/calls/direct-call.test.ts',
      'specs/unit/calls/host-behaviour.test.ts',
      'specs/unit/calls/features.test.ts',
    ],
    floor: 100,
  },
];
