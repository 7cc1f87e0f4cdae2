/** What hosts do with rooms, and what they pass: the public behaviour of rooms in virtual time. */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/calls/client/client.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';
import type { RoomInvitation, RoomParams } from '../../../src/calls/room/room.ts';
import type { RoomListQueryParams } from '../../../src/calls/room/room-list-query.ts';
import * as roomsPart from '../../../src/calls/room/rooms-part.ts';
import { ROOM_TYPES } from '../../../src/protocol/room-entities.ts';
import { lazyPart } from '../../../src/common/lazy-part.ts';
import { callWorld, type CallWorld, type MediaPeer } from './support/call-world.ts';
import { codeOf, entering, follow, hosting, thrown, usersIn } from './support/room-world.ts';

const VIDEO: RoomParams = { roomType: 'small_room_for_video' };

async function twoInRoom() {
  const world = await callWorld();
  const alice = await hosting(world, await world.party('alice'));
  const bob = await entering(world, await world.party('bob'), alice);
  return { world, alice, bob };
}

describe('hosts', () => {
  test('ENT-02 ENT-05: read a room and its participants, which they spread, serialise and freeze', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.advance(2_000);
    const { room } = bob;
    const copy = { ...room, participants: room.participants, customItems: room.customItems };
    expect([Object.keys({ ...room }), copy.participants.length]).toEqual([[], 2]);
    expect(JSON.parse(JSON.stringify(room))).toMatchObject({
      roomId: alice.room.roomId,
      roomType: 'small_room_for_video',
      state: 'open',
      createdBy: 'alice',
      createdAt: expect.any(Number),
      customItems: {},
      participants: [
        {
          user: { userId: 'alice', nickname: 'alice' },
          isLocalParticipant: false,
          state: 'connected',
          isAudioEnabled: true,
        },
        { user: { userId: 'bob' }, isLocalParticipant: true, state: 'connected', isVideoEnabled: true, exitedAt: null },
      ],
    });
    for (const one of [...room.participants, room, alice.peer.client.currentUser]) Object.freeze(one);
    room.localParticipant?.muteMicrophone();
    await world.settle();
    expect(alice.room.remoteParticipants).toMatchObject([{ isAudioEnabled: false }]);
    const [remote] = alice.room.remoteParticipants;
    const before = remote?.duration ?? 0;
    await world.advance(3_000);
    // Whole seconds, as in the message of the exchange.
    expect(remote?.duration).toBe(before + 3);
    room.exit();
    await world.advance(1_000);
    expect(remote).toMatchObject({ state: 'exited', duration: expect.any(Number), exitedAt: expect.any(Number) });
    const after = remote?.duration;
    await world.advance(1_000);
    expect(remote?.duration).toBe(after);
    alice.room.exit();
  });

  test('find the others and themselves when the enter resolves, by the same objects as in events', async () => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'));
    const bob = await world.party('bob');
    const { room } = follow(bob, await world.done(bob.client.fetchRoomById(alice.room.roomId)));
    expect([room.localParticipant, room.remoteParticipants.map(({ user }) => user.userId)]).toEqual([
      undefined,
      ['alice'],
    ]);
    let found: unknown[] = [];
    const done = room.enter().then(() => {
      found = [room.localParticipant?.user.userId, usersIn({ peer: bob, room, told: [] })];
    });
    const seen: unknown[] = [];
    alice.room.on('remoteParticipantEntered', (one) => seen.push(one));
    await world.done(done);
    expect([found, seen]).toEqual([['bob', ['bob', 'alice']], alice.room.remoteParticipants]);
    expect(seen[0]).toBe(alice.room.remoteParticipants[0]);
    expect(alice.room.participants[0]).toBe(alice.room.localParticipant);
    alice.room.exit();
    room.exit();
  });

  test('add the same listeners again, and one that throws affects no other', async () => {
    const { world, alice, bob } = await twoInRoom();
    const ran: string[] = [];
    const again = () => ran.push('again');
    const last = () => ran.push('last');
    const { room } = alice;
    room.on('remoteAudioSettingsChanged', () => {
      ran.push('throws');
      throw new Error('a host');
    });
    room.on('remoteAudioSettingsChanged', again).on('remoteAudioSettingsChanged', again);
    room.once('remoteAudioSettingsChanged', () => ran.push('once')).on('remoteAudioSettingsChanged', last);
    bob.room.localParticipant?.muteMicrophone();
    await world.settle();
    expect(ran).toEqual(['throws', 'again', 'again', 'once', 'last']);
    ran.length = 0;
    room.on('remoteAudioSettingsChanged', again);
    room.off('remoteAudioSettingsChanged', again).off('remoteAudioSettingsChanged', () => undefined);
    bob.room.localParticipant?.unmuteMicrophone();
    await world.settle();
    expect(ran).toEqual(['throws', 'again', 'again', 'last']);
    ran.length = 0;
    room.removeAllListeners('remoteAudioSettingsChanged');
    bob.room.localParticipant?.muteMicrophone();
    await world.settle();
    expect([ran, alice.told.filter((line) => line.startsWith('remoteAudio')).length]).toEqual([[], 2]);
    room.removeAllListeners();
    bob.room.exit();
    await world.settle();
    expect(alice.told.filter((line) => line.startsWith('remoteParticipantExited'))).toEqual([]);
    expect(alice.peer.errors().every((line) => line.includes('of the host threw'))).toBe(true);
    room.exit();
  });

  test('leave the room, or sign out, in a listener', async () => {
    const { world, alice, bob } = await twoInRoom();
    alice.room.on('remoteAudioSettingsChanged', () => {
      alice.room.exit();
      expect(alice.room.localParticipant).toBeUndefined();
    });
    bob.room.localParticipant?.muteMicrophone();
    await world.settle();
    expect(usersIn(bob)).toEqual(['bob']);
    bob.room.on('deleted', () => bob.peer.client.deauthenticate());
    // The sign-out ends the request, whose event has arrived.
    expect(await codeOf(world.done(bob.room.delete()))).toBe(1_800_204);
    expect(bob.room.state).toBe('deleted');
    expect(bob.peer.client.currentUser).toBeNull();
  });

  test('set views on every render, before media exists and after the exit, and none throws', async () => {
    const world = await callWorld();
    const bob = await hosting(world, await world.party('bob'));
    const [view, own] = [bob.peer.view(), bob.peer.view()];
    const shown: unknown[] = [];
    bob.room.on('remoteParticipantEntered', (entered) => {
      for (let render = 0; render < 3; render += 1) {
        void entered.setMediaView(view);
        void bob.room.localParticipant?.setMediaView(own);
        void bob.room.localParticipant?.setLocalMediaView(own);
      }
      shown.push(view.srcObject);
    });
    const alice = await entering(world, await world.party('alice'), bob);
    const [remote] = bob.room.remoteParticipants;
    expect(shown).toEqual([null]);
    await world.advance(3_000);
    expect([view.srcObject === null, own.srcObject === null]).toEqual([false, false]);
    const stream = view.srcObject;
    await remote?.setMediaView(view);
    expect(view.srcObject).toBe(stream);
    await remote?.setMediaView(null);
    await remote?.setMediaView(undefined);
    expect(view.srcObject).toBeNull();
    await remote?.setMediaView(view);
    const local = bob.room.localParticipant;
    bob.room.exit();
    await Promise.all([
      remote?.setMediaView(null),
      remote?.setMediaView(view),
      local?.setMediaView(null),
      local?.setMediaView('no element' as never),
    ]);
    expect(own.srcObject).toBeNull();
    alice.room.exit();
    await world.settle();
    await remote?.setMediaView(view);
    expect(bob.peer.errors()).toEqual([]);
  });

  test('RM-34 B30: play the sound of a large audio room in an element, before and after the enter, and only there', async () => {
    const world = await callWorld();
    const peer = await world.party('alice');
    for (const roomType of ROOM_TYPES) {
      const { room } = follow(peer, await world.done(peer.client.createRoom({ roomType })));
      const view = peer.view();
      const isLarge = roomType === 'large_room_for_audio_only';
      expect(
        thrown(() => room.setAudioForLargeRoom(view)),
        roomType,
      ).toBe(isLarge ? 0 : 1_800_300);
      if (!isLarge) continue;
      await world.done(room.enter());
      await world.advance(3_000);
      expect(view.srcObject).not.toBeNull();
      room.setAudioForLargeRoom(null);
      expect(view.srcObject).toBeNull();
      room.exit();
    }
  });

  test('pass functions unbound, and get one object for each room', async () => {
    const world = await callWorld();
    const { createRoom, fetchRoomById, getCachedRoomById, createRoomListQuery } = (await world.party('alice')).client;
    expect(getCachedRoomById('unknown')).toBeUndefined();
    const room = await world.done(createRoom({ ...VIDEO, customItems: { a: '1' } }));
    expect(room.customItems).toEqual({ a: '1' });
    expect(await world.done(fetchRoomById(room.roomId))).toBe(room);
    expect(getCachedRoomById(room.roomId)).toBe(room);
    expect(await world.done(createRoomListQuery().next())).toEqual([room]);
    const bob = await entering(world, await world.party('bob'), { room, peer: world.parties[0]!, told: [] });
    expect(room.participants).toEqual([]);
    expect(await world.done(fetchRoomById(room.roomId))).toBe(room);
    expect(room.participants).toMatchObject([{ user: { userId: 'bob' }, isLocalParticipant: false }]);
    bob.room.exit();
  });
});

