/** A fresh exchange in a process of its own, which a run loads. server-process.ts forks it. */
import { collectRarely } from '../../sim/server/operations/rare-collections.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import type { ServiceOptions } from '../services.ts';
import { testUsers } from '../test-users.ts';
import { UNLIMITED } from './unlimited.ts';

/** What the parent sends once: the ids of the users, and the services. */
export interface ServerOrder {
  readonly users: readonly string[];
  readonly services: ServiceOptions;
}

/** What the exchange reports once: its URL, or why it did not start. */
export type ServerNews = { readonly url: string } | { readonly failure: string };

process.once('message', ({ users, services }: ServerOrder) => {
  collectRarely();
  startSim({
    ...services,
    demo: true,
    port: 0,
    users: testUsers(users),
    loopbackFactor: 1e9,
    settings: UNLIMITED,
  }).then(
    ({ url }) => process.send?.({ url } satisfies ServerNews),
    (error: unknown) => process.send?.({ failure: String(error) } satisfies ServerNews),
  );
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The parent ends its calls first.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
