import type { SignedOut } from './sign-ins.ts';

/** An open socket. */
interface Opened {
  readonly uId: string;
  readonly close: () => void;
}

/** The open sockets of pages, by session. They close when their session ends. */
export class OpenSockets {
  readonly #byToken = new Map<string, Set<Opened>>();
  readonly #countByUser = new Map<string, number>();

  /**
   * Adds a socket. @param close - closes the socket when its session ends. Returns the function to call when it has
   * closed.
   */
  add(uId: string, token: string, close: () => void): () => void {
    const opened = { uId, close };
    const sockets = this.#byToken.get(token) ?? new Set();
    this.#byToken.set(token, sockets.add(opened));
    this.#countByUser.set(uId, this.countOf(uId) + 1);
    return () => {
      if (!sockets.delete(opened)) return;
      const left = this.countOf(uId) - 1;
      if (left > 0) this.#countByUser.set(uId, left);
      else this.#countByUser.delete(uId);
      if (sockets.size === 0 && this.#byToken.get(token) === sockets) this.#byToken.delete(token);
    };
  }

  /** Closes the sockets of one session, or of every session of a user. */
  end({ uId, token }: SignedOut): void {
    const sessions = token === null ? [...this.#byToken.values()] : [this.#byToken.get(token) ?? []];
    for (const sockets of sessions) {
      for (const opened of [...sockets]) if (opened.uId === uId) opened.close();
    }
  }

  /** Counts the open sockets of a user in all sessions. */
  countOf(uId: string): number {
    return this.#countByUser.get(uId) ?? 0;
  }

  /** Returns the sessions that have an open socket. */
  sessions(): { readonly uId: string; readonly token: string }[] {
    return [...this.#byToken].flatMap(([token, sockets]) => {
      const [first] = sockets;
      return first ? [{ uId: first.uId, token }] : [];
    });
  }
}
