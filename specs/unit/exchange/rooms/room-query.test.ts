/** The query of rooms over HTTP: every filter, both cursors, and what it refuses. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { LIMITS } from '../../../../src/protocol/limits.ts';
import { roomList } from '../../../../src/protocol/room-entities.ts';
import * as v from 'valibot';
import type { Device } from '../exchange-fixture.ts';
import { createRoomWorld, GUESTS, run, type RoomWorld } from './room-fixture.ts';

const START = Date.UTC(2026, 0, 1);
let world: RoomWorld;
let alice: Device;
let bob: Device;
beforeEach(async () => {
  world = createRoomWorld();
  [alice, bob] = [await world.fixture.device('alice'), await world.fixture.device('bob')];
});

const ask = (query: Record<string, string>) =>
  world.fixture.http('GET', '/v1/rooms', { headers: alice.headers, query });
async function page(query: Record<string, string> = {}) {
  const { status, body } = await ask(query);
  expect(status, JSON.stringify(body)).toBe(200);
  const { rooms: found, next, prev } = v.parse(roomList, body);
  return { ids: found.map(({ room_id }) => room_id), next, prev };
}
/** Creates rooms a second apart, and returns their ids, newest first. */
async function createRooms(count: number, by = alice): Promise<string[]> {
  const made: string[] = [];
  for (let at = 0; at < count; at += 1) {
    made.unshift(await world.create(by));
    world.fixture.clock.advance(1_000);
  }
  return made;
}

describe('HTTP-05 the filters', () => {
  it('HTTP-05: type, state and creator', async () => {
    const small = await world.create(alice, 'small_room_for_video');
    const large = await world.create(bob, 'large_room_for_audio_only');
    const gone = await world.create(bob, 'small_room_for_video');
    await world.enter(bob, gone);
    await run(bob, 'room_delete', { room_id: gone });
    expect((await page()).ids.toSorted()).toEqual([small, large, gone].toSorted());
    expect((await page({ type: 'large_room_for_audio_only' })).ids).toEqual([large]);
    expect((await page({ state: 'deleted' })).ids).toEqual([gone]);
    expect((await page({ state: 'open' })).ids.toSorted()).toEqual([small, large].toSorted());
    expect((await page({ created_by_user_ids: 'alice' })).ids).toEqual([small]);
    expect((await page({ created_by_user_ids: 'alice,bob,,alice', state: 'open' })).ids).toHaveLength(2);
    expect((await page({ created_by_user_ids: 'carol' })).ids).toEqual([]);
  });

  it('HTTP-05: ids, the number of participants and the time of creation, with both bounds included', async () => {
    const [third = '', second = '', first = ''] = await createRooms(3);
    expect((await page({ room_ids: `${first},${third},x` })).ids).toEqual([third, first]);
    await world.enter(alice, second);
    await world.enter(bob, second);
    await world.enter(bob, third);
    const range = (gte: string, lte: string) => ({
      ...(gte && { current_participant_range_gte: gte }),
      ...(lte && { current_participant_range_lte: lte }),
    });
    expect((await page(range('1', '1'))).ids).toEqual([third]);
    expect((await page(range('1', ''))).ids).toEqual([third, second]);
    expect((await page(range('', '1'))).ids).toEqual([third, first]);
    expect((await page(range('2', '2'))).ids).toEqual([second]);
    const dates = (from: number, to: number) => ({
      created_at_start_date: String(START + from),
      created_at_end_date: String(START + to),
    });
    expect((await page(dates(1_000, 2_000))).ids).toEqual([third, second]);
    expect((await page(dates(0, 999))).ids).toEqual([first]);
    expect((await page(dates(1_001, 1_999))).ids).toEqual([]);
  });

  it('ENT-09: an answer has the rooms with their participants, and both cursors', async () => {
    const [room_id = ''] = await createRooms(1);
    await world.enter(alice, room_id);
    const { body } = await ask({});
    expect(Object.keys(body)).toEqual(['rooms', 'prev', 'next']);
    expect(body.rooms).toEqual([(await run(alice, 'room_get', { room_id })).room]);
    expect(body.rooms[0].current_participants).toMatchObject([{ is_local_participant: true }]);
  });
});

describe('HTTP-05 the cursors', () => {
  it('HTTP-05: lead through all rooms, forwards and backwards, newest first', async () => {
    const all = await createRooms(7);
    const first = await page({ limit: '3' });
    expect(first).toEqual({ ids: all.slice(0, 3), prev: null, next: all[2] });
    const second = await page({ limit: '3', next: first.next ?? '' });
    expect(second).toEqual({ ids: all.slice(3, 6), prev: all[3], next: all[5] });
    const third = await page({ limit: '3', next: second.next ?? '' });
    expect(third).toEqual({ ids: all.slice(6), prev: all[6], next: null });
    expect(await page({ limit: '3', prev: third.prev ?? '' })).toEqual(second);
    expect(await page({ limit: '3', prev: second.prev ?? '' })).toEqual(first);
    expect(await page({ limit: '2', prev: all[3] ?? '' })).toEqual({
      ids: all.slice(1, 3),
      prev: all[1],
      next: all[2],
    });
    expect(await page({ next: all[6] ?? '' })).toEqual({ ids: [], prev: null, next: null });
  });

  it('rooms of one moment are on one page each', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => world.create(alice)));
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const found: Awaited<ReturnType<typeof page>> = await page({ limit: '2', ...(next === null ? {} : { next }) });
      seen.push(...found.ids);
      next = found.next;
    } while (next !== null);
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  it('pages that filters leave empty have none', async () => {
    const all = await createRooms(3);
    expect(await page({ next: all[0] ?? '', type: 'large_room_for_video' })).toEqual({
      ids: [],
      prev: null,
      next: null,
    });
    expect(await page({ prev: all[2] ?? '', type: 'large_room_for_video' })).toEqual({
      ids: [],
      prev: null,
      next: null,
    });
  });
});

