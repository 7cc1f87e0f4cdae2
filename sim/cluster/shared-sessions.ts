import * as v from 'valibot';
import type { Clock } from '../../src/common/clock.ts';
import type { Order } from '../exchange/cluster.ts';
import type { DeviceId, HeldSession, SessionRegistry, Sessions, SignedIn } from '../exchange/directory/sessions.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Sha256 } from '../exchange/ports.ts';
import { sessionKey, sessionsKey } from './keys.ts';
import type { OpenLink } from './open-link.ts';

const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ userId: v.string(), clientId: v.string(), access: v.nullable(v.string()), openedAt: v.number() }),
);
/** The session of a client: the hash of its token, and of its access token, and when it was opened. */
const listed = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), v.nullable(v.string()), v.number()]));

interface Listed extends Pick<HeldSession, 'access' | 'openedAt'> {
  /** The hash of the token. */
  readonly hash: string;
}

/** The message that a session is over, to the nodes that may have a copy of it. It has the hash of the token. */
const SESSION_OVER = 'session over';
const sessionOver = v.object({ userId: v.string(), clientId: v.string(), hash: v.string() });
type SessionOver = v.InferOutput<typeof sessionOver>;

export interface SharedSessionsParts {
  readonly link: OpenLink;
  readonly clock: Clock;
  readonly log: Log;
  readonly sha256: Sha256;
  /** The life of a session after its last use. Milliseconds. */
  readonly lifeMs: number;
  /** Carries out an order at every node. */
  readonly everywhere: (order: Order) => void;
}

/**
 * The sessions of all nodes. The shared state has each session under the hash of its token. A node has a copy of those
 * that it used, and answers from it. The end of a session is an order to every node. A session that a login of its client
 * replaces is over at every node.
 *
 * An end that the state records later ends the sessions that were opened before it. The wall clocks of the nodes are
 * compared without a correction. So a session that was opened after the end is ended too, while the clock of the node
 * that ended it is ahead by more than the time between. While it is behind, a session that was opened shortly before
 * the end is left.
 */
export class SharedSessions implements SessionRegistry {
  readonly #here: Sessions;
  readonly #parts: SharedSessionsParts;
  /** When the life of each session in the state was last prolonged, by token. */
  readonly #prolonged = new Map<string, number>();
  /** The writes in progress, by token. */
  readonly #storing = new Map<string, Promise<void>>();
  /** The ends of sessions that the state has not recorded, as it could not be reached. */
  readonly #unrecorded: (() => Promise<void>)[] = [];
  readonly #ends: (() => void)[];

  constructor(here: Sessions, parts: SharedSessionsParts) {
    this.#here = here;
    this.#parts = parts;
    const { link } = parts;
    this.#ends = [
      link.onLost(() => this.#storeAll()),
      link.receive(SESSION_OVER, (message) => this.#forgetCopy(v.parse(sessionOver, message))),
      link.state.onReachable((isReachable) => {
        if (isReachable) void this.#recordEnds();
      }),
    ];
  }

  open(device: DeviceId, access: string | null): string {
    const token = this.#here.newToken();
    const session = { token, device, access, openedAt: this.#parts.clock.wallTime() };
    this.#here.take(session);
    this.#prolonged.set(token, this.#parts.clock.now());
    const storing = this.#store(session).finally(() => this.#storing.delete(token));
    // The login waits for it.
    storing.catch(() => undefined);
    this.#storing.set(token, storing);
    return token;
  }

  async stored(token: string): Promise<void> {
    await this.#storing.get(token);
  }

  fetch(token: string): Promise<void> | null {
    return this.#here.has(token) || token === '' ? null : this.#fetch(token);
  }

  find(token: string, clientId: string): DeviceId | undefined {
    const found = this.#here.find(token, clientId);
    if (found) this.#used(token);
    return found;
  }

  tokenOf(device: DeviceId): string | undefined {
    return this.#here.tokenOf(device);
  }

  openedWith(token: string): string | null {
    return this.#here.openedWith(token);
  }

  signedIn(): SignedIn[] {
    return this.#here.signedIn();
  }

  revoke(userId: string, access?: string): DeviceId[] {
    const ended = this.#here.revoke(userId, access);
    const endedAt = this.#parts.clock.wallTime();
    this.#unrecorded.push(() => this.#recordEnd(userId, access, endedAt));
    void this.#recordEnds();
    return ended;
  }

  dispose(): void {
    for (const end of this.#ends) end();
  }

  /** Writes the session of a client to the state, in place of its former one. */
  async #store(session: HeldSession): Promise<void> {
    await this.#replace(await this.#listed(session.device), session);
  }

  /** Writes a session that the state may have lost. Forgets it when the client has a newer one. */
  async #storeAgain(session: HeldSession): Promise<void> {
    const former = await this.#listed(session.device);
    if (former && former.openedAt > session.openedAt) this.#here.forget(session.token);
    else await this.#replace(former, session);
  }

  /** Returns the session of a client in the state. Undefined without one. */
  async #listed({ userId, clientId }: DeviceId): Promise<Listed | undefined> {
    return readListed((await this.#parts.link.state.fields(sessionsKey(userId))).get(clientId));
  }

  async #replace(former: Listed | undefined, { token, device, access, openedAt }: HeldSession): Promise<void> {
    const { link, sha256, lifeMs } = this.#parts;
    const { userId, clientId } = device;
    const hash = sha256(token);
    await link.state.set(sessionKey(hash), JSON.stringify({ userId, clientId, access, openedAt }), lifeMs);
    const entry = JSON.stringify([hash, access, openedAt]);
    await link.state.changeFields(sessionsKey(userId), { set: { [clientId]: entry }, lifeMs });
    if (former === undefined || former.hash === hash) return;
    await link.state.remove([sessionKey(former.hash)]);
    // Afterwards, so that no node fetches the session again.
    this.#endCopies({ userId, clientId, hash: former.hash });
  }

  /** Ends the copies of a session at all nodes. The state has it no more. */
  #endCopies(session: SessionOver): void {
    this.#forgetCopy(session);
    this.#parts.link.broadcast(SESSION_OVER, session);
  }

