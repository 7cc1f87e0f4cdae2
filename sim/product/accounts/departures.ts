import * as v from 'valibot';
import type { NodeLink } from '../../cluster/node-link.ts';
import type { Log } from '../../exchange/logging/log.ts';

interface Dependencies {
  readonly log: Pick<Log, 'warn'>;
  /** The other nodes. Undefined without a cluster. */
  readonly link?: Pick<NodeLink, 'ask' | 'answer' | 'others'> | undefined;
  /** Resolves when the database has the last write of this node about users who left. */
  readonly written: () => Promise<void>;
}

const question = v.object({ uId: v.string() });

/** Waits for the last writes about a user whose account is about to be erased, at every node. */
export class Departures {
  readonly #with: Dependencies;
  readonly #stop: (() => void) | undefined;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
    this.#stop = dependencies.link?.answer('product departure', async (asked) => {
      v.assert(question, asked);
      await dependencies.written();
      return true;
    });
  }

  /**
   * Resolves when the nodes have ended the calls of the user and written them. A node that does not answer is not
   * waited for: it may be dead.
   */
  async written(uId: string): Promise<void> {
    const { link, log, written } = this.#with;
    const asked = (link?.others ?? []).map(async (node) => {
      try {
        await link?.ask(node, 'product departure', { uId });
      } catch (error) {
        log.warn('a node did not confirm that a user has left', { node, error });
      }
    });
    await Promise.all([written(), ...asked]);
  }

  dispose(): void {
    this.#stop?.();
  }
}
