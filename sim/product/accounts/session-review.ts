import type { Log } from '../../exchange/logging/log.ts';
import type { Clock, TimerHandle } from '../../exchange/ports.ts';
import type { PresenceBoard } from '../presence.ts';
import type { Accounts } from './accounts.ts';
import type { OpenSockets } from './open-sockets.ts';
import type { SignedOut, SignIns } from './sign-ins.ts';

/** A session that ended elsewhere goes on here for so long at most. */
const REVIEW_MS = 30_000;

/** Somebody whom the calling service took, and the token it took them for. */
export interface CallingSession {
  readonly userId: string;
  readonly accessToken: string;
}

interface Outside {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly accounts: Accounts;
  readonly signIns: SignIns;
  readonly sockets: OpenSockets;
  readonly presence: PresenceBoard;
  /** Told of each session that is found to be over. */
  readonly onSignedOut: (ended: SignedOut) => void;
  /** The sessions of the calling service, each by the token that it was opened with. */
  readonly calling: {
    signedIn(): readonly CallingSession[];
    signOut(ended: CallingSession): void;
  };
}

/**
 * Looks again and again whether those who are here still may be: sessions expire, end on another server that shares the
 * database, and end with a suspension, which is written into the database by those who run the server.
 */
export class SessionReview {
  readonly #outside: Outside;
  #timer: TimerHandle | undefined;
  #running = Promise.resolve();
  #isDisposed = false;

  constructor(outside: Outside) {
    this.#outside = outside;
    this.#later();
  }

  /** Resolves when no review is under way. */
  settled(): Promise<void> {
    return this.#running;
  }

  /** Looks at somebody's at once, after some of theirs were ended. Never rejects: what fails is done by the next look at all. */
  async lookAt(uId: string): Promise<void> {
    await this.#endOver((one) => one === uId).catch((error: unknown) => this.#failed(error));
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#timer) this.#outside.clock.clearTimeout(this.#timer);
  }

  #later(): void {
    if (this.#isDisposed) return;
    this.#timer = this.#outside.clock.setTimeout(() => {
      this.#running = this.#review()
        .catch((error: unknown) => this.#failed(error))
        .finally(() => this.#later());
    }, REVIEW_MS);
  }

  async #review(): Promise<void> {
    const { accounts, sockets, presence } = this.#outside;
    // Who only calls has no socket here.
    const here = new Set([...sockets.sessions().map(({ uId }) => uId), ...presence.here()]);
    for (const uId of await accounts.suspendedOf([...here])) accounts.leave(uId);
    await this.#endOver(() => true);
  }

  /** Ends what hangs on sessions that are over, of those users who are looked at. */
  async #endOver(isLookedAt: (uId: string) => boolean): Promise<void> {
    const { signIns, sockets, onSignedOut, calling } = this.#outside;
    const sessions = sockets.sessions().filter(({ uId }) => isLookedAt(uId));
    const good = await signIns.goodOf(sessions.map(({ token }) => token));
    for (const session of sessions) if (!good.has(session.token)) onSignedOut(session);
    // A device may have its calling channel alone.
    const callers = calling.signedIn().filter(({ userId }) => isLookedAt(userId));
    const mayCall = await signIns.goodOf(
      callers.map(({ accessToken }) => accessToken),
      'calling_hash',
    );
    for (const caller of callers) if (!mayCall.has(caller.accessToken)) calling.signOut(caller);
  }

  #failed(error: unknown): void {
    if (!this.#isDisposed) this.#outside.log.error('whose session is over could not be found out', { error });
  }
}
