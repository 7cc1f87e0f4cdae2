/** The session of a client in a room, in virtual time: the library with the exchange and its media server. */
import { describe, expect, test } from 'vitest';
import { MEDIA_SERVER } from '../../../sim/faults/vocabulary.ts';
import { ROOM_TYPES } from '../../../src/protocol/room-entities.ts';
import { callWorld } from './support/call-world.ts';
import { codeOf, entering, follow, hosting, thrown, usersIn } from './support/room-world.ts';

/** Alice and Bob are in a room. */
async function twoInRoom(options: Parameters<typeof callWorld>[0] = {}) {
  const world = await callWorld(options);
  const alice = await hosting(world, await world.party('alice'));
  const bob = await entering(world, await world.party('bob'), alice);
  return { world, alice, bob };
}

describe('enter and exit', () => {
  test.for(ROOM_TYPES)('RM-36 ENT-19: a %s is created, listed, entered, left and deleted', async (roomType) => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'), roomType);
    const bob = await entering(world, await world.party('bob'), alice);
    expect([alice.room.roomType, alice.room.state, usersIn(bob)]).toEqual([roomType, 'open', ['bob', 'alice']]);
    const query = alice.peer.client.createRoomListQuery({ type: roomType });
    expect(await world.done(query.next())).toEqual([alice.room]);
    bob.room.exit();
    await world.settle();
    expect([usersIn(alice), usersIn(bob)]).toEqual([['alice'], ['alice']]);
    await world.done(alice.room.delete());
    expect([alice.room.state, alice.room.localParticipant, alice.told.at(-1)]).toEqual([
      'deleted',
      undefined,
      'deleted',
    ]);
    expect(await codeOf(world.done(bob.peer.client.fetchRoomById(alice.room.roomId)))).toBe(1_400_126);
    expect([...alice.peer.errors(), ...bob.peer.errors()]).toEqual([]);
  });

  test('RM-01 RM-02 RM-03 RM-04 B28 ERR-1800700 to ERR-1800703: refuse a second enter, and an exit outside', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const { room } = follow(alice, await world.done(alice.client.createRoom({ roomType: 'small_room_for_video' })));
    expect([thrown(() => room.exit()), await codeOf(room.delete())]).toEqual([1_800_702, 1_800_702]);
    const entered = room.enter();
    expect([await codeOf(room.enter()), thrown(() => room.exit())]).toEqual([1_800_701, 1_800_702]);
    await world.done(entered);
    expect(await codeOf(room.enter())).toBe(1_800_700);
    const local = room.localParticipant;
    room.exit();
    expect(thrown(() => room.exit())).toBe(1_800_703);
    const controls = ['muteMicrophone', 'unmuteMicrophone', 'startVideo', 'stopVideo', 'stopScreenShare'] as const;
    expect(controls.map((name) => thrown(() => local?.[name]()))).toEqual(controls.map(() => 1_800_702));
    expect(await codeOf(local?.startScreenShare() ?? Promise.resolve())).toBe(1_800_702);
    await world.settle();
    expect(thrown(() => room.exit())).toBe(1_800_702);
  });

  test('RM-05: the exit closes the media on the next line, ends the keep-alive, and is reported', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.advance(1_000);
    expect([bob.peer.liveTracks(), bob.peer.openPeerConnections()]).toEqual([2, 2]);
    const local = bob.room.localParticipant;
    bob.room.exit();
    expect(local).toMatchObject({ state: 'exited', duration: 1, exitedAt: expect.any(Number) });
    expect([bob.room.localParticipant, bob.peer.liveTracks(), bob.peer.openPeerConnections()]).toEqual([
      undefined,
      0,
      0,
    ]);
    await world.advance(10_000);
    expect(local?.duration).toBe(1);
    expect(bob.peer.sent('room_alive')).toEqual([]);
    expect(alice.told.at(-1)).toBe('remoteParticipantExited bob exited');
    expect(bob.room.participants.map(({ user }) => user.userId)).toEqual(['alice']);
    alice.room.exit();
  });

  test('a user who leaves the page leaves the room at once', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.platform.page.go('terminated');
    await world.advance(100);
    expect([usersIn(alice), bob.room.localParticipant]).toEqual([['alice'], undefined]);
    alice.room.exit();
  });

  test('a room is entered again before its exit is answered, and after', async () => {
    const { world, alice, bob } = await twoInRoom();
    const first = bob.room.localParticipant?.participantId;
    bob.peer.delay({ from: 'bob', type: 'room_exit', by: 20 });
    bob.room.exit();
    await world.done(bob.room.enter());
    expect(bob.peer.sent('room_enter')).toHaveLength(2);
    const second = bob.room.localParticipant?.participantId;
    expect([usersIn(bob), usersIn(alice), first === second]).toEqual([['bob', 'alice'], ['alice', 'bob'], false]);
    bob.room.exit();
    await world.settle();
    await world.done(bob.room.enter({ audioEnabled: false }));
    await world.advance(1_000);
    expect(bob.room.localParticipant).toMatchObject({ isAudioEnabled: false, state: 'connected' });
    expect(alice.told.filter((line) => line.startsWith('remoteParticipantEntered'))).toHaveLength(3);
    alice.room.exit();
    bob.room.exit();
  });

  test('ERR-1400120: a full room refuses the enter, and a later one succeeds', async () => {
    const roomSizes = Object.fromEntries(ROOM_TYPES.map((type) => [type, 1])) as Record<
      (typeof ROOM_TYPES)[number],
      number
    >;
    const world = await callWorld({ settings: { roomSizes } });
    const alice = await hosting(world, await world.party('alice'));
    const bob = await world.party('bob');
    const { room } = follow(bob, await world.done(bob.client.fetchRoomById(alice.room.roomId)));
    expect(await codeOf(world.done(room.enter()))).toBe(1_400_120);
    alice.room.exit();
    await world.settle();
    await world.done(room.enter());
    room.exit();
  });

  test('the user signs out: every room is left and reported, and a kept room refuses', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.client.deauthenticate();
    expect([bob.room.localParticipant, bob.peer.liveTracks()]).toEqual([undefined, 0]);
    await world.settle();
    expect([usersIn(alice), alice.told.at(-1)]).toEqual([['alice'], 'remoteParticipantExited bob exited']);
    expect(await codeOf(bob.room.enter())).toBe(1_800_303);
    expect(bob.peer.client.getCachedRoomById(alice.room.roomId)).toBeUndefined();
    await world.done(bob.peer.client.authenticate({ userId: 'carol', accessToken: '' }));
    expect([await codeOf(bob.room.enter()), await codeOf(bob.room.fetchCustomItems())]).toEqual([1_800_303, 1_800_303]);
    const entered = alice.room.roomId && alice.peer.client.createRoom({ roomType: 'small_room_for_video' });
    const left = codeOf(Promise.resolve(entered));
    alice.peer.client.deauthenticate();
    expect(await left).not.toBe(0);
  });

  test.for(['command', 'request'])('RM-05: a sign-out during an enter by %s leaves no participant', async (route) => {
    const { world, alice, bob } = await twoInRoom();
    const carol = await world.party('carol');
    const { room } = follow(carol, await world.done(carol.client.fetchRoomById(alice.room.roomId)));
    if (route === 'request') carol.loseChannel({ forMs: 60_000 });
    const request = `POST /v1/rooms/${room.roomId}/participants`;
    carol.delay({ to: 'carol', type: route === 'request' ? request : 'room_enter_ack', by: 1_000 });
    const entered = codeOf(room.enter());
    await world.advance(100);
    expect(usersIn(alice)).toEqual(['alice', 'bob', 'carol']);
    carol.client.deauthenticate();
    expect(await entered).toBe(1_800_303);
    await world.advance(1_500);
    expect([usersIn(alice), alice.told.at(-1)]).toEqual([['alice', 'bob'], 'remoteParticipantExited carol exited']);
    alice.room.exit();
    bob.room.exit();
  });

  test('ERR-1400121: an enter succeeds when its former participant is gone before the exit', async () => {
    const { world, alice, bob } = await twoInRoom({ settings: { roomSilenceMs: 6_000 } });
    await world.advance(4_000);
    bob.peer.lose({ to: 'bob', type: 'room_alive_ack' });
    await world.advance(45_000);
    expect([bob.told.at(-1), usersIn(alice)]).toEqual(['error 1800706', ['alice', 'bob']]);
    bob.peer.heal();
    // The exchange removes the former participant while the exit is on its way.
    bob.peer.delay({ from: 'bob', type: 'room_exit', by: 7_000 });
    const entered = codeOf(bob.room.enter());
    await world.advance(8_000);
    const refusal = bob.peer.replies('room_exit_ack').at(-1) as { error?: { code: number } } | undefined;
    expect([refusal?.error?.code, await entered, usersIn(alice)]).toEqual([1_400_121, 0, ['alice', 'bob']]);
    bob.peer.heal();
    alice.room.exit();
    bob.room.exit();
  });
});

