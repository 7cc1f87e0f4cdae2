import * as v from 'valibot';
import type { Clock, Timer } from '../../src/common/clock.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { RoomStore } from '../exchange/rooms/room-store.ts';
import { roomKey } from './keys.ts';
import type { NodeName, SharedTable } from './node-link.ts';
import type { OpenLink } from './open-link.ts';
import { StateUnreachable } from './shared-state.ts';

const OWNER = 'owner';
/** The term of the claim, a number. Each claim of a room has a higher one than the claims before. */
const TERM = 'term';
/** The participants and invitations of a room. */
const PEOPLE = 'people';
/** The interval at which a node looks after the rooms that it owns. Milliseconds. */
const LOOK_MS = 30_000;
/** A node gives up a room without a use for this long. Milliseconds. */
const IDLE_MS = 60_000;
/** The life of a claim. A node renews it at each look. Milliseconds. */
const CLAIM_MS = 10 * LOOK_MS;
/**
 * A room that could not be continued for this long goes on without its participants. Failures that are further apart do
 * not count together. Milliseconds.
 */
const CONTINUE_MS = 60_000;

/** Failures to continue a room in a row. The times are those of the monotonic clock. */
interface Failures {
  readonly firstAt: number;
  readonly lastAt: number;
}

interface Owned {
  /** The term of the claim. */
  readonly term: number;
  /** When the room was last used, by the monotonic clock. */
  usedAt: number;
}

export interface SharedRoomsParts {
  readonly link: OpenLink;
  readonly clock: Clock;
  readonly log: Log;
  /** The terms of the claims of nodes, by the id of the room. */
  readonly owned: SharedTable;
  /** Returns whether the exchange of this node has participants, invitations or commands of a room. */
  readonly isUsed: (roomId: string) => boolean;
  /** Returns the participants and invitations of a room in memory. Null for another room. */
  readonly kept: (roomId: string) => unknown;
  /** Continues a room of a dead node with its participants and invitations. */
  readonly continueRoom: (roomId: string, kept: unknown) => Promise<void>;
  /** Returns whether a silent node is dead: it does not act on its rooms any more. */
  readonly isDead: (node: NodeName) => Promise<boolean>;
  /** Forgets a room that another node owns now, without a message. */
  readonly letGo: (roomId: string) => void;
  /** Returns the node that claims rooms in place of this one, which drains. Null: this one. */
  readonly claimant: () => NodeName | null;
  /** Returns whether there is such a room. */
  readonly exists: (roomId: string) => Promise<boolean>;
}

/**
 * The owners of rooms. A room is stored in the database, and any node may load it. The first node that gets a command
 * about it claims it, and the others forward their commands there, until no device uses it any more. After the death of
 * its node, the next node that gets a command about it continues it with its participants.
 */
export class SharedRooms {
  readonly #parts: SharedRoomsParts;
  /** The rooms that this node owns. */
  readonly #mine = new Map<string, Owned>();
  /** The claims in progress. */
  readonly #claims = new Map<string, Promise<NodeName>>();
  /** The failures of this node to continue each room. */
  readonly #failures = new Map<string, Failures>();
  readonly #ends: (() => void)[];
  #isLooking = false;
  /** True when a look was asked for while one was in progress. */
  #looksAgain = false;

  constructor(parts: SharedRoomsParts) {
    this.#parts = parts;
    const { link, clock, log, owned } = parts;
    const look: Timer = clock.every(LOOK_MS, () => {
      this.#look().catch((error: unknown) => log.warn('the claims of rooms were not renewed', { error }));
    });
    const again = () => {
      this.#look().catch((error: unknown) => log.warn('the claims of rooms were not checked', { error }));
    };
    this.#ends = [
      () => look.cancel(),
      link.onLost(again),
      link.state.onReachable((isReachable) => {
        if (isReachable) again();
      }),
      owned.onChange((roomId) => {
        const mine = this.#mine.get(roomId);
        if (mine && this.#newestElsewhere(roomId).term > mine.term) again();
      }),
    ];
  }

