/** The groups of mutated files, and the tests that must detect their mutants. */

/** The environment variable that names the test files, as JSON, to the configuration that the runner reads. */
export const TESTS_VARIABLE = 'RINGBACK_MUTANTS_TESTS';

export interface MutantGroup {
  readonly name: string;
  /** The files to mutate. */
  readonly mutate: readonly string[];
  /** The test files, the quick ones first: the first failing test ends the run of a mutant. */
  readonly tests: readonly string[];
  /** The per cent of the mutants that must be detected. */
  readonly floor: number;
}

/** The exchange under a manual clock: all tests except random ones, which take seconds each. */
const EXCHANGE_TESTS = [
  'specs/unit/exchange/idempotency-cache.test.ts',
  'specs/unit/exchange/mask.test.ts',
  'specs/unit/exchange/token-buckets.test.ts',
  'specs/unit/exchange/short-lived-tokens.test.ts',
  'specs/unit/exchange/sessions.test.ts',
  'specs/unit/exchange/request-budgets.test.ts',
  'specs/unit/exchange/signal-log.test.ts',
  'specs/unit/exchange/digest.test.ts',
  'specs/unit/exchange/bridges.test.ts',
  'specs/unit/exchange/devices.test.ts',
  'specs/unit/exchange/live-call.test.ts',
  'specs/unit/exchange/outbox.test.ts',
  'specs/unit/exchange/secrets.test.ts',
  'specs/unit/exchange/commands.test.ts',
  'specs/unit/exchange/exchange.test.ts',
  'specs/unit/exchange/http.test.ts',
  'specs/unit/exchange/direct-call.test.ts',
  'specs/unit/exchange/change-relay.test.ts',
  'specs/unit/exchange/media-begins.test.ts',
  'specs/unit/exchange/channel.test.ts',
  'specs/unit/exchange/kept.test.ts',
  'specs/unit/exchange/webhooks.test.ts',
  'specs/unit/exchange/client-logs.test.ts',
  'specs/unit/exchange/outcome-table.test.ts',
  'specs/unit/exchange/settings-in-use.test.ts',
  'specs/unit/exchange/live-calls.test.ts',
  'specs/unit/exchange/participations.test.ts',
  'specs/unit/exchange/restore-call.test.ts',
  'specs/unit/exchange/restart.test.ts',
];

export const GROUPS: readonly MutantGroup[] = [
  {
    name: 'errors',
    mutate: ['src/protocol/errors.ts'],
    tests: ['specs/unit/protocol/errors.test.ts'],
    floor: 100,
  },
  {
    // Without the test that repeats the numbers: a test of the behaviour must detect each change.
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
      'specs/unit/calls/heartbeat.test.ts',
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
    mutate: ['src/calls/machine/machine.ts', 'src/calls/machine/machine-driver.ts'],
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
  {
    name: 'ledger',
    mutate: ['sim/product/ledger/*.ts'],
    tests: ['specs/unit/product/ledger.test.ts', 'specs/unit/product/charges.test.ts'],
    floor: 90,
  },
  {
    name: 'billing',
    mutate: ['sim/product/billing/*.ts'],
    tests: [
      'specs/unit/product/meter.test.ts',
      'specs/unit/product/charges.test.ts',
      'specs/unit/product/quotes.test.ts',
      'specs/unit/product/call-handlers.test.ts',
      'specs/unit/product/billing-sessions.test.ts',
      'specs/unit/product/billing-restart.test.ts',
      'specs/unit/product/modified-client.test.ts',
    ],
    floor: 90,
  },
  {
    name: 'exchange-calls',
    mutate: [
      'sim/exchange/calls/call.ts',
      'sim/exchange/calls/calls.ts',
      'sim/exchange/calls/call-event.ts',
      'sim/exchange/calls/change-custom-items.ts',
      'sim/exchange/calls/change-relay.ts',
      'sim/exchange/calls/custom-items.ts',
      'sim/exchange/calls/direct-calls.ts',
      'sim/exchange/delivery/deliver.ts',
      'sim/exchange/calls/end-call.ts',
      'sim/exchange/limits/fair-share.ts',
      'sim/exchange/calls/incoming-dial.ts',
      'sim/exchange/calls/lost-side.ts',
      'sim/exchange/calls/media-begins.ts',
      'sim/exchange/calls/outcomes.ts',
      'sim/exchange/calls/relay.ts',
      'sim/exchange/calls/ring.ts',
      'sim/exchange/delivery/signal-log.ts',
      'sim/exchange/calls/silence.ts',
      'sim/exchange/calls/snapshot.ts',
      'sim/exchange/delivery/webhooks.ts',
    ],
    tests: EXCHANGE_TESTS,
    floor: 90,
  },
  {
    name: 'exchange-commands',
    mutate: ['sim/exchange/commands/*.ts'],
    tests: EXCHANGE_TESTS,
    floor: 90,
  },
  {
    name: 'exchange-channel',
    mutate: [
      'sim/exchange/delivery/idempotency-cache.ts',
      'sim/exchange/limits/token-buckets.ts',
      'sim/exchange/logging/client-logs.ts',
      'sim/exchange/delivery/connection.ts',
      'sim/exchange/core.ts',
      'sim/exchange/directory/credentials.ts',
      'sim/exchange/directory/devices.ts',
      'sim/exchange/digest.ts',
      'sim/exchange/directory/end-login.ts',
      'sim/exchange/participations.ts',
      'sim/exchange/exchange.ts',
      'sim/exchange/faults.ts',
      'sim/exchange/logging/log.ts',
      'sim/exchange/logging/mask.ts',
      'sim/exchange/calls/media-path.ts',
      'sim/exchange/ports.ts',
      'sim/exchange/directory/sessions.ts',
      'sim/exchange/settings.ts',
      'sim/exchange/directory/short-lived-tokens.ts',
      'sim/exchange/logging/upload-levels.ts',
      'sim/exchange/directory/users.ts',
    ],
    tests: EXCHANGE_TESTS,
    floor: 90,
  },
  {
    name: 'exchange-live',
    mutate: [
      'sim/exchange/calls/abandoned-call.ts',
      'sim/exchange/directory/bridges.ts',
      'sim/exchange/delivery/write-queue.ts',
      'sim/exchange/calls/live-call.ts',
      'sim/exchange/calls/live-calls.ts',
      'sim/exchange/moment.ts',
      'sim/exchange/delivery/outbox.ts',
      'sim/exchange/calls/restore-call.ts',
      'sim/exchange/directory/secrets.ts',
      'sim/exchange/store.ts',
    ],
    tests: EXCHANGE_TESTS,
    floor: 90,
  },
  {
    name: 'exchange-http',
    mutate: ['sim/exchange/http/*.ts'],
    tests: EXCHANGE_TESTS,
    floor: 90,
  },
];