describe('wrong use', () => {
  test('LIB-09: rooms before init and before the sign-in are refused', async () => {
    const world = await callWorld();
    const client = world.adopt(
      createClient(world.world.platform('dave'), {
        defaultApiHost: 'http://exchange.test',
        defaultWebsocketHost: 'ws://exchange.test',
        parts: loadedParts(),
      }),
    );
    const asked = () =>
      Promise.all([
        codeOf(client.createRoom(VIDEO)),
        codeOf(client.fetchRoomById('r')),
        codeOf(client.createRoomListQuery().next()),
      ]);
    expect(await asked()).toEqual([1_800_302, 1_800_302, 1_800_302]);
    client.init('ringback-demo');
    expect(await asked()).toEqual([1_800_303, 1_800_303, 1_800_303]);
    expect(client.getCachedRoomById('r')).toBeUndefined();
  });

  test('LIB-10 LIB-11 B29: a wrong parameter is named, and nothing is sent', async () => {
    const world = await callWorld();
    const peer = await world.party('alice');
    const { room } = await hosting(world, peer);
    const { client } = peer;
    const wrong: readonly [number, string, (value: never) => Promise<unknown>, unknown][] = [
      [1_800_300, 'roomType', (value) => client.createRoom(value), { roomType: 'huge' }],
      [1_800_300, 'roomType', (value) => client.createRoom(value), {}],
      [1_800_301, 'roomType', (value) => client.createRoom(value), { roomType: 1 }],
      [1_800_300, 'params', (value) => client.createRoom(value), undefined],
      [1_800_301, 'customItems', (value) => client.createRoom(value), { ...VIDEO, customItems: 'a' }],
      [1_800_300, 'roomId', (value) => client.fetchRoomById(value), ''],
      [1_800_301, 'roomId', (value) => client.fetchRoomById(value), 5],
      [1_800_300, 'roomId', (value) => client.fetchRoomById(value), '..'],
      [1_800_301, 'audioEnabled', (value) => room.enter(value), { audioEnabled: 'yes' }],
      [1_800_301, 'params', (value) => room.enter(value), 'yes'],
      [1_800_300, 'invitee', (value) => room.sendInvitation(value), null],
      [1_800_301, 'keys', (value) => room.deleteCustomItems(value), 'a'],
      [1_800_300, 'keys', (value) => room.deleteCustomItems(value), []],
      [1_800_300, 'customItems', (value) => room.updateCustomItems(value), { 'a,b': '1' }],
    ];
    const sent = peer.routes.length + peer.sent('room_create').length;
    for (const [code, param, act, value] of wrong) {
      const error = await act(value as never).catch((reason: unknown) => reason);
      expect(error, `${param} ${JSON.stringify(value)}`).toMatchObject({ code, param });
    }
    expect(peer.routes.length + peer.sent('room_create').length).toBe(sent);
    room.exit();
  });
});