describe('the requests of an endpoint', () => {
  test('EP-16: has 60 s for its reply, and is offered again after a failure', async () => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'));
    alice.room.exit();
    await world.advance(1_000);
    const times: number[] = [];
    const before = alice.peer.sent('endpoint_create').length;
    alice.peer.lose({ to: 'alice', type: 'endpoint_create_ack' });
    await world.done(alice.room.enter());
    for (let second = 0; second < 70; second += 1) {
      const sent = alice.peer.sent('endpoint_create').length - before;
      if (sent > times.length) times.push(second);
      await world.advance(1_000);
    }
    expect(times).toHaveLength(2);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(60);
    expect(alice.told).toContain('error 1800704');
    alice.peer.heal();
    await world.advance(70_000);
    expect(alice.room.localParticipant?.state).toBe('connected');
    alice.room.exit();
  });

  test('is a request that runs once without a channel, so a lost reply costs no minute', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const { room } = follow(alice, await world.done(alice.client.createRoom({ roomType: 'small_room_for_video' })));
    alice.loseChannel({ forMs: 1_000_000 });
    await world.settle();
    const path = () => `/v1/rooms/${room.roomId}/participants/${room.localParticipant?.participantId}/endpoints`;
    await world.done(room.enter().then(() => alice.lose({ to: 'alice', type: `POST ${path()}` })));
    await world.advance(1_000);
    alice.heal();
    await world.advance(5_000);
    const ids = alice.httpRequests(path()).map(({ headers }) => headers['x-request-id']);
    expect([ids.length > 1, new Set(ids).size, ids[0]?.length]).toEqual([true, 1, expect.any(Number)]);
    expect(room.localParticipant?.state).toBe('connected');
    room.exit();
  });
});