  /** Forgets the copy of a session here. A node has one session of a client at most. */
  #forgetCopy({ hash, ...device }: SessionOver): void {
    const token = this.#here.tokenOf(device);
    if (token !== undefined && this.#parts.sha256(token) === hash) this.#here.forget(token);
  }

  async #fetch(token: string): Promise<void> {
    const { link, sha256 } = this.#parts;
    const text = await link.state.get(sessionKey(sha256(token)));
    const read = v.safeParse(stored, text);
    if (!read.success || this.#here.has(token)) return;
    const { userId, clientId, access, openedAt } = read.output;
    this.#here.take({ token, device: { userId, clientId }, access, openedAt });
  }

  /** Prolongs a session in the state, long before its life there is over. */
  #used(token: string): void {
    const { clock, lifeMs, log } = this.#parts;
    const now = clock.now();
    if (now - (this.#prolonged.get(token) ?? -Infinity) < lifeMs / 8) return;
    this.#prolonged.set(token, now);
    for (const [other, at] of this.#prolonged) {
      if (now - at < lifeMs) break;
      this.#prolonged.delete(other);
    }
    this.#prolong(token).catch((error: unknown) => log.warn('a session could not be prolonged', { error }));
  }

  async #prolong(token: string): Promise<void> {
    const { link, sha256, lifeMs } = this.#parts;
    const [isKept] = await link.state.prolong([sessionKey(sha256(token))], lifeMs);
    // Another node has ended it, unless the state has lost all its keys.
    if (isKept === false && (await link.hasState())) this.#here.forget(token);
  }

  #storeAll(): void {
    const { log } = this.#parts;
    for (const session of this.#here.all) {
      this.#storeAgain(session).catch((error: unknown) => log.warn('a session could not be stored again', { error }));
    }
  }

  async #recordEnds(): Promise<void> {
    const records = this.#unrecorded.splice(0);
    for (let record = records.shift(); record; record = records.shift()) {
      try {
        await record();
      } catch (error) {
        this.#parts.log.warn('the end of a session is recorded later', { error });
        this.#unrecorded.push(record);
        if (this.#parts.link.state.isReachable) continue;
        this.#unrecorded.push(...records);
        return;
      }
    }
  }

  /**
   * Removes the sessions of a user that no node may use any more. Their devices leave their calls.
   *
   * @param endedAt - when they ended, by the wall clock of this node. Sessions that were opened later stay.
   */
  async #recordEnd(userId: string, access: string | undefined, endedAt: number): Promise<void> {
    const { link, lifeMs, everywhere } = this.#parts;
    const sessions = [...(await link.state.fields(sessionsKey(userId)))].flatMap(([clientId, text]) => {
      const one = readListed(text);
      const isOver = one && one.openedAt <= endedAt && (access === undefined || one.access === access);
      return isOver ? [{ clientId, hash: one.hash }] : [];
    });
    if (sessions.length === 0) return;
    const clientIds = sessions.map(({ clientId }) => clientId);
    await link.state.remove(sessions.map(({ hash }) => sessionKey(hash)));
    await link.state.changeFields(sessionsKey(userId), { remove: clientIds, lifeMs });
    // Another node may have missed the order to end them.
    for (const session of sessions) this.#endCopies({ userId, ...session });
    everywhere({ kind: 'drop devices', userId, clientIds });
  }
}

/** Returns an entry of the list of a user's sessions. Undefined for an unreadable one. */
function readListed(text: string | undefined): Listed | undefined {
  const read = v.safeParse(listed, text);
  if (!read.success) return undefined;
  const [hash, access, openedAt] = read.output;
  return { hash, access, openedAt };
}