describe('the page', () => {
  it('QRY-02 B21: has 10 rooms, or a limit that is clamped to 1 to 100', async () => {
    world = createRoomWorld({ settings: { roomsPerUser: 200 } });
    alice = await world.fixture.device('alice');
    await createRooms(102);
    const sizeOf = async (query: Record<string, string>) => (await page(query)).ids.length;
    expect(await sizeOf({})).toBe(10);
    expect(await Promise.all(['0', '-5', '1', '100', '101', '1e9'].map((limit) => sizeOf({ limit })))).toEqual([
      1, 1, 1, 100, 100, 100,
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['limit=abc', { limit: 'abc' }, 'limit'],
    ['two limits', { limit: '5,6' }, 'limit'],
    ['an empty limit', { limit: '' }, 'limit'],
    ['a broken limit', { limit: '1.5' }, 'limit'],
    ['an unknown type', { type: 'huge' }, 'type'],
    ['an unknown state', { state: 'closed' }, 'state'],
    [
      'reversed participants',
      { current_participant_range_gte: '3', current_participant_range_lte: '2' },
      'current_participant_range_gte',
    ],
    ['reversed dates', { created_at_start_date: '2', created_at_end_date: '1' }, 'created_at_start_date'],
    ['participants below zero', { current_participant_range_lte: '-1' }, 'current_participant_range_lte'],
    ['more participants than 32 bits', { current_participant_range_gte: '3e9' }, 'current_participant_range_gte'],
    ['half a participant', { current_participant_range_lte: '1.5' }, 'current_participant_range_lte'],
    ['a date that is no number', { created_at_end_date: 'today' }, 'created_at_end_date'],
    ['a broken date', { created_at_start_date: '1.5' }, 'created_at_start_date'],
    ['a date beyond all dates', { created_at_end_date: '1e300' }, 'created_at_end_date'],
    ['a NUL character in a room id', { room_ids: 'a\0b' }, 'room_ids'],
    ['a NUL character in a creator', { created_by_user_ids: 'a\0b' }, 'created_by_user_ids'],
    ['a NUL character in a cursor', { next: 'a\0b' }, 'next'],
    ['10 000 room ids', { room_ids: Array.from({ length: 10_000 }, (_, at) => at).join(',') }, 'room_ids'],
    [
      '101 creators',
      { created_by_user_ids: Array.from({ length: 101 }, (_, at) => at).join(',') },
      'created_by_user_ids',
    ],
    ['both cursors', { next: 'a', prev: 'b' }, 'prev'],
    ['a cursor of no room', { next: 'there-is-none' }, 'next'],
    ['a backward cursor of no room', { prev: 'there-is-none' }, 'prev'],
  ])('B56 HTTP-05: %s is refused with 400 and the parameter', async (_, query, parameter) => {
    const { status, body } = await ask(query);
    expect([status, body.code]).toEqual([400, ErrorCode.INVALID_PARAMETER_VALUE]);
    expect(body.message).toContain(parameter);
  });

  it('accepts a range of one value, and 100 ids', async () => {
    const room_ids = Array.from({ length: 100 }, (_, at) => at).join(',');
    await page({ room_ids, created_at_start_date: '1', created_at_end_date: '1' });
    await page({ current_participant_range_gte: '2', current_participant_range_lte: '2' });
  });

  it('is cut where the library could not read it, and its cursor continues there', async () => {
    const long = (user_id: string) => ({ user_id, nickname: 'n'.repeat(300), profile_url: 'u'.repeat(3_000) });
    world = createRoomWorld({ users: ['alice', ...GUESTS].map(long) });
    alice = await world.fixture.device('alice');
    const all = await createRooms(60);
    const devices = await Promise.all(GUESTS.slice(0, 6).map((guest) => world.fixture.device(guest)));
    for (const room_id of all) for (const device of devices) await world.enter(device, room_id);
    const answer = await ask({ limit: '100' });
    expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThanOrEqual(LIMITS.httpBodyBytes);
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const found: Awaited<ReturnType<typeof page>> = await page({ limit: '100', ...(next === null ? {} : { next }) });
      expect(found.ids.length).toBeLessThan(60);
      seen.push(...found.ids);
      next = found.next;
    } while (next !== null);
    expect(seen).toEqual(all);
    const back: string[] = [];
    let prev: string | null = all.at(-1) ?? null;
    while (prev !== null) {
      const found: Awaited<ReturnType<typeof page>> = await page({ limit: '100', prev });
      back.unshift(...found.ids);
      prev = found.prev;
    }
    expect(back).toEqual(all.slice(0, -1));
  });
});
