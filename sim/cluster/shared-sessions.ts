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

/** A session that is being written to the state. */
interface Opening {
  readonly session: HeldSession;
  /** Whether it was revoked meanwhile. */
  isOver: boolean;
}

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
 * A login writes its session to the state before anything changes here. A login that fails leaves the former session.
 *
 * An end and a session have the time of the shared state. Wherever an end arrives, and however late, it ends the sessions
 * that were opened before. The order of moments at two nodes is known only as far as their times agree: see
 * {@link OpenLink.time}.
 */
export class SharedSessions implements SessionRegistry {
  readonly #here: Sessions;
  readonly #parts: SharedSessionsParts;
  /** When the life of each session in the state was last prolonged, by token. */
  readonly #prolonged = new Map<string, number>();
  /** The sessions that are being opened here. */
  readonly #opening = new Set<Opening>();
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

  /** Writes the session to the state first, so that a login that fails leaves the former session. */
  async open(device: DeviceId, access: string | null): Promise<string> {
    const { clock, link } = this.#parts;
    const session = { token: this.#here.newToken(), device, access, openedAt: link.time() };
    const opening: Opening = { session, isOver: false };
    this.#opening.add(opening);
    const former = await this.#store(session).finally(() => this.#opening.delete(opening));
    if (opening.isOver) {
      void this.#record(() => this.#takeBack(session, undefined));
    } else {
      this.#here.take(session);
      this.#prolonged.set(session.token, clock.now());
    }
    await this.#record(() => this.#endFormer(former, session));
    return session.token;
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

  revoke(userId: string, access?: string, at?: number): DeviceId[] {
    const ended = this.#here.revoke(userId, access, at);
    const endedAt = at ?? this.#parts.link.time();
    const isOver = (one: Pick<HeldSession, 'access' | 'openedAt'>) =>
      one.openedAt <= endedAt && (access === undefined || one.access === access);
    for (const opening of this.#opening) {
      if (opening.session.device.userId === userId && isOver(opening.session)) opening.isOver = true;
    }
    void this.#record(() => this.#recordEnd(userId, isOver));
    return ended;
  }

  dispose(): void {
    for (const end of this.#ends) end();
  }

  /** Writes the session of a client to the state, in place of its former one. Returns the entry of that one. */
  async #store(session: HeldSession): Promise<string | undefined> {
    for (;;) {
      const former = await this.#entryOf(session.device);
      try {
        if (await this.#replace(former, session)) return former;
      } catch (error) {
        // The state may have accepted it without an answer.
        void this.#record(() => this.#takeBack(session, former));
        throw error;
      }
    }
  }

  /** Writes a session that the state may have lost. Forgets it when the client has a newer one. */
  async #storeAgain(session: HeldSession): Promise<void> {
    const former = await this.#entryOf(session.device);
    const other = readListed(former);
    if (other && other.openedAt > session.openedAt) return this.#here.forget(session.token);
    if (await this.#replace(former, session)) return this.#endFormer(former, session);
    return this.#storeAgain(session);
  }

  /** Returns the entry of a client in the list of its user's sessions. Undefined without one. */
  async #entryOf({ userId, clientId }: DeviceId): Promise<string | undefined> {
    return (await this.#parts.link.state.fields(sessionsKey(userId))).get(clientId);
  }

  #newEntryOf({ token, access, openedAt }: HeldSession): string {
    return JSON.stringify([this.#parts.sha256(token), access, openedAt]);
  }

  /** Writes a session. Returns false when the client has another session than the former one. */
  async #replace(former: string | undefined, session: HeldSession): Promise<boolean> {
    const { link, sha256, lifeMs } = this.#parts;
    const { access, openedAt } = session;
    const { userId, clientId } = session.device;
    const kept = JSON.stringify({ userId, clientId, access, openedAt });
    await link.state.set(sessionKey(sha256(session.token)), kept, lifeMs);
    return await link.state.changeFields(sessionsKey(userId), {
      where: { field: clientId, is: former ?? null },
      set: { [clientId]: this.#newEntryOf(session) },
      lifeMs,
    });
  }

  /** Removes the session that another one has replaced. */
  async #endFormer(former: string | undefined, { token, device }: HeldSession): Promise<void> {
    const { link, sha256 } = this.#parts;
    const hash = readListed(former)?.hash;
    if (hash === undefined || hash === sha256(token)) return;
    await link.state.remove([sessionKey(hash)]);
    // Afterwards, so that no node fetches the session again.
    this.#endCopies({ ...device, hash });
  }

  /** Removes a session that no client got, and lists the former one of its client again. */
  async #takeBack(session: HeldSession, former: string | undefined): Promise<void> {
    const { link, sha256, lifeMs } = this.#parts;
    const { userId, clientId } = session.device;
    const isBack = await link.state.changeFields(sessionsKey(userId), {
      where: { field: clientId, is: this.#newEntryOf(session) },
      ...(former === undefined ? { remove: [clientId] } : { set: { [clientId]: former } }),
      lifeMs,
    });
    await link.state.remove([sessionKey(sha256(session.token))]);
    // A later login or revocation found the session that no client got, and ended that one instead of the former one.
    if (!isBack && (await this.#entryOf(session.device)) !== former) await this.#endFormer(former, session);
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
    // Set again, so that the oldest stay first.
    this.#prolonged.delete(token);
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

  /** Writes the end of a session to the state now, or when it can be reached. Never rejects. */
  #record(end: () => Promise<void>): Promise<void> {
    this.#unrecorded.push(end);
    return this.#recordEnds();
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
   * @param isOver - returns whether a session has ended.
   */
  async #recordEnd(userId: string, isOver: (one: Listed) => boolean): Promise<void> {
    const { link, lifeMs, everywhere } = this.#parts;
    const sessions = [...(await link.state.fields(sessionsKey(userId)))].flatMap(([clientId, text]) => {
      const one = readListed(text);
      return one && isOver(one) ? [{ clientId, hash: one.hash }] : [];
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