  /**
   * Resolves with the node that owns a room: this one, unless another one does. Rejects without the shared state, and
   * when a room of a dead node cannot be continued. The next command tries again.
   */
  async ownerOf(roomId: string): Promise<NodeName> {
    const { link, clock } = this.#parts;
    // While the room is being continued, it has none of its participants yet.
    const claiming = this.#claims.get(roomId);
    if (claiming) return claiming;
    if (this.#parts.claimant() !== null && !this.#parts.isUsed(roomId)) await this.#giveUp(roomId);
    const mine = this.#mine.get(roomId);
    if (mine) {
      mine.usedAt = clock.now();
      // A node that stood still may have lost its rooms.
      if (link.isSure || (await this.#isKept(roomId))) return link.node;
    }
    const { node } = this.#newestElsewhere(roomId);
    if (node !== null) return node;
    const claim = this.#claims.get(roomId) ?? this.#claim(roomId).finally(() => this.#claims.delete(roomId));
    this.#claims.set(roomId, claim);
    return claim;
  }

  /**
   * Writes the participants and invitations of a room. When the state cannot be reached, the room goes on without it,
   * and {@link #look} writes them again. Returns false when another node owns the room, which this one then forgets.
   */
  async save(roomId: string): Promise<boolean> {
    return !this.#mine.has(roomId) || (await this.#isKept(roomId));
  }

  dispose(): void {
    for (const end of this.#ends) end();
  }

  /** Returns the other live node with the newest claim of a room, as far as this node knows. */
  #newestElsewhere(roomId: string): { readonly node: NodeName | null; readonly term: number } {
    const { link, owned } = this.#parts;
    let newest: { node: NodeName | null; term: number } = { node: null, term: 0 };
    for (const [node, value] of owned.elsewhere(roomId)) {
      const term = Number(value);
      if (link.isAlive(node) && (newest.node === null || term > newest.term)) newest = { node, term };
    }
    return newest;
  }

  async #claim(roomId: string): Promise<NodeName> {
    const { link, owned, clock, exists, claimant, isDead } = this.#parts;
    const key = roomKey(roomId);
    // A room that a client invented is claimed by no node. This one refuses the command.
    if (!(await exists(roomId))) return link.node;
    for (;;) {
      const fields = await link.state.fields(key);
      const owner = fields.get(OWNER) ?? null;
      if (owner !== null && owner !== link.node && !(await isDead(owner))) return owner;
      const other = claimant();
      if (other !== null && owner !== link.node) return other;
      const where = { field: OWNER, is: owner };
      // The key may have expired, or the state may have lost it. Then the time still makes this claim the newest one.
      const term = Math.max(termOf(fields) + 1, Math.floor(link.time()));
      const set = { [OWNER]: other ?? link.node, [TERM]: String(term) };
      if (!(await link.state.changeFields(key, { where, set, lifeMs: CLAIM_MS }))) continue;
      if (other !== null) {
        // This node could not continue the room before it drained. The other node does.
        this.#failures.delete(roomId);
        return other;
      }
      // The former owner writes them no more. When they cannot be read, the next command tries again.
      const people = owner === null ? undefined : (await link.state.fields(key)).get(PEOPLE);
      this.#mine.set(roomId, { term, usedAt: clock.now() });
      owned.set(roomId, String(term));
      if (people !== undefined) await this.#continue(roomId, people);
      return link.node;
    }
  }

  /**
   * Continues a room whose node has died. Rejects when the database fails: the shared state keeps the participants, and
   * the next command tries again.
   */
  async #continue(roomId: string, people: string): Promise<void> {
    const { clock, log, owned, continueRoom } = this.#parts;
    try {
      await continueRoom(roomId, JSON.parse(people));
    } catch (error) {
      const now = clock.now();
      const known = this.#failures.get(roomId);
      const firstAt = known && now - known.lastAt <= CONTINUE_MS ? known.firstAt : now;
      if (!isFinal(error) && now - firstAt < CONTINUE_MS) {
        this.#failures.set(roomId, { firstAt, lastAt: now });
        // A room of this node would be written without them.
        this.#mine.delete(roomId);
        owned.set(roomId, null);
        throw error;
      }
      log.warn('a room of a dead node goes on without its participants', { room: roomId, error });
    }
    this.#failures.delete(roomId);
  }

  async #look(): Promise<void> {
    this.#looksAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#looksAgain) {
        this.#looksAgain = false;
        await this.#lookAfterAll();
      }
    } finally {
      this.#isLooking = false;
    }
  }

  /** Renews the claims of the rooms in use, and gives up the others. Forgets the rooms that other nodes have claimed. */
  async #lookAfterAll(): Promise<void> {
    const { clock, isUsed } = this.#parts;
    for (const [roomId, { lastAt }] of this.#failures) {
      if (clock.now() - lastAt > CONTINUE_MS) this.#failures.delete(roomId);
    }
    for (const [roomId, { usedAt }] of [...this.#mine]) {
      // While the room is being continued, it has none of its participants yet. When that fails, it never gets them here.
      if (this.#claims.has(roomId) || !this.#mine.has(roomId)) continue;
      if (!isUsed(roomId) && clock.now() - usedAt >= IDLE_MS) await this.#giveUp(roomId);
      else await this.#isKept(roomId);
    }
  }

  /** Gives up a room that this node owns, so that another one may claim it. */
  async #giveUp(roomId: string): Promise<void> {
    const { link, owned } = this.#parts;
    if (!this.#mine.delete(roomId)) return;
    owned.set(roomId, null);
    const where = { field: OWNER, is: link.node };
    await link.state.changeFields(roomKey(roomId), { where, remove: [OWNER, PEOPLE], lifeMs: CLAIM_MS });
  }

  /** Renews the claim of a room. Forgets a room that another node has claimed, and returns false. */
  async #isKept(roomId: string): Promise<boolean> {
    const { owned, letGo, log } = this.#parts;
    const isKept = await this.#renew(roomId).catch((error: unknown) => {
      // The rooms of a node go on without the state.
      if (error instanceof StateUnreachable) return true;
      throw error;
    });
    if (isKept) return true;
    if (!this.#mine.delete(roomId)) return false;
    log.warn('another node has claimed a room of this one', { room: roomId });
    owned.set(roomId, null);
    letGo(roomId);
    return false;
  }

  /**
   * Returns false when another node owns the room. The state may have lost its keys, and then a node that was cut off
   * may have written an older claim first.
   */
  async #renew(roomId: string): Promise<boolean> {
    const { link, kept } = this.#parts;
    const { state, node } = link;
    const key = roomKey(roomId);
    const term = this.#mine.get(roomId)?.term ?? 0;
    if (this.#newestElsewhere(roomId).term > term) return false;
    const people = kept(roomId);
    const set = {
      [OWNER]: node,
      [TERM]: String(term),
      ...(people === null ? {} : { [PEOPLE]: JSON.stringify(people) }),
    };
    const change = { set, remove: people === null ? [PEOPLE] : [], lifeMs: CLAIM_MS };
    for (let owner: string | null = node; ;) {
      if (await state.changeFields(key, { ...change, where: { field: OWNER, is: owner } })) return true;
      const fields = await state.fields(key);
      owner = fields.get(OWNER) ?? null;
      // A node of a former version writes no term.
      const isNewer = !fields.has(TERM) || termOf(fields) >= term;
      if (owner !== null && owner !== node && isNewer) return false;
    }
  }
}

const termOf = (fields: ReadonlyMap<string, string>): number => Number(fields.get(TERM) ?? 0);

/** Returns whether no later attempt can continue the room: it is deleted, or another version wrote its participants. */
const isFinal = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  error instanceof v.ValiError ||
  (error instanceof CallError && error.code === ErrorCode.ERR_ROOM_DELETED);

/**
 * Returns the stored rooms of the database, of which this node writes only its own.
 *
 * @param save - writes the participants to the shared state. Resolves with false when another node owns the room.
 */
export function roomsWithOwners(rooms: RoomStore, save: (roomId: string) => Promise<boolean> | undefined): RoomStore {
  return {
    async save(record) {
      if ((await save(record.roomId)) !== false) await rooms.save(record);
    },
    find: (roomId) => rooms.find(roomId),
    query: (query) => rooms.query(query),
    countOpen: (userId) => rooms.countOpen(userId),
    emptyAll: (exchange) => rooms.emptyAll(exchange),
    saveStay: (stay) => rooms.saveStay(stay),
    stays: (roomId) => rooms.stays(roomId),
    forgetUser: (userId) => rooms.forgetUser(userId),
  };
}