describe('the keep-alive', () => {
  test('RM-09 RT-14: is a command every 5 s, and its missing reply neither ends the stay nor the channel', async () => {
    const { world, alice, bob } = await twoInRoom();
    const before = alice.peer.sent('room_alive').length;
    await world.advance(15_000);
    expect(alice.peer.sent('room_alive')).toHaveLength(before + 3);
    alice.peer.lose({ to: 'alice', type: 'room_alive_ack' });
    // Seven failures, and then a reply.
    await world.advance(39_000);
    alice.peer.heal();
    await world.advance(6_000);
    alice.peer.lose({ to: 'alice', type: 'room_alive_ack' });
    await world.advance(39_000);
    alice.peer.heal();
    await world.advance(20_000);
    expect([usersIn(alice), usersIn(bob)]).toEqual([
      ['alice', 'bob'],
      ['bob', 'alice'],
    ]);
    expect(alice.peer.platform.net.openSockets).toBe(1);
    expect(alice.peer.platform.printed.filter((line) => line.includes('realtime channel open'))).toHaveLength(1);
    alice.room.exit();
    bob.room.exit();
  });

  test('a reply that comes late is no error', async () => {
    const world = await callWorld();
    const alice = await hosting(world, await world.party('alice'));
    alice.peer.delay({ to: 'alice', type: 'room_alive_ack', by: 5_500 });
    await world.advance(16_000);
    alice.peer.heal();
    await world.advance(7_000);
    expect(alice.peer.logged('debug').filter((line) => line.includes('a reply came late'))).not.toEqual([]);
    expect([alice.peer.errors(), usersIn(alice)]).toEqual([[], ['alice']]);
    alice.room.exit();
  });

  test('RM-07 RM-10 ERR-1800706 ERR-1400122: the eighth failure in a row ends the session, and a new enter succeeds', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.advance(4_000);
    alice.peer.lose({ to: 'alice', type: 'room_alive_ack' });
    await world.advance(40_000);
    expect(alice.told).not.toContain('error 1800706');
    await world.advance(5_000);
    expect([alice.told.at(-1), alice.room.localParticipant, alice.peer.liveTracks()]).toEqual([
      'error 1800706',
      undefined,
      0,
    ]);
    alice.peer.heal();
    // The exchange has heard every keep-alive, and still has the participant.
    expect(usersIn(bob)).toEqual(['bob', 'alice']);
    await world.done(alice.room.enter());
    expect(
      alice.peer.replies('room_enter_ack').map((frame) => (frame as { error?: { code: number } }).error?.code),
    ).toEqual([undefined, 1_400_122, undefined]);
    expect([usersIn(alice), usersIn(bob)]).toEqual([
      ['alice', 'bob'],
      ['bob', 'alice'],
    ]);
    alice.room.exit();
    bob.room.exit();
  });

  test('RM-11: learns that the room was deleted, when the event was lost', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.lose({ to: 'bob', type: 'room_deleted' });
    await world.done(alice.room.delete());
    expect(bob.room.state).toBe('open');
    await world.advance(5_100);
    expect([bob.room.state, bob.room.localParticipant, bob.told.at(-1)]).toEqual(['deleted', undefined, 'deleted']);
    expect(bob.told.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('RM-12 ERR-1400121: learns that the participant is gone, when the event was lost', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.lose({ to: 'bob', type: 'participant_disconnected' });
    const second = await entering(world, await world.party('bob', 'tablet'), alice, { kickSiblings: true });
    await world.advance(5_100);
    expect([bob.told.at(-1), bob.room.localParticipant]).toEqual(['error 1800706', undefined]);
    const refusal = bob.peer.replies('room_alive_ack').at(-1) as unknown as { error: { code: number } };
    expect(refusal.error.code).toBe(1_400_121);
    second.room.exit();
    alice.room.exit();
  });

  test('RM-17 D13: a client that vanishes is gone for the others within 45 s', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.refuseEverything();
    await world.advance(45_000);
    expect([usersIn(alice), alice.told.at(-1)]).toEqual([['alice'], 'remoteParticipantExited bob exited']);
    await world.advance(5_000);
    expect([bob.room.localParticipant, bob.told.at(-1)]).toEqual([undefined, 'error 1800706']);
    alice.room.exit();
  });
});

