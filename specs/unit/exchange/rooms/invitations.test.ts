/** Invitations into rooms, over the channel and over HTTP. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../../src/protocol/errors.ts';
import type { RoomCommandType } from '../../../../src/protocol/messages/rooms.ts';
import { AV, type Device } from '../exchange-fixture.ts';
import { codeOf, createRoomWorld, heard, lastOf, run, type Party, type RoomWorld, type Way } from './room-fixture.ts';

let world: RoomWorld;
let alice: Device;
let tablet: Device;
let bob: Device;
let phone: Device;
let carol: Device;
let room_id: string;
let party: Party;

async function open(options: Parameters<typeof createRoomWorld>[0] = {}) {
  world = createRoomWorld(options);
  const { device } = world.fixture;
  [alice, tablet] = [await device('alice'), await device('alice', 'alice-tablet')];
  [bob, phone] = [await device('bob'), await device('bob', 'bob-phone')];
  carol = await device('carol');
  room_id = await world.create(alice);
  party = await world.enter(alice, room_id);
}
beforeEach(() => open());

const types = (device: Device) => heard(device).map((one) => one.replace('0 invitation_', ''));
const send = (invitee_id = 'bob', way: Way = 'channel', by = alice) =>
  run(by, 'invitation_send', { room_id, invitee_id }, way);
const user = (user_id: string) => expect.objectContaining({ user_id, nickname: user_id });

describe.each<Way>(['channel', 'http'])('by %s', (way) => {
  it('INV-01 RM-23 ENT-08 HTTP-17: every device of the invitee gets the invitation with its own token', async () => {
    const answer = await send('bob', way);
    expect(answer).toEqual({
      room: expect.objectContaining({
        room_id,
        current_participants: [expect.objectContaining({ user: user('alice') })],
      }),
      inviter: user('alice'),
      invitee: user('bob'),
    });
    const tokens = [bob, phone].map((device) => {
      const { short_lived_token, ...rest } = lastOf(device, 'invitation_sent');
      expect(rest).toMatchObject({ room: { room_id }, inviter: { user_id: 'alice' }, invitee: { user_id: 'bob' } });
      return short_lived_token;
    });
    expect(new Set(tokens).size).toBe(2);
    expect([alice, tablet, carol].map(types)).toEqual([[], [], []]);
    // A number counts the events of a room. This one is no event of it.
    expect((await run(alice, 'room_get', { room_id })).room.sequence_number).toBe(1);
  });

  it('INV-01 RM-23: a canceled invitation ends for the invitee and for the other devices of the inviter', async () => {
    await send();
    expect(await run(alice, 'invitation_cancel', { room_id, invitee_id: 'bob' }, way)).toMatchObject({
      invitee: { user_id: 'bob' },
    });
    expect([alice, tablet, bob, phone].map(types)).toEqual([
      [],
      ['canceled'],
      ['sent', 'canceled'],
      ['sent', 'canceled'],
    ]);
    const none = ErrorCode.ERR_NO_PERMISSION;
    expect(await codeOf(alice, 'invitation_cancel', { room_id, invitee_id: 'bob' }, way)).toBe(none);
    expect(await codeOf(bob, 'invitation_accept', { room_id, inviter_id: 'alice' }, way)).toBe(none);
  });

  it.each(['accept', 'decline'] as const)(
    'INV-02 RM-23: to %s notifies the inviter and the other devices of the invitee, once',
    async (action) => {
      await send();
      const type: RoomCommandType = `invitation_${action}`;
      const answer = await run(bob, type, { room_id, inviter_id: 'alice' }, way);
      expect(answer).toMatchObject({ room: { room_id }, inviter: { user_id: 'alice' }, invitee: { user_id: 'bob' } });
      const done = action === 'accept' ? 'accepted' : 'declined';
      expect([alice, tablet, bob, phone].map(types)).toEqual([[done], [done], ['sent'], ['sent', done]]);
      expect(await codeOf(phone, type, { room_id, inviter_id: 'alice' }, way)).toBe(ErrorCode.ERR_NO_PERMISSION);
      world.fixture.clock.advance(0);
    },
  );

  it('INV-02 RM-23: the inviter learns that a device got the invitation', async () => {
    await send();
    await run(phone, 'invitation_receive', { room_id, inviter_id: 'alice' }, way);
    expect([alice, tablet, bob].map(types)).toEqual([['received'], ['received'], ['sent']]);
    await run(bob, 'invitation_accept', { room_id, inviter_id: 'alice' });
    expect(await codeOf(phone, 'invitation_receive', { room_id, inviter_id: 'alice' }, way)).toBe(
      ErrorCode.ERR_NO_PERMISSION,
    );
  });

  it('B60 S06: invites neither oneself nor an unknown user, and no stranger invites, cancels or answers', async () => {
    const invite = (by: Device, invitee_id: string) => codeOf(by, 'invitation_send', { room_id, invitee_id }, way);
    expect(await invite(alice, 'alice')).toBe(ErrorCode.ERR_DIAL_MYSELF);
    expect(await invite(alice, 'there-is-none')).toBe(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST);
    expect(await invite(alice, 'dave'), 'a user who never logged in').toBe(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
    expect(await invite(carol, 'bob')).toBe(ErrorCode.ERR_NO_PERMISSION);
    await send();
    const none = ErrorCode.ERR_NO_PERMISSION;
    for (const inviter_id of ['alice', 'there-is-none']) {
      for (const type of ['invitation_accept', 'invitation_decline', 'invitation_receive'] as const) {
        expect(await codeOf(carol, type, { room_id, inviter_id }, way)).toBe(none);
      }
    }
    for (const invitee_id of ['bob', 'there-is-none']) {
      expect(await codeOf(carol, 'invitation_cancel', { room_id, invitee_id }, way)).toBe(none);
    }
    expect([alice, carol].map(types)).toEqual([[], []]);
    await world.enter(carol, room_id);
    expect(await invite(carol, 'bob')).toBe(0);
  });
});

describe('INV-03 the report over HTTP with the short-lived token', () => {
  const put = (token: string, body: object, headers: object = { 'x-client-id': 'bob-1' }, id = room_id) =>
    world.fixture.http('PUT', `/v1/rooms/${id}/invitation`, {
      headers: { ...headers, 'x-short-lived-token': token },
      body,
    });
  const receive = { action: 'receive', inviter_id: 'alice' };
  const tokenOf = (device: Device): string => lastOf(device, 'invitation_sent').short_lived_token;

  it('INV-03 HTTP-02 I12: needs no session, has one effect, and a repeated report gets the same answer', async () => {
    await send();
    const first = await put(tokenOf(bob), receive);
    expect(first).toMatchObject({ status: 200, body: { invitee: { user_id: 'bob' } } });
    expect(types(alice)).toEqual(['received']);
    expect(await put(tokenOf(bob), receive)).toEqual(first);
    await run(bob, 'invitation_accept', { room_id, inviter_id: 'alice' });
    expect(await put(tokenOf(bob), receive)).toEqual(first);
    expect(types(alice)).toEqual(['received', 'accepted']);
    // The report of the other device has a separate token. Its invitation has ended.
    expect(await put(tokenOf(phone), receive)).toMatchObject({
      status: 403,
      body: { code: ErrorCode.ERR_NO_PERMISSION },
    });
  });

  it('B60: a token that was used for one inviter is refused for another', async () => {
    await world.enter(carol, room_id);
    await send();
    const token = tokenOf(bob);
    await send('bob', 'channel', carol);
    expect(await put(token, receive)).toMatchObject({ status: 200 });
    expect(await put(token, { ...receive, inviter_id: 'carol' })).toMatchObject({ status: 401 });
    expect(types(carol)).toEqual([]);
  });

  it('B60: a token that is invented, expired, of another room or for another action is refused, and no event is sent', async () => {
    await send();
    const other = await world.create(alice);
    await run(alice, 'invitation_send', { room_id: other, invitee_id: 'bob' });
    const ofOther = tokenOf(bob);
    for (const action of ['accept', 'decline']) {
      expect(await put(tokenOf(phone), { ...receive, action })).toMatchObject({ status: 401 });
    }
    expect(await put(ofOther, receive)).toMatchObject({ status: 401 });
    expect(await put('made-up', receive)).toMatchObject({ status: 401 });
    expect(await put(tokenOf(phone), { ...receive, action: 'steal' })).toMatchObject({ status: 400 });
    const bare = { headers: { 'x-client-id': 'bob-1' }, body: receive };
    expect(await world.fixture.http('PUT', `/v1/rooms/${room_id}/invitation`, bare)).toMatchObject({ status: 401 });
    world.fixture.clock.advance(60_000);
    await run(alice, 'room_alive', party.me).catch(() => undefined);
    expect(await put(tokenOf(phone), receive, {}, other)).toMatchObject({ status: 401 });
    expect(types(alice).filter((type) => type === 'received')).toEqual([]);
  });
});

describe('a pending invitation', () => {
  it('rings each device that connects, until it is answered', async () => {
    await send();
    const late = await world.fixture.device('bob', 'bob-late');
    expect(types(late)).toEqual(['sent']);
    phone.disconnect();
    await phone.connect();
    expect(types(phone)).toEqual(['sent', 'sent']);
    await run(late, 'invitation_accept', { room_id, inviter_id: 'alice' });
    expect(types(await world.fixture.device('bob', 'bob-last'))).toEqual([]);
    expect(types(await world.fixture.device('carol', 'carol-2'))).toEqual([]);
  });

  it('is canceled after five minutes for both users, also when its room is empty, which then leaves the memory', async () => {
    await send();
    await run(alice, 'room_exit', party.me);
    world.fixture.clock.advance(299_999);
    expect(types(bob)).toEqual(['sent']);
    world.fixture.clock.advance(1);
    expect([alice, tablet, bob, phone].map((device) => types(device).at(-1))).toEqual(Array(4).fill('canceled'));
    expect(world.fixture.clock.pending).toBe(0);
  });

  it('is replaced by a second one of the same users, which has its whole time', async () => {
    await send();
    await run(alice, 'room_exit', party.me);
    world.fixture.clock.advance(200_000);
    await send();
    world.fixture.clock.advance(299_999);
    expect(types(bob)).toEqual(['sent', 'sent']);
    world.fixture.clock.advance(1);
    expect(types(bob)).toEqual(['sent', 'sent', 'canceled']);
  });

  it('ends with its room, and says that the room is deleted', async () => {
    await send();
    await run(alice, 'room_delete', { room_id });
    expect(types(bob)).toEqual(['sent', 'canceled']);
    expect(lastOf(bob, 'invitation_canceled').room).toMatchObject({ state: 'deleted', current_participants: [] });
    expect(types(tablet)).toEqual(['canceled']);
    expect(await codeOf(bob, 'invitation_accept', { room_id, inviter_id: 'alice' })).toBe(ErrorCode.ERR_ROOM_DELETED);
    expect(world.fixture.clock.pending).toBe(0);
  });

  it('ends when the users may not meet any more, and when one of them is removed', async () => {
    await send();
    await send('carol');
    world.fixture.exchange.endCallsBetween('bob', 'carol');
    expect([bob, carol].map(types)).toEqual([['sent'], ['sent']]);
    world.fixture.exchange.endCallsBetween('bob', 'alice');
    expect([bob, carol].map(types)).toEqual([['sent', 'canceled'], ['sent']]);
    world.fixture.exchange.removeUser('carol');
    expect(types(carol)).toEqual(['sent', 'canceled']);
  });

  it('ends when the exchange stops', async () => {
    await send();
    world.fixture.exchange.close();
    expect(types(bob)).toEqual(['sent', 'canceled']);
    expect(world.fixture.clock.pending).toBe(0);
  });
});

describe('the host', () => {
  it('learns of an invitation that reaches no device, so that it can push it', async () => {
    const seen: unknown[] = [];
    world.fixture.exchange.subscribe((event) => void (event.kind === 'invited' && seen.push(event)));
    await send();
    expect(seen).toEqual([]);
    (await world.fixture.device('dave')).disconnect();
    await send('dave');
    expect(seen).toEqual([
      { kind: 'invited', roomId: room_id, inviteeId: 'dave', inviter: user('alice'), roomType: 'small_room_for_video' },
    ]);
  });

  it('decides about each invitation, and what changed meanwhile counts', async () => {
    const questions: unknown[] = [];
    let decide: (isAllowed: boolean) => void = () => undefined;
    const mayInvite = (question: unknown) => {
      questions.push(question);
      return new Promise<boolean>((resolve) => {
        decide = resolve;
      });
    };
    await open({ policy: { mayInvite } });
    const ask = (by = alice) => codeOf(by, 'invitation_send', { room_id, invitee_id: 'bob' });
    const answered = async (code: Promise<number>, isAllowed: boolean, meanwhile?: () => Promise<unknown>) => {
      for (let at = 0; at < 50; at += 1) await Promise.resolve();
      await meanwhile?.();
      decide(isAllowed);
      return code;
    };
    expect(await answered(ask(), false)).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(types(bob)).toEqual([]);
    expect(await answered(ask(), true)).toBe(0);
    expect(types(bob)).toEqual(['sent']);
    expect(questions).toEqual([1, 2].map(() => ({ inviter: 'alice', invitee: 'bob' })));
    const guest = await world.enter(carol, room_id);
    expect(await answered(ask(carol), true, () => run(carol, 'room_exit', guest.me))).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(await answered(ask(), true, () => run(alice, 'room_delete', { room_id }))).toBe(ErrorCode.ERR_ROOM_DELETED);
    expect(types(bob)).toEqual(['sent', 'canceled']);
  });

  it('may decide while the exchange begins to drain, which then sends no invitation', async () => {
    let decide: (isAllowed: boolean) => void = () => undefined;
    await open({ policy: { mayInvite: () => new Promise<boolean>((resolve) => (decide = resolve)) } });
    const code = codeOf(alice, 'invitation_send', { room_id, invitee_id: 'bob' });
    for (let at = 0; at < 50; at += 1) await Promise.resolve();
    world.fixture.exchange.drain();
    decide(true);
    expect(await code).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    expect(types(bob)).toEqual([]);
  });

  it('may decide about an empty room, which other commands leave in memory meanwhile', async () => {
    let decide: (isAllowed: boolean) => void = () => undefined;
    await open({ policy: { mayInvite: () => new Promise<boolean>((resolve) => (decide = resolve)) } });
    await run(alice, 'room_exit', party.me);
    await world.fixture.exchange.kept();
    const code = codeOf(alice, 'invitation_send', { room_id, invitee_id: 'bob' });
    for (let at = 0; at < 50; at += 1) await Promise.resolve();
    await run(carol, 'room_get', { room_id });
    decide(true);
    expect(await code).toBe(0);
    expect(await codeOf(bob, 'invitation_accept', { room_id, inviter_id: 'alice' })).toBe(0);
  });
});

it('S14: a user has a limited number of pending invitations, and of invitations in a time', async () => {
  await open({ settings: { invitationsPerUser: 1 } });
  const other = await world.create(alice);
  await send();
  const busy = ErrorCode.ERR_SERVER_INTERNAL_ERROR;
  const inOther = { room_id: other, invitee_id: 'carol' };
  expect(await codeOf(alice, 'invitation_send', inOther)).toBe(busy);
  // A replaced invitation counts once.
  await send();
  await world.enter(carol, room_id);
  await send('bob', 'channel', carol);
  await run(alice, 'invitation_cancel', { room_id, invitee_id: 'bob' });
  expect(await codeOf(alice, 'invitation_send', inOther)).toBe(0);
  // Dials and invitations have separate rate limits.
  const one = { burst: 1, perSecond: 0.001 };
  await open({ settings: { invitations: one, dials: one } });
  await send();
  expect(await codeOf(alice, 'invitation_send', { room_id, invitee_id: 'carol' })).toBe(busy);
  expect(types(carol)).toEqual([]);
  const dial = { is_video_call: false, constraints: AV, capabilities: [] };
  expect(alice.send('dial', { callee_id: 'bob', ...dial }).error).toBeUndefined();
  expect(alice.send('dial', { callee_id: 'bob', ...dial }).error).toMatchObject({ code: busy });
  expect(await codeOf(bob, 'invitation_send', { room_id, invitee_id: 'carol' })).toBe(ErrorCode.ERR_NO_PERMISSION);
});

describe('S14: the invitations of one user to another', () => {
  const roomsOf = (device: Device, type: string) =>
    device.roomEvents.flatMap((event) =>
      event.type === `invitation_${type}` ? [(event.payload as { room: { room_id: string } }).room.room_id] : [],
    );

  it('S14: are the newest ten, into different rooms: a further one cancels the oldest for both users', async () => {
    const rooms = [room_id];
    for (let at = 0; at < 11; at += 1) rooms.push(await world.create(alice));
    const invite = (id: string, invitee_id = 'bob') => run(alice, 'invitation_send', { room_id: id, invitee_id });
    for (const id of rooms.slice(0, 10)) await invite(id);
    await invite(rooms[0] ?? '', 'carol');
    // The second one into a room is the newest, and counts once.
    await invite(rooms[0] ?? '');
    expect(roomsOf(bob, 'canceled')).toEqual([]);
    for (const id of rooms.slice(10)) await invite(id);
    expect(roomsOf(bob, 'canceled')).toEqual(rooms.slice(1, 3));
    expect(roomsOf(tablet, 'canceled')).toEqual(rooms.slice(1, 3));
    const late = await world.fixture.device('bob', 'bob-late');
    expect(roomsOf(late, 'sent')).toEqual([...rooms.slice(3, 10), rooms[0], ...rooms.slice(10)]);
    expect(types(carol)).toEqual(['sent']);
    expect(
      await codeOf(bob, 'invitation_accept', { room_id: rooms[1] ?? '', inviter_id: 'alice' }),
      'an invitation that was canceled',
    ).toBe(ErrorCode.ERR_NO_PERMISSION);
  });

  it('S14: a device that connects rings for a limited number of invitations, the newest', async () => {
    await open({ settings: { invitationsRung: 2 } });
    await world.enter(carol, room_id);
    const other = await world.create(alice);
    await send();
    await run(alice, 'invitation_send', { room_id: other, invitee_id: 'bob' });
    await send('bob', 'channel', carol);
    const late = await world.fixture.device('bob', 'bob-late');
    expect(late.roomEvents.map(({ payload }) => payload)).toMatchObject([
      { room: { room_id: other }, inviter: { user_id: 'alice' } },
      { room: { room_id }, inviter: { user_id: 'carol' } },
    ]);
    expect(await codeOf(late, 'invitation_accept', { room_id, inviter_id: 'alice' })).toBe(0);
  });
});