describe('a query of rooms', () => {
  const queries = (peer: MediaPeer) =>
    peer.routes.length && peer.requestsOf('/v1/rooms').map(({ searchParams }) => Object.fromEntries(searchParams));

  async function created(count: number): Promise<{ world: CallWorld; peer: MediaPeer; ids: string[] }> {
    const world = await callWorld();
    const peer = await world.party('alice');
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const room = await world.done(peer.client.createRoom(VIDEO));
      ids.unshift(room.roomId);
    }
    return { world, peer, ids };
  }

  test('HTTP-05 ENT-09: pages forwards and backwards, newest first, one page at a time', async () => {
    const { world, peer, ids } = await created(5);
    const query = peer.client.createRoomListQuery({ limit: 2 });
    expect([query.hasNext, query.hasPrev, query.isLoading]).toEqual([true, false, false]);
    const first = query.next();
    expect(query.isLoading).toBe(true);
    expect(await codeOf(query.next())).toBe(1_800_206);
    const pages = [await world.done(first), await world.done(query.next()), await world.done(query.next())];
    expect(pages.map((page) => page.map(({ roomId }) => roomId))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect([query.hasNext, query.hasPrev, query.isLoading]).toEqual([false, true, false]);
    expect(await world.done(query.next())).toEqual([]);
    expect((await world.done(query.prev())).map(({ roomId }) => roomId)).toEqual(ids.slice(2, 4));
    expect((await world.done(query.prev())).map(({ roomId }) => roomId)).toEqual(ids.slice(0, 2));
    expect([query.hasNext, query.hasPrev, await world.done(query.prev())]).toEqual([true, false, []]);
  });

  test('QRY-02 B21: clamps its limit to 1 to 100, and sends each filter', async () => {
    const { world, peer, ids } = await created(1);
    for (const limit of [0, 101, -5, 'x', undefined, Number.NaN, 7.9]) {
      await world.done(peer.client.createRoomListQuery({ limit } as RoomListQueryParams).next());
    }
    expect(queries(peer)).toEqual(['1', '100', '1', '10', '10', '10', '7'].map((limit) => ({ limit })));
    const all = {
      type: 'small_room_for_video',
      limit: 3,
      state: 'open',
      roomIds: [ids[0] ?? '', 'other'],
      createdByUserIds: ['alice', 'bob'],
      currentParticipantCount: [0, 5],
      createdAt: [undefined, 9e12],
    } as const satisfies RoomListQueryParams;
    expect(await world.done(peer.client.createRoomListQuery(all).next())).toHaveLength(1);
    expect((queries(peer) || []).at(-1)).toEqual({
      type: 'small_room_for_video',
      limit: '3',
      state: 'open',
      room_ids: `${ids[0]},other`,
      created_by_user_ids: 'alice,bob',
      current_participant_range_gte: '0',
      current_participant_range_lte: '5',
      created_at_end_date: '9000000000000',
    });
    expect(await world.done(peer.client.createRoomListQuery({ type: 'all', state: 'deleted' }).next())).toEqual([]);
  });

  test('LIB-10 LIB-11: names a wrong filter', async () => {
    const { world, peer } = await created(0);
    const wrong: readonly [number, string, object][] = [
      [1_800_301, 'params', 'all' as never],
      [1_800_300, 'type', { type: 'huge' }],
      [1_800_301, 'type', { type: 5 }],
      [1_800_300, 'state', { state: 'closed' }],
      [1_800_301, 'roomIds', { roomIds: 'r' }],
      [1_800_300, 'roomIds', { roomIds: ['a,b'] }],
      [1_800_300, 'createdByUserIds', { createdByUserIds: Array.from({ length: 101 }, () => 'u') }],
      [1_800_301, 'createdAt', { createdAt: 5 }],
      [1_800_301, 'createdAt', { createdAt: ['5'] }],
      [1_800_300, 'currentParticipantCount', { currentParticipantCount: [5, 1] }],
      [1_800_300, 'currentParticipantCount', { currentParticipantCount: [-1] }],
    ];
    for (const [code, param, params] of wrong) {
      const query = peer.client.createRoomListQuery(params);
      const error = await world.done(query.next()).catch((reason: unknown) => reason);
      expect(error, param).toMatchObject({ code, param });
      expect(query.isLoading).toBe(false);
    }
  });
});