describe('the events of a room', () => {
  test('RM-14 to RM-16 RM-18 RM-19: inform about participants, who have their new state', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.advance(1_000);
    expect(bob.room.localParticipant?.state).toBe('connected');
    expect(alice.room.remoteParticipants).toMatchObject([{ state: 'connected', isAudioEnabled: true }]);
    bob.room.localParticipant?.muteMicrophone();
    bob.room.localParticipant?.stopVideo();
    await world.settle();
    bob.room.exit();
    await world.settle();
    expect(alice.told).toEqual([
      'remoteParticipantEntered bob entered',
      'remoteParticipantStreamStarted bob',
      'remoteAudioSettingsChanged bob false',
      'remoteVideoSettingsChanged bob false',
      'remoteParticipantExited bob exited',
    ]);
    alice.room.exit();
  });

  test('RM-25: a switch is sent only when the state changes, and the last state counts', async () => {
    const { world, alice, bob } = await twoInRoom();
    const local = bob.room.localParticipant!;
    local.unmuteMicrophone();
    local.startVideo();
    local.muteMicrophone();
    local.muteMicrophone();
    expect(local.isAudioEnabled).toBe(false);
    await world.settle();
    expect([bob.peer.sent('room_audio').map(({ payload }) => payload['on']), bob.peer.sent('room_video')]).toEqual([
      [false],
      [],
    ]);
    bob.peer.delay({ from: 'bob', type: 'room_audio', by: 200 });
    local.unmuteMicrophone();
    await world.advance(100);
    local.muteMicrophone();
    local.unmuteMicrophone();
    await world.advance(1_000);
    expect(bob.peer.sent('room_audio').map(({ payload }) => payload['on'])).toEqual([false, true]);
    local.stopVideo();
    await world.advance(1_000);
    expect(alice.room.remoteParticipants).toMatchObject([{ isAudioEnabled: true, isVideoEnabled: false }]);
    alice.room.exit();
    bob.room.exit();
  });

  test('RM-06 RM-22 RM-32: any participant deletes the room, and every session ends', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.done(bob.room.delete());
    for (const { room, told, peer } of [alice, bob]) {
      expect([room.state, room.localParticipant, room.participants, told.at(-1), peer.liveTracks()]).toEqual([
        'deleted',
        undefined,
        [],
        'deleted',
        0,
      ]);
      expect([await codeOf(room.enter()), await codeOf(room.delete())]).toEqual([1_400_126, 1_400_126]);
    }
    expect([alice.told, bob.told].map((told) => told.filter((line) => line === 'deleted').length)).toEqual([1, 1]);
  });

  test('RM-08 RM-13 RM-31 ERR-1800707: a sibling that enters with the flag kicks this client', async () => {
    const { world, alice, bob } = await twoInRoom();
    const tablet = await entering(world, await world.party('bob', 'tablet'), alice);
    expect(usersIn(alice)).toEqual(['alice', 'bob', 'bob']);
    const phone = await entering(world, await world.party('bob', 'phone'), alice, { kickSiblings: true });
    for (const one of [bob, tablet]) {
      expect([one.told.at(-1), one.room.localParticipant, one.peer.liveTracks()]).toEqual([
        'error 1800707',
        undefined,
        0,
      ]);
    }
    expect([usersIn(alice), usersIn(phone)]).toEqual([
      ['alice', 'bob'],
      ['bob', 'alice'],
    ]);
    await world.done(bob.room.enter());
    expect(usersIn(alice)).toEqual(['alice', 'bob', 'bob']);
    for (const one of [alice, bob, phone]) one.room.exit();
  });

  test('RM-08 RM-13 ERR-1800707: a kick after a lost event is a kick', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.lose({ to: 'bob', type: 'participant_audio_status_changed' });
    alice.room.localParticipant?.muteMicrophone();
    await world.settle();
    const phone = await entering(world, await world.party('bob', 'phone'), alice, { kickSiblings: true });
    await world.settle();
    expect(bob.told.filter((line) => line.startsWith('error'))).toEqual(['error 1800707']);
    for (const one of [alice, phone]) one.room.exit();
  });

  test('RM-22 ERR-1400126: an enter learns that the room was deleted', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.room.exit();
    await world.settle();
    await world.done(alice.room.delete());
    expect(await codeOf(world.done(bob.room.enter()))).toBe(1_400_126);
    expect([bob.room.state, bob.told.at(-1)]).toEqual(['deleted', 'deleted']);
  });

  test('RM-26: the screen is shared while the media reconnects, and counts as the picture', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.advance(1_000);
    const local = bob.room.localParticipant!;
    world.world.media.cut('bob', MEDIA_SERVER);
    await world.advance(18_500);
    expect(bob.told.at(-1)).toBe('localParticipantDisconnected bob');
    await world.done(local.startScreenShare());
    local.stopVideo();
    await world.advance(1_000);
    expect([local.isScreenShareEnabled, local.isVideoEnabled]).toEqual([true, true]);
    expect(alice.room.remoteParticipants).toMatchObject([{ isVideoEnabled: true }]);
    local.stopScreenShare();
    await world.advance(1_000);
    expect(alice.room.remoteParticipants).toMatchObject([{ isVideoEnabled: false }]);
    alice.room.exit();
    bob.room.exit();
  });

  test('RM-24: events of unknown rooms are ignored, also before the code of rooms is loaded', async () => {
    const { world, alice, bob } = await twoInRoom();
    const carol = await world.party('carol');
    const [entered] = alice.peer.events('participant_entered');
    for (const peer of [carol, alice.peer]) {
      peer.inject({ ...entered, payload: { ...entered?.payload, room_id: 'another' } });
      await world.settle();
      expect(peer.errors()).toEqual([]);
    }
    expect(usersIn(alice)).toEqual(['alice', 'bob']);
    expect(carol.client.getCachedRoomById('another')).toBeUndefined();
    alice.peer.inject({ ...entered, payload: { room_id: alice.room.roomId } });
    expect(alice.peer.errors()).toEqual([expect.stringMatching(/unreadable frame.*1800205/)]);
    alice.room.exit();
    bob.room.exit();
  });

  test('an event that is lost, repeated or late changes the room once', async () => {
    const { world, alice, bob } = await twoInRoom();
    const [entered] = alice.peer.events('participant_entered');
    alice.peer.inject(entered!);
    alice.peer.lose({ to: 'alice', type: 'participant_audio_status_changed' });
    bob.room.localParticipant?.muteMicrophone();
    await world.settle();
    expect(alice.room.remoteParticipants).toMatchObject([{ isAudioEnabled: true }]);
    // The next event shows the gap.
    bob.room.localParticipant?.stopVideo();
    await world.settle();
    expect(alice.room.remoteParticipants).toMatchObject([{ isAudioEnabled: false, isVideoEnabled: false }]);
    // Without a next event, the reply to the keep-alive shows it.
    bob.room.localParticipant?.unmuteMicrophone();
    await world.advance(5_100);
    expect(alice.room.remoteParticipants).toMatchObject([{ isAudioEnabled: true }]);
    expect(alice.told.filter((line) => line.includes('SettingsChanged'))).toEqual([
      'remoteAudioSettingsChanged bob false',
      'remoteVideoSettingsChanged bob false',
      'remoteAudioSettingsChanged bob true',
    ]);
    expect(alice.told.filter((line) => line.startsWith('remoteParticipantEntered'))).toHaveLength(1);
    alice.room.exit();
    bob.room.exit();
  });

  test('a gap in the events is filled at once, and so is a lost channel', async () => {
    const { world, alice, bob } = await twoInRoom();
    const carol = await entering(world, await world.party('carol'), alice);
    alice.peer.lose({ to: 'alice', type: 'participant_exited' });
    carol.room.exit();
    await world.settle();
    expect(usersIn(alice)).toEqual(['alice', 'bob', 'carol']);
    bob.room.localParticipant?.muteMicrophone();
    await world.settle();
    expect([usersIn(alice), alice.peer.sent('room_alive')]).toEqual([['alice', 'bob'], []]);
    expect(alice.told.slice(-2)).toEqual([
      'remoteParticipantExited carol exited',
      'remoteAudioSettingsChanged bob false',
    ]);
    alice.peer.loseChannel({ forMs: 1_000 });
    bob.room.localParticipant?.unmuteMicrophone();
    await world.advance(3_000);
    expect([alice.told.at(-1), alice.peer.sent('room_alive')]).toEqual(['remoteAudioSettingsChanged bob true', []]);
    alice.room.exit();
    bob.room.exit();
  });

  test('a room that is read without this client in it ends the session as lost', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.lose({ to: 'bob', type: 'participant_disconnected' });
    const second = await entering(world, await world.party('bob', 'tablet'), alice, { kickSiblings: true });
    expect(bob.room.localParticipant).toBeDefined();
    await world.done(bob.peer.client.fetchRoomById(alice.room.roomId));
    expect([bob.told.at(-1), bob.room.localParticipant]).toEqual(['error 1800706', undefined]);
    second.room.exit();
    alice.room.exit();
  });

  test('RM-25: a switch that could not be sent is sent after the next keep-alive', async () => {
    const { world, alice, bob } = await twoInRoom();
    bob.peer.refuseEverything();
    bob.room.localParticipant?.muteMicrophone();
    await world.advance(15_000);
    expect(alice.room.remoteParticipants).toMatchObject([{ isAudioEnabled: true }]);
    bob.peer.heal();
    await world.advance(10_000);
    expect(alice.room.remoteParticipants).toMatchObject([{ isAudioEnabled: false }]);
    alice.room.exit();
    bob.room.exit();
  });

  test('a lost channel: the stay survives over HTTP, and the room is read again', async () => {
    const { world, alice, bob } = await twoInRoom();
    alice.peer.loseChannel({ forMs: 50_000 });
    bob.room.exit();
    await world.settle();
    const carol = await entering(world, await world.party('carol'), alice);
    alice.room.localParticipant?.muteMicrophone();
    await world.advance(80_000);
    expect(usersIn(alice)).toEqual(['alice', 'carol']);
    expect(alice.told.filter((line) => /Entered|Exited|error/.test(line))).toEqual([
      'remoteParticipantEntered bob entered',
      'remoteParticipantExited bob exited',
      'remoteParticipantEntered carol connected',
    ]);
    expect(carol.room.remoteParticipants).toMatchObject([{ isAudioEnabled: false }]);
    expect(
      alice.peer.httpRequests(
        `/v1/rooms/${alice.room.roomId}/participants/${alice.room.localParticipant?.participantId}/alive`,
      ).length,
    ).toBeGreaterThan(5);
    alice.room.exit();
    carol.room.exit();
  });
});

