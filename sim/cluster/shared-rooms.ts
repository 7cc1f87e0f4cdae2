import type { Clock, Timer } from '../../src/common/clock.ts';
import type { Log } from '../exchange/logging/log.ts';
import { roomKey } from './keys.ts';
import type { NodeName, SharedTable } from './node-link.ts';
import type { OpenLink } from './open-link.ts';

const OWNER = 'owner';
/** The interval at which a node looks after the rooms that it owns. Milliseconds. */
const LOOK_MS = 30_000;
/** A node gives up a room without a use for this long. Milliseconds. */
const IDLE_MS = 60_000;
/** The life of a claim. A node renews it at each look. Milliseconds. */
const CLAIM_MS = 10 * LOOK_MS;

export interface SharedRoomsParts {
  readonly link: OpenLink;
  readonly clock: Clock;
  readonly log: Log;
  /** The rooms that nodes own, by id. */
  readonly owned: SharedTable;
  /** Returns whether the exchange of this node has participants, invitations or commands of a room. */
  readonly isUsed: (roomId: string) => boolean;
  /** Forgets a room that another node owns now, without a message. */
  readonly letGo: (roomId: string) => void;
}

/**
 * The owners of rooms. A room is stored in the database, and any node may load it. The first node that gets a command
 * about it claims it, and the others forward their commands there, until no device uses it any more. The participants of
 * a room end with its node, as with an exchange alone.
 */
export class SharedRooms {
  readonly #parts: SharedRoomsParts;
  /** When each room of this node was last used, by the monotonic clock. */
  readonly #mine = new Map<string, number>();
  /** The claims in progress. */
  readonly #claims = new Map<string, Promise<NodeName>>();
  readonly #ends: (() => void)[];

  constructor(parts: SharedRoomsParts) {
    this.#parts = parts;
    const { link, clock, log } = parts;
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
    ];
  }

  /** Resolves with the node that owns a room: this one, unless another one does. Rejects without the shared state. */
  async ownerOf(roomId: string): Promise<NodeName> {
    const { link, owned, clock } = this.#parts;
    if (this.#mine.has(roomId)) {
      this.#mine.set(roomId, clock.now());
      return link.node;
    }
    for (const node of owned.elsewhere(roomId).keys()) if (link.isAlive(node)) return node;
    const claim = this.#claims.get(roomId) ?? this.#claim(roomId).finally(() => this.#claims.delete(roomId));
    this.#claims.set(roomId, claim);
    return claim;
  }

  dispose(): void {
    for (const end of this.#ends) end();
  }

  async #claim(roomId: string): Promise<NodeName> {
    const { link, owned, clock } = this.#parts;
    const key = roomKey(roomId);
    const set = { [OWNER]: link.node };
    for (;;) {
      const owner = (await link.state.fields(key)).get(OWNER) ?? null;
      if (owner !== null && owner !== link.node && link.isAlive(owner)) return owner;
      const where = { field: OWNER, is: owner };
      if (!(await link.state.changeFields(key, { where, set, lifeMs: CLAIM_MS }))) continue;
      this.#mine.set(roomId, clock.now());
      owned.set(roomId, '');
      return link.node;
    }
  }

  /** Renews the claims of the rooms in use, and gives up the others. Forgets the rooms that other nodes have claimed. */
  async #look(): Promise<void> {
    const { link, owned, clock, isUsed, letGo, log } = this.#parts;
    for (const [roomId, usedAt] of [...this.#mine]) {
      const key = roomKey(roomId);
      if (!isUsed(roomId) && clock.now() - usedAt >= IDLE_MS) {
        this.#mine.delete(roomId);
        owned.set(roomId, null);
        await link.state.changeFields(key, {
          where: { field: OWNER, is: link.node },
          remove: [OWNER],
          lifeMs: CLAIM_MS,
        });
        continue;
      }
      if (await this.#renew(key)) continue;
      log.warn('another node has claimed a room of this one', { room: roomId });
      this.#mine.delete(roomId);
      owned.set(roomId, null);
      letGo(roomId);
    }
  }

  /** Returns false when another node owns the room. */
  async #renew(key: string): Promise<boolean> {
    const { link } = this.#parts;
    const set = { [OWNER]: link.node };
    const renew = (is: string | null) =>
      link.state.changeFields(key, { where: { field: OWNER, is }, set, lifeMs: CLAIM_MS });
    // The state may have lost its keys.
    return (await renew(link.node)) || (await renew(null));
  }
}
