import { joinExchange } from '../../cluster/join-exchange.ts';
import { openLink } from '../../cluster/open-link.ts';
import type { NodeName } from '../../cluster/node-link.ts';
import { Log } from '../../exchange/logging/log.ts';
import { DEFAULT_SETTINGS } from '../../exchange/settings.ts';
import type { Sha256 } from '../../exchange/ports.ts';
import type { Store } from '../../exchange/store.ts';
import type { ProcessClock } from './exchange-clock.ts';
import type { Pause } from './pause.ts';
import type { Membership } from './virtual-process.ts';
import type { VirtualState } from './virtual-state.ts';

interface JoiningProcess {
  readonly state: VirtualState;
  readonly store: Store;
  readonly sha256: Sha256;
  /** The name of the node, and that of the process in the cluster. */
  readonly node: string;
  readonly process: NodeName;
  readonly clock: ProcessClock;
  readonly pause: Pause;
}

/** Joins a process to those of the other nodes. Rejects when the shared state cannot be reached. */
export async function joinNodes(options: JoiningProcess): Promise<Membership> {
  const { state, store, sha256, node, process, clock, pause } = options;
  const connected = state.connect({ process, node, clock, pause });
  const log = new Log(null, clock);
  const link = await openLink({ node: process, state: connected, clock, log });
  const cluster = joinExchange({ link, clock, log, store, sha256, settings: DEFAULT_SETTINGS });
  return {
    cluster,
    store: cluster.store,
    isReachable: () => connected.isReachable,
    async leave() {
      cluster.dispose();
      await link.leave();
      await connected.close();
      state.forget(process);
    },
    end: () => state.forget(process),
  };
}
