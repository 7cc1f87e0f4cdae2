/** The soak runs. Each is loaded when it runs, because media engines and browsers load slowly. */
import type { SoakId, SoakRun } from './soak-run.ts';

export const SOAK_RUNS: Readonly<Record<SoakId, () => Promise<SoakRun>>> = {
  L1: async () => (await import('./calls/faulty-calls.ts')).L1,
  L2: async () => (await import('./calls/faulty-calls.ts')).L2,
  L3: async () => (await import('./peak/peak.ts')).L3,
  L4: async () => (await import('./media/cut-media.ts')).L4,
  L5: async () => (await import('./storm/reconnect-storm.ts')).L5,
  L6: async () => (await import('./rooms/membership.ts')).L6,
  L7: async () => (await import('./flood/slow-and-flood.ts')).L7,
  L8: async () => (await import('./ledger/killed-ledger.ts')).L8,
  L9: async () => (await import('./browser/one-tab.ts')).L9,
  L10: async () => (await import('./fuzz/fuzz.ts')).L10,
  NODES: async () => (await import('./nodes/killed-node.ts')).NODES,
  UPGRADE: async () => (await import('./nodes/rolling-upgrade.ts')).UPGRADE,
};