describe('custom items of a room', () => {
  test('CI-02 RM-20 RM-21: each participant gets a change once, and the one who made it gets the result', async () => {
    const { world, alice, bob } = await twoInRoom();
    expect(await world.done(alice.room.updateCustomItems({ a: '1', b: '2' }))).toEqual({
      customItems: { a: '1', b: '2' },
      affectedKeys: ['a', 'b'],
    });
    expect(await world.done(bob.room.deleteCustomItems(['a']))).toEqual({
      customItems: { b: '2' },
      affectedKeys: ['a'],
    });
    expect(await world.done(bob.room.deleteAllCustomItems())).toEqual({ customItems: {}, affectedKeys: ['b'] });
    for (const { told } of [alice, bob]) {
      expect(told.filter((line) => line.startsWith('customItems'))).toEqual([
        'customItemsUpdated {"a":"1","b":"2"} a b',
        'customItemsDeleted {"b":"2"} a',
        'customItemsDeleted {} b',
      ]);
    }
    const items = bob.room.customItems;
    items['c'] = '3';
    expect([bob.room.customItems, await world.done(alice.room.fetchCustomItems())]).toEqual([{}, {}]);
    alice.room.exit();
    bob.room.exit();
  });

  test('ENT-02: a change that is older than the last one is not applied', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.done(alice.room.updateCustomItems({ a: 'new' }));
    const [change] = bob.peer.events('custom_items_update');
    const at = Number(change?.payload['affected_at']);
    const next = Number(change?.sequence_number) + 1;
    bob.peer.inject({
      ...change,
      sequence_number: next,
      payload: { ...change?.payload, custom_items: { a: 'old' }, affected_at: at - 1 },
    });
    expect(bob.room.customItems).toEqual({ a: 'new' });
    bob.peer.inject({
      ...change,
      sequence_number: next + 1,
      payload: { ...change?.payload, custom_items: { a: 'newer' }, affected_at: at + 1 },
    });
    expect(bob.room.customItems).toEqual({ a: 'newer' });
    alice.room.exit();
    bob.room.exit();
  });

  test('a lost change is known after the room is read again', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.done(alice.room.updateCustomItems({ a: '1', b: '2' }));
    bob.peer.lose({ to: 'bob', type: 'custom_items_update' });
    bob.peer.lose({ to: 'bob', type: 'custom_items_delete' });
    await world.done(alice.room.updateCustomItems({ b: '3', c: '4' }));
    await world.done(alice.room.deleteCustomItems(['a']));
    await world.advance(5_100);
    expect(bob.told.slice(-2)).toEqual([
      'customItemsUpdated {"b":"3","c":"4"} b c',
      'customItemsDeleted {"b":"3","c":"4"} a',
    ]);
    alice.room.exit();
    bob.room.exit();
  });
});

