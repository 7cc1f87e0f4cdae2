import * as v from 'valibot';
import type { NodeLink } from '../../cluster/node-link.ts';
import { hashOf, type SignedOut } from './sign-ins.ts';

/** The functions that close the open sockets of a session, by its token. */
type Sessions = Map<string, Set<{ readonly close: () => void }>>;

/** The end of a session as nodes send it to each other: the hash of its token, or null for all sessions of the user. */
const endedElsewhere = v.object({ uId: v.string(), hash: v.nullable(v.string()) });

/** The open sockets of pages at this node, by session. They close when their session ends, at any node. */
export class OpenSockets {
  readonly #byUser = new Map<string, Sessions>();
  readonly #link: Pick<NodeLink, 'broadcast' | 'receive'> | null;
  readonly #stop: (() => void) | undefined;

  /** @param link - the other nodes. Null without a cluster. */
  constructor(link: Pick<NodeLink, 'broadcast' | 'receive'> | null = null) {
    this.#link = link;
    this.#stop = link?.receive('product signed out', (message) => {
      if (!v.is(endedElsewhere, message)) return;
      const { uId, hash } = message;
      this.#close(uId, (token) => hash === null || hashOf(token) === hash);
    });
  }

  /**
   * Adds a socket. @param close - closes the socket when its session ends. Returns the function to call when it has
   * closed.
   */
  add(uId: string, token: string, close: () => void): () => void {
    const opened = { close };
    const sessions: Sessions = this.#byUser.get(uId) ?? new Map();
    this.#byUser.set(uId, sessions);
    const sockets = sessions.get(token) ?? new Set();
    sessions.set(token, sockets.add(opened));
    return () => {
      sockets.delete(opened);
      if (sockets.size === 0 && sessions.get(token) === sockets) sessions.delete(token);
      if (sessions.size === 0 && this.#byUser.get(uId) === sessions) this.#byUser.delete(uId);
    };
  }

  /** Closes the sockets of one session, or of every session of a user, at all nodes. */
  end({ uId, token }: SignedOut): void {
    this.#close(uId, (one) => token === null || one === token);
    this.#link?.broadcast('product signed out', { uId, hash: token === null ? null : hashOf(token) });
  }

  /** Returns the sessions that have an open socket at this node. */
  sessions(): { readonly uId: string; readonly token: string }[] {
    return [...this.#byUser].flatMap(([uId, sessions]) => [...sessions.keys()].map((token) => ({ uId, token })));
  }

  dispose(): void {
    this.#stop?.();
  }

  #close(uId: string, isOver: (token: string) => boolean): void {
    for (const [token, sockets] of [...(this.#byUser.get(uId) ?? [])]) {
      if (isOver(token)) for (const opened of [...sockets]) opened.close();
    }
  }
}
