/**
 * The short form of each soak run (docs/soak.md). Its conditions are about correctness, so a slow machine does not break
 * them. The runs mostly wait, so several run at a time. The tests of L10 are in fuzz.test.ts, which computes.
 */
import { describe, expect, it } from 'vitest';
import { scaled } from '../../tools/run/machine-factor.ts';
import { NO_POSTGRES } from '../contract/store/postgres-schema.ts';
import { SOAK_RUNS } from '../soak/runs.ts';
import { performSoak, type SoakId } from '../soak/soak-run.ts';

const LIMIT_MS = 150_000;

const TITLES: readonly (readonly [SoakId, string])[] = [
  ['L1', 'I3 I9 no call is lost and no leg is left while messages and channels fail'],
  ['L2', 'I6 I22 clients and server keep nothing after calls with faults'],
  ['L3', 'a ramp of calls loses no call, and calls complete after it'],
  ['L4', 'calls last although their media paths are cut'],
  ['L5', 'the devices of a restarted server return spread over time, each once'],
  ['L6', 'I17 every client of a room has the list of the exchange'],
  ['L7', 'S14 S16 flooders are closed, and no message of other calls is lost'],
  ['L8', 'S27 S25 every answered gift is in the ledger exactly once, although the server is killed repeatedly'],
  ['NODES', 'calls go on or end alike on both sides when a node of a cluster is killed'],
  [
    'UPGRADE',
    'each call has the result that its users gave it, although each node of a cluster is drained and restarted',
  ],
];

/** Why a run cannot run here. */
const NO_CLUSTER = NO_POSTGRES ?? (process.env['REDIS_URL'] ? undefined : 'REDIS_URL names no Redis to test with');
const MISSING: Readonly<Partial<Record<SoakId, string | undefined>>> = { NODES: NO_CLUSTER, UPGRADE: NO_CLUSTER };

describe.concurrent('short soak runs', () => {
  for (const [id, title] of TITLES) {
    it(
      `${id}: ${title}`,
      async (context) => {
        const missing = MISSING[id];
        if (missing !== undefined) context.skip(missing);
        const run = await SOAK_RUNS[id]();
        const { conditions } = await performSoak(run, { isShort: true });
        const broken = conditions.flatMap(({ ok, text, measured }) => (ok ? [] : [`${text}: ${measured}`]));
        expect(broken, broken.join('\n')).toEqual([]);
      },
      scaled(LIMIT_MS),
    );
  }
});