describe('an invitation', () => {
  /** A client that records its invitations. */
  async function invited(world: CallWorld, user: string, device?: string) {
    const peer = await world.party(user, device);
    const got: RoomInvitation[] = [];
    peer.client.addListener('invitations', { onInvitationReceived: (invitation) => got.push(invitation) });
    return { peer, got };
  }

  test('INV-01 INV-02 RM-23 ENT-08: reaches the invitee, who accepts and enters without parameters', async () => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'));
    const phone = await invited(world, 'bob');
    const tablet = await invited(world, 'bob', 'tablet');
    const sent = await world.done(alice.room.sendInvitation('bob'));
    const [got] = phone.got;
    expect([sent.room, sent.inviter.userId, sent.invitee.userId]).toEqual([alice.room, 'alice', 'bob']);
    expect([got?.room.roomId, got?.inviter.userId, got?.invitee.userId]).toEqual([alice.room.roomId, 'alice', 'bob']);
    expect(phone.peer.client.getCachedRoomById(alice.room.roomId)).toBe(got?.room);
    const onTablet = follow(tablet.peer, tablet.got[0]!.room);
    await world.done(got!.accept());
    expect([alice.told.at(-1), onTablet.told]).toEqual([
      'invitationAccepted alice bob',
      ['invitationAccepted alice bob'],
    ]);
    const bob = follow(phone.peer, got!.room);
    await world.done(got!.room.enter());
    expect([usersIn(bob), usersIn(alice)]).toEqual([
      ['bob', 'alice'],
      ['alice', 'bob'],
    ]);
    expect(await codeOf(world.done(got!.accept()))).toBe(1_400_105);
    expect(JSON.stringify(got)).toContain('"inviter":{"userId":"alice"');
    alice.room.exit();
    bob.room.exit();
  });

  test('INV-01 INV-02 RM-23: is declined, canceled, and answered too late', async () => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'));
    const bob = await invited(world, 'bob');
    await world.done(alice.room.sendInvitation('bob'));
    await world.done(bob.got[0]!.decline());
    expect(alice.told.at(-1)).toBe('invitationDeclined alice bob');
    const second = await world.done(alice.room.sendInvitation('bob'));
    const { told } = follow(bob.peer, bob.got[1]!.room);
    await world.done(second.cancel());
    expect(told).toEqual(['invitationCanceled alice bob']);
    expect(await codeOf(world.done(bob.got[1]!.accept()))).toBe(1_400_105);
    expect(await codeOf(world.done(alice.room.sendInvitation('alice')))).toBe(1_400_104);
    expect(await codeOf(world.done(alice.room.sendInvitation('nobody')))).toBe(1_400_103);
    alice.room.exit();
    expect([...alice.peer.errors(), ...bob.peer.errors()]).toEqual([]);
  });

  test('INV-03: its receipt is reported with the short-lived token in a header, and no session', async () => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'));
    const bob = await invited(world, 'bob');
    await world.done(alice.room.sendInvitation('bob'));
    const [report] = bob.peer.httpRequests(`/v1/rooms/${alice.room.roomId}/invitation`);
    const [event] = bob.peer.events('invitation_sent');
    expect([report?.method, JSON.parse(report?.body ?? '')]).toEqual([
      'PUT',
      { action: 'receive', inviter_id: 'alice' },
    ]);
    const values = Object.entries(report?.headers ?? {}).filter(([name]) => /token/.test(name));
    expect(values).toEqual([[expect.stringMatching(/short/), event?.payload['short_lived_token']]]);
    await world.settle();
    expect(alice.peer.events('invitation_received')).toHaveLength(1);
    alice.room.exit();
  });

  test('that waits is reported once to a client that reconnects, and again when it is sent again', async () => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'));
    const bob = await invited(world, 'bob');
    await world.done(alice.room.sendInvitation('bob'));
    bob.peer.loseChannel({ forMs: 1_000 });
    await world.advance(60_000);
    expect([bob.peer.events('invitation_sent').length, bob.got.length]).toEqual([2, 1]);
    await world.done(alice.room.sendInvitation('bob'));
    expect([bob.got.length, bob.got[1] === bob.got[0]]).toEqual([2, true]);
    const ways = bob.peer
      .events('invitation_sent')
      .map((frame) => /"channel":"(\w+)"/.exec(JSON.stringify(frame))?.[1]);
    expect(ways).toEqual(['websocket', 'missed_signal', 'websocket']);
    alice.room.exit();
  });
});

