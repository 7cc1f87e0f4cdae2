/** The contract of every store of rooms. Each case has separate users and rooms. */
import type { Store } from '../../../sim/exchange/store.ts';
import type { RoomPage, RoomQuery, RoomRecord, RoomStay } from '../../../sim/exchange/rooms/room-store.ts';
import { check, checkEqual, type ContractSuite } from '../ports/contract.ts';

let made = 0;
const fresh = (what: string) => `${what}-${process.pid}-${String((made += 1)).padStart(4, '0')}`;
const EXCHANGE = fresh('exchange');
const AT = 1_767_225_600_000;

export const aRoom = (createdBy: string, more: Partial<RoomRecord> = {}): RoomRecord => ({
  roomId: fresh('room'),
  exchange: EXCHANGE,
  type: 'small_room_for_video',
  createdAt: AT,
  createdBy,
  items: { items: { topic: '晚餐' }, affectedAt: AT + 1 },
  sequence: 2 ** 40,
  participants: 0,
  deletedAt: null,
  ...more,
});

const aQuery = (createdBy: string, more: Partial<RoomQuery> = {}): RoomQuery => ({
  type: null,
  state: null,
  roomIds: [],
  createdBy: [createdBy],
  participants: [null, null],
  createdAt: [null, null],
  limit: 10,
  beside: null,
  ...more,
});

const idsOf = (page: RoomPage | undefined) => page?.rooms.map(({ roomId }) => roomId);

/** Saves so many rooms of a user, a second apart, and returns them, newest first. */
async function saved({ rooms }: Store, userId: string, count: number): Promise<RoomRecord[]> {
  const all = Array.from({ length: count }, (_, at) => aRoom(userId, { createdAt: AT + at * 1_000 }));
  for (const room of all) await rooms.save(room);
  return all.toReversed();
}

