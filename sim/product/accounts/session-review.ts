import type { Log } from '../../exchange/logging/log.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import * as v from 'valibot';
import type { NodeLink } from '../../cluster/node-link.ts';
import type { CallingService } from '../calling-service.ts';
import type { PresenceBoard } from '../presence.ts';
import type { Accounts } from './accounts.ts';
import type { OpenSockets } from './open-sockets.ts';
import { hashOf, type SignedOut, type SignIns } from './sign-ins.ts';

/** The longest time that a session goes on here after it ended on another server. Milliseconds. */
const REVIEW_MS = 30_000;

interface Dependencies {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly accounts: Accounts;
  readonly signIns: SignIns;
  readonly sockets: OpenSockets;
  readonly presence: PresenceBoard;
  /** Called for each session that has ended. */
  readonly onSignedOut: (ended: SignedOut) => void;
  readonly calling: Pick<CallingService, 'signedIn' | 'signOutAccess'>;
  /** The access token of users of the calling service who have no account. Undefined without such users. */
  readonly guestToken: string | undefined;
  /** The other nodes. Undefined without a cluster. */
  readonly link?: Pick<NodeLink, 'broadcast' | 'receive'> | undefined;
}

/** Sessions of a user have ended. Each node reads from the database which ones. */
const endedElsewhere = v.object({ uId: v.string() });

/**
 * A periodic check of the sessions of connected users. A session can expire, or end on another server of the database.
 * A suspension also ends it: the operator of the server writes it into the database.
 */
export class SessionReview {
  readonly #dependencies: Dependencies;
  readonly #stop: (() => void) | undefined;
  #timer: Timer | undefined;
  #running = Promise.resolve();
  #isDisposed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#stop = dependencies.link?.receive('product sessions ended', (message) => {
      if (v.is(endedElsewhere, message)) this.#running = this.#running.then(() => this.#lookHere(message.uId));
    });
    this.#later();
  }

  /** Resolves when no review is in progress. */
  settled(): Promise<void> {
    return this.#running;
  }

  /**
   * Reviews the sessions of one user at once, at all nodes, after some have ended. Never rejects: the next periodic
   * review repeats what failed.
   */
  async lookAt(uId: string): Promise<void> {
    this.#dependencies.link?.broadcast('product sessions ended', { uId });
    await this.#lookHere(uId);
  }

  async #lookHere(uId: string): Promise<void> {
    await this.#endOver((one) => one === uId).catch((error: unknown) => this.#failed(error));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stop?.();
    this.#timer?.cancel();
  }

  #later(): void {
    if (this.#isDisposed) return;
    this.#timer = this.#dependencies.clock.after(REVIEW_MS, () => {
      this.#running = this.#review()
        .catch((error: unknown) => this.#failed(error))
        .finally(() => this.#later());
    });
  }

  async #review(): Promise<void> {
    const { accounts, sockets, presence } = this.#dependencies;
    // A device that only calls has no product socket here.
    const here = new Set([...sockets.sessions().map(({ uId }) => uId), ...presence.presentUsers()]);
    for (const uId of await accounts.suspendedOf([...here])) accounts.leave(uId);
    await this.#endOver(() => true);
  }

  /** Ends the sockets and calls of the ended sessions of the selected users. */
  async #endOver(isReviewed: (uId: string) => boolean): Promise<void> {
    const { signIns, sockets, onSignedOut, calling, guestToken } = this.#dependencies;
    const sessions = sockets.sessions().filter(({ uId }) => isReviewed(uId));
    const good = await signIns.goodOf(sessions.map(({ token }) => token));
    for (const session of sessions) if (!good.has(session.token)) onSignedOut(session);
    // A device may have only its channel to the calling service.
    const guest = guestToken === undefined ? null : hashOf(guestToken);
    const callers = calling.signedIn().filter(({ userId, access }) => access !== guest && isReviewed(userId));
    const mayCall = await signIns.goodCallingHashes(callers.map(({ access }) => access));
    for (const { userId, access } of callers) if (!mayCall.has(access)) calling.signOutAccess(userId, access);
  }

  #failed(error: unknown): void {
    if (!this.#isDisposed) this.#dependencies.log.error('sessions could not be reviewed', { error });
  }
}