describe('the code of rooms', () => {
  async function lazyClient(load: () => Promise<typeof roomsPart>) {
    const world = await callWorld();
    const client = world.adopt(
      createClient(world.world.platform('alice-lazy'), {
        defaultApiHost: 'http://exchange.test',
        defaultWebsocketHost: 'ws://exchange.test',
        parts: { ...loadedParts(), rooms: lazyPart(load) },
      }),
    );
    client.init('ringback-demo');
    await world.done(client.authenticate({ userId: 'alice', accessToken: '' }));
    await world.done(client.connectWebSocket());
    return { world, client };
  }

  test('is loaded once, by the first use, and not by a direct call', async () => {
    let loads = 0;
    const { world, client } = await lazyClient(() => {
      loads += 1;
      return Promise.resolve(roomsPart);
    });
    client.dial({ userId: 'bob', isVideoCall: false, callOption: {} }).end();
    client.createRoomListQuery();
    expect([loads, client.getCachedRoomById('r')]).toEqual([0, undefined]);
    const both = [client.createRoom(VIDEO), client.createRoom(VIDEO)].map((room) => world.done(room));
    await Promise.all(both);
    expect(loads).toBe(1);
  });

  test('ERR-1800203: that does not arrive within a minute fails the use, and a sign-out ends the wait', async () => {
    const { world, client } = await lazyClient(() => new Promise(() => undefined));
    const codes = [codeOf(client.createRoom(VIDEO)), codeOf(client.createRoomListQuery().next())];
    await world.advance(60_000);
    expect(await Promise.all(codes)).toEqual([1_800_203, 1_800_203]);
    const late = codeOf(client.fetchRoomById('r'));
    client.deauthenticate();
    expect(await late).toBe(1_800_303);
  });

  test('is loaded by an invitation, whose cancellation meanwhile is not lost', async () => {
    let arrive: () => void = () => undefined;
    const loading = new Promise<typeof roomsPart>((resolve) => {
      arrive = () => resolve(roomsPart);
    });
    const { world, client } = await lazyClient(() => loading);
    const told: string[] = [];
    client.addListener('l', {
      onInvitationReceived: ({ inviter, room }) => {
        told.push(`invited by ${inviter.userId}`);
        room.on('invitationCanceled', () => told.push('canceled'));
      },
    });
    const bob = await hosting(world, await world.party('bob'));
    const invitation = await world.done(bob.room.sendInvitation('alice'));
    await world.done(invitation.cancel());
    expect(told).toEqual([]);
    arrive();
    await world.settle();
    expect(told).toEqual(['invited by bob', 'canceled']);
    bob.room.exit();
  });

  test('that does not load refuses, and is loaded by the next use', async () => {
    let loads = 0;
    const { world, client } = await lazyClient(() => {
      loads += 1;
      return loads === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(roomsPart);
    });
    expect(await codeOf(client.createRoom(VIDEO))).toBe(1_800_200);
    expect((await world.done(client.createRoom(VIDEO))).createdBy).toBe('alice');
    const late = codeOf(client.createRoom(VIDEO));
    client.deauthenticate();
    expect(await late).toBe(1_800_303);
  });
});