export const roomContract: ContractSuite<Store> = [
  {
    title: 'a room is found as it was saved last, open or deleted, and an unknown one is not',
    async run({ rooms }) {
      const room = aRoom(fresh('user'));
      await rooms.save(room);
      checkEqual(await rooms.find(room.roomId), room, 'the room');
      const later = {
        ...room,
        items: { items: {}, affectedAt: AT + 5 },
        sequence: 7,
        participants: 3,
        deletedAt: AT + 9,
      };
      await rooms.save(later);
      checkEqual(await rooms.find(room.roomId), later, 'the room after its change');
      check((await rooms.find('there-is-none')) === undefined, 'an unknown room is found');
    },
  },
  {
    title: 'a query finds rooms by type, state, ids, creators, participants and time',
    async run({ rooms }) {
      const [one, two] = [fresh('user'), fresh('user')];
      const first = aRoom(one, { participants: 1 });
      const second = aRoom(one, { type: 'large_room_for_audio_only', createdAt: AT + 10, participants: 3 });
      const third = aRoom(two, { createdAt: AT + 20, deletedAt: AT + 30 });
      for (const room of [first, second, third]) await rooms.save(room);
      const find = async (more: Partial<RoomQuery>) =>
        idsOf(await rooms.query(aQuery(one, { createdBy: [one, two], ...more })));
      const [a, b, c] = [first.roomId, second.roomId, third.roomId];
      checkEqual(await find({}), [c, b, a], 'all');
      checkEqual(await find({ createdBy: [two] }), [c], 'of one creator');
      checkEqual(await find({ createdBy: [], roomIds: [a, c, 'x'] }), [c, a], 'by ids');
      checkEqual(await find({ type: 'large_room_for_audio_only' }), [b], 'by type');
      checkEqual(await find({ state: 'open' }), [b, a], 'open');
      checkEqual(await find({ state: 'deleted' }), [c], 'deleted');
      checkEqual(await find({ participants: [1, null] }), [b, a], 'from 1 participant');
      checkEqual(await find({ participants: [null, 1] }), [c, a], 'up to 1 participant');
      checkEqual(await find({ participants: [1, 1] }), [a], 'with 1 participant');
      checkEqual(await find({ createdAt: [AT + 10, null] }), [c, b], 'from a time');
      checkEqual(await find({ createdAt: [null, AT + 10] }), [b, a], 'up to a time');
      checkEqual(await find({ createdAt: [AT + 1, AT + 9] }), [], 'between the times');
    },
  },
  {
    title: 'pages lead forwards and backwards through the wanted rooms, newest first',
    async run(store) {
      const { rooms } = store;
      const userId = fresh('user');
      const all = await saved(store, userId, 5);
      const ids = idsOf({ rooms: all, hasNext: false, hasPrevious: false }) ?? [];
      const ask = async (side: 'after' | 'before', at: number, more: Partial<RoomQuery> = {}) => {
        const page = await rooms.query(aQuery(userId, { limit: 2, beside: { roomId: ids[at] ?? '', side }, ...more }));
        return { ids: idsOf(page), hasPrevious: page?.hasPrevious, hasNext: page?.hasNext };
      };
      const first = await rooms.query(aQuery(userId, { limit: 2 }));
      checkEqual(first, { rooms: all.slice(0, 2), hasNext: true, hasPrevious: false }, 'the first page');
      checkEqual(await ask('after', 1), { ids: ids.slice(2, 4), hasPrevious: true, hasNext: true }, 'the second');
      checkEqual(await ask('after', 3), { ids: ids.slice(4), hasPrevious: true, hasNext: false }, 'the last');
      checkEqual(await ask('after', 4), { ids: [], hasPrevious: true, hasNext: false }, 'after the last');
      checkEqual(await ask('before', 4), { ids: ids.slice(2, 4), hasPrevious: true, hasNext: true }, 'backwards');
      checkEqual(await ask('before', 2), { ids: ids.slice(0, 2), hasPrevious: false, hasNext: true }, 'to the first');
      checkEqual(await ask('before', 0), { ids: [], hasPrevious: false, hasNext: true }, 'before the first');
      // The room of a cursor need not be wanted.
      const none = { type: 'large_room_for_video' } as const;
      checkEqual(await ask('after', 1, none), { ids: [], hasPrevious: false, hasNext: false }, 'of no type, after');
      checkEqual(await ask('before', 1, none), { ids: [], hasPrevious: false, hasNext: false }, 'of no type, before');
      const unknown = await rooms.query(aQuery(userId, { beside: { roomId: 'there-is-none', side: 'after' } }));
      check(unknown === undefined, 'a page beside an unknown room');
    },
  },
  {
    title: 'rooms of one moment are each on one page',
    async run({ rooms }) {
      const userId = fresh('user');
      const all = Array.from({ length: 5 }, () => aRoom(userId));
      for (const room of all) await rooms.save(room);
      const ids = idsOf({ rooms: all, hasNext: false, hasPrevious: false }) ?? [];
      const seen: string[] = [];
      for (let page = await rooms.query(aQuery(userId, { limit: 2 })); page;) {
        seen.push(...(idsOf(page) ?? []));
        const roomId = seen.at(-1) ?? '';
        page = page.hasNext
          ? await rooms.query(aQuery(userId, { limit: 2, beside: { roomId, side: 'after' } }))
          : undefined;
      }
      checkEqual(seen.toSorted(), ids.toSorted(), 'the rooms of all pages');
      const before = await rooms.query(aQuery(userId, { beside: { roomId: seen[4] ?? '', side: 'before' } }));
      checkEqual(idsOf(before), seen.slice(0, 4), 'the rooms before the last');
    },
  },
  {
    title: 'the open rooms of a user are counted',
    async run({ rooms }) {
      const [userId, other] = [fresh('user'), fresh('user')];
      check((await rooms.countOpen(userId)) === 0, 'no room');
      for (const room of [aRoom(userId), aRoom(userId), aRoom(userId, { deletedAt: AT }), aRoom(other)]) {
        await rooms.save(room);
      }
      check((await rooms.countOpen(userId)) === 2, 'two open rooms');
    },
  },
  {
    title: 'no room of an exchange has participants after all were emptied, and nothing else changes',
    async run({ rooms }) {
      const [full, empty] = [aRoom(fresh('user'), { participants: 5 }), aRoom(fresh('user'))];
      for (const room of [full, empty]) await rooms.save(room);
      await rooms.emptyAll(EXCHANGE);
      checkEqual(await rooms.find(full.roomId), { ...full, participants: 0 }, 'the full room');
      checkEqual(await rooms.find(empty.roomId), empty, 'the empty room');
    },
  },
  {
    title: 'the stays of a room are kept in the order of their entries, each once',
    async run({ rooms }) {
      const roomId = fresh('room');
      const aStay = (enteredAt: number, reason: string | null): RoomStay => ({
        participantId: fresh('participant'),
        roomId,
        userId: 'alice',
        clientId: 'alice-1',
        enteredAt,
        exitedAt: enteredAt + 5_000,
        duration: 4_999,
        reason,
      });
      const stays = [aStay(AT + 2, 'connection_lost'), aStay(AT, null), aStay(AT + 1, 'sibling_kicked')];
      for (const stay of stays) await rooms.saveStay(stay);
      for (const stay of stays) await rooms.saveStay({ ...stay, duration: 1 });
      await rooms.saveStay({ ...aStay(AT, null), roomId: fresh('room') });
      checkEqual(await rooms.stays(roomId), [stays[1], stays[2], stays[0]], 'the stays');
      checkEqual(await rooms.stays('there-is-none'), [], 'the stays of an unknown room');
    },
  },
  {
    title: 'a user who is erased leaves no stay, no empty room and no name',
    async run({ rooms }) {
      const [userId, other] = [fresh('user'), fresh('user')];
      const [empty, full, others] = [aRoom(userId), aRoom(userId, { participants: 2 }), aRoom(other)];
      for (const room of [empty, full, others]) await rooms.save(room);
      for (const by of [userId, other]) {
        const stay = { participantId: fresh('participant'), roomId: full.roomId, userId: by, clientId: 'one' };
        await rooms.saveStay({ ...stay, enteredAt: AT, exitedAt: AT + 1, duration: 1, reason: null });
      }
      await rooms.forgetUser(userId);
      check((await rooms.find(empty.roomId)) === undefined, 'the empty room remains');
      checkEqual(await rooms.find(full.roomId), { ...full, createdBy: '' }, 'the room with participants');
      checkEqual(await rooms.find(others.roomId), others, 'the room of another user');
      checkEqual(
        (await rooms.stays(full.roomId)).map((stay) => stay.userId),
        [other],
        'the stays',
      );
    },
  },
];