describe('the routes of a room', () => {
  test('RT-14: every operation is a command on the open channel, and no request', async () => {
    const { world, alice, bob } = await twoInRoom();
    await world.advance(6_000);
    bob.room.localParticipant?.muteMicrophone();
    bob.room.localParticipant?.stopVideo();
    await world.done(alice.room.updateCustomItems({ a: '1' }));
    await world.done(alice.room.fetchCustomItems());
    await world.done(alice.room.deleteCustomItems(['a']));
    await world.party('carol');
    const invitation = await world.done(alice.room.sendInvitation('carol'));
    await world.done(invitation.cancel());
    bob.room.exit();
    await world.done(alice.room.delete());
    const sent = [
      'create',
      'enter',
      'alive',
      'custom_items_update',
      'custom_items_get',
      'custom_items_delete',
      'delete',
    ];
    for (const name of sent) expect(alice.peer.sent(`room_${name}`), name).not.toEqual([]);
    for (const name of [
      'room_get',
      'room_audio',
      'room_video',
      'room_exit',
      'endpoint_create',
      'endpoint_attach',
      'endpoint_connected',
    ]) {
      expect(bob.peer.sent(name), name).not.toEqual([]);
    }
    expect([alice.peer.sent('invitation_send').length, alice.peer.sent('invitation_cancel').length]).toEqual([1, 1]);
    for (const { peer } of [alice, bob]) expect(peer.routes.filter((route) => route.includes('/rooms'))).toEqual([]);
  });

  test('HTTP-03 HTTP-04 HTTP-06 HTTP-07 HTTP-16 HTTP-17: every operation is a request without a channel', async () => {
    const world = await callWorld();
    const [bob, alice] = [await world.party('bob'), await world.party('alice')];
    await world.party('carol');
    const { client } = alice;
    alice.loseChannel({ forMs: 1_000_000 });
    await world.settle();
    const guest = await hosting(world, alice);
    const { room, told } = guest;
    await world.done(client.fetchRoomById(room.roomId));
    await world.advance(6_000);
    const me = room.localParticipant!;
    me.muteMicrophone();
    me.stopVideo();
    await world.done(room.updateCustomItems({ a: '1', b: '2' }));
    await world.done(room.fetchCustomItems());
    await world.done(room.deleteCustomItems(['a']));
    await world.done(room.deleteAllCustomItems());
    const his = await entering(world, bob, guest);
    await world.advance(10_000);
    const invitation = await world.done(room.sendInvitation('carol'));
    await world.done(invitation.cancel());
    room.exit();
    await world.settle();
    await world.done(room.enter());
    await world.done(room.delete());
    const at = `/v1/rooms/${room.roomId}`;
    const mine = `${at}/participants/${me.participantId}`;
    const plain = new Set(alice.routes.map((route) => route.replaceAll(/endpoints\/[^/]+/g, 'endpoints/ID')));
    for (const route of [
      'POST /v1/rooms',
      `GET ${at}`,
      `POST ${at}/participants`,
      `POST ${mine}/alive`,
      `PUT ${mine}/audio`,
      `PUT ${mine}/video`,
      `POST ${mine}/endpoints`,
      `POST ${mine}/endpoints/ID/connected`,
      `POST ${mine}/endpoints/ID/attach`,
      `GET ${at}/custom_items`,
      `PUT ${at}/custom_items`,
      `DELETE ${at}/custom_items`,
      `POST ${at}/invitation`,
      `DELETE ${at}/invitation`,
      `DELETE ${mine}`,
      `DELETE ${at}`,
    ]) {
      expect(plain.has(route), route).toBe(true);
    }
    expect(alice.httpRequests('/v1/action/direct_call')).toEqual([]);
    expect([told.filter((line) => line.startsWith('error')), room.state, his.room.state]).toEqual([
      [],
      'deleted',
      'deleted',
    ]);
  });

  test('a command that the channel loses is sent as the same command over HTTP, and runs once', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const { room } = follow(alice, await world.done(alice.client.createRoom({ roomType: 'small_room_for_video' })));
    alice.lose({ to: 'alice', type: 'room_enter_ack' });
    const entered = room.enter();
    await world.settle();
    alice.heal();
    alice.loseChannel({ forMs: 5_000 });
    await world.done(entered);
    expect(usersIn({ peer: alice, room, told: [] })).toEqual(['alice']);
    expect([alice.requests('action').length, alice.routes.filter((route) => route.endsWith('/participants'))]).toEqual([
      1,
      [],
    ]);
    room.exit();
    await world.advance(10_000);
  });
});
