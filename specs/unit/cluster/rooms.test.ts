import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { ROOM_TIMES } from '../../../src/protocol/limits.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import type { RoomCommandPayload, RoomCommandType } from '../../../src/protocol/messages/rooms.ts';
import { DEAD_MS } from '../../../sim/cluster/open-link.ts';
import type { Device } from '../exchange/exchange-fixture.ts';
import { Nodes, reconnect, requestId, turn, type TestNode } from './nodes.ts';

async function command<T extends RoomCommandType>(device: Device, type: T, payload: RoomCommandPayload<T>) {
  return (await device.room(type, payload, requestId())) as { error?: { code: number }; payload?: any };
}

/** Alice is connected to the first node, and Bob to the second. Alice has created a room. */
async function aliceAndBob(options: ConstructorParameters<typeof Nodes>[0] = {}) {
  const nodes = new Nodes(options);
  const [first, second, third] = [await nodes.start('n1'), await nodes.start('n2'), await nodes.start('n3')];
  const [alice, bob] = [await first.device('alice'), await second.device('bob')];
  await turn();
  const created = await command(alice, 'room_create', { type: 'small_room_for_video' });
  await turn();
  return { nodes, first, second, third, alice, bob, room_id: created.payload.room.room_id as string };
}

const entering = (device: Device, room_id: string) =>
  command(device, 'room_enter', { room_id, is_audio_on: true, is_video_on: true, kick_siblings: false });

const typesOf = (device: Device) => device.roomEvents.map(({ type }) => type);

describe('the creation of a room', () => {
  const CREATE = { type: 'small_room_for_video' } as const;

  const roomsOf = async ({ store }: Nodes) => store.rooms.countOpen('alice');

  it('that is repeated at another node returns the first room', async () => {
    const { nodes, second, alice } = await aliceAndBob();
    expect(await roomsOf(nodes)).toBe(1);
    const created = (await alice.room('room_create', CREATE, 'again')) as { payload?: any };
    await turn();
    const { room_id, created_at } = created.payload.room;
    await entering(alice, room_id);
    await nodes.pass(1_000);
    const moved = await reconnect(alice, second);
    const repeated = (await moved.room('room_create', CREATE, 'again')) as { payload?: any };
    expect(repeated.payload.room).toMatchObject({ room_id, created_by: 'alice', created_at });
    expect(await roomsOf(nodes)).toBe(2);
  });

  it('that is repeated at another node returns the room as its owner has it', async () => {
    const { nodes, second, alice } = await aliceAndBob();
    const created = (await alice.room('room_create', CREATE, 'again')) as { payload?: any };
    const { room_id } = created.payload.room;
    await entering(alice, room_id);
    // The owner has changes that are not in the database.
    nodes.store.rooms.save = async () => undefined;
    await command(alice, 'room_custom_items_update', { room_id, custom_items: { mood: 'good' } });
    const moved = await reconnect(alice, second);
    const repeated = (await moved.room('room_create', CREATE, 'again')) as { payload?: any };
    expect(repeated.payload.room).toMatchObject({
      ...{ room_id, custom_items: { mood: 'good' } },
      current_participants: [{ user: { user_id: 'alice' } }],
    });
    expect(second.exchange.liveRooms).toEqual([]);
  });

  it('that is repeated at another node is refused as the owner refuses it', async () => {
    const { second, alice } = await aliceAndBob();
    const created = (await alice.room('room_create', CREATE, 'again')) as { payload?: any };
    const { room_id } = created.payload.room;
    await entering(alice, room_id);
    const moved = await reconnect(alice, second);
    await command(moved, 'room_delete', { room_id });
    const repeated = (await moved.room('room_create', CREATE, 'again')) as { error?: { code: number } };
    expect(repeated.error?.code).toBe(ErrorCode.ERR_ROOM_DELETED);
  });

  it('is repeated over HTTP by its header', async () => {
    const { nodes, first, second, alice } = await aliceAndBob();
    const create = async ({ http }: TestNode, id: string) => {
      const headers = { ...alice.headers, [HEADERS.requestId]: id };
      const { status, body } = await http('POST', '/v1/rooms', { headers, body: CREATE });
      return [status, body.room.room_id as string] as const;
    };
    await second.exchange.prepare({ session: alice.token });
    const created = await create(first, 'again');
    expect(created[0]).toBe(200);
    expect(await create(second, 'again')).toEqual(created);
    expect((await create(second, 'another'))[1]).not.toBe(created[1]);
    expect(await roomsOf(nodes)).toBe(3);
  });

  it('goes on at another node with the same id when the first node died before', async () => {
    const { nodes, first, second, alice } = await aliceAndBob();
    const { rooms } = nodes.store;
    const save = rooms.save.bind(rooms);
    rooms.save = () => new Promise(() => undefined);
    alice.receive(
      JSON.stringify({ version: 1, request_id: 'again', cmd: 'COMM', type: 'room_create', payload: CREATE }),
    );
    await turn();
    first.kill();
    rooms.save = save;
    const [claimed] = nodes.server.keys.names.filter((key) => key.endsWith('again'));
    await nodes.pass(DEAD_MS + 2_000);
    const moved = await reconnect(alice, second);
    const repeated = (await moved.room('room_create', CREATE, 'again')) as { payload?: any };
    expect(repeated.payload.room.room_id).toBe(nodes.server.keys.get(claimed ?? ''));
    expect(await roomsOf(nodes)).toBe(2);
  });

  it('is refused while the shared state cannot be reached', async () => {
    const { nodes, first, alice } = await aliceAndBob();
    nodes.server.setReachable('n1', false);
    const refused = await command(alice, 'room_create', CREATE);
    expect(refused.error?.code).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    const { status } = await first.http('POST', '/v1/rooms', {
      headers: { ...alice.headers, [HEADERS.requestId]: requestId() },
      body: CREATE,
    });
    expect([status, await roomsOf(nodes)]).toEqual([503, 1]);
  });
});

describe('the rooms of a node that drains', () => {
  const CREATE = { type: 'small_room_for_video' } as const;

  it('are created by another node, and entered there', async () => {
    const { nodes, first, second, third, alice } = await aliceAndBob();
    first.exchange.drain(60_000);
    await turn();
    const created = (await alice.room('room_create', CREATE, 'again')) as { payload?: any };
    const { room_id } = created.payload.room;
    expect(created.payload.room).toMatchObject({ created_by: 'alice' });
    expect((await entering(alice, room_id)).payload.room.current_participants).toHaveLength(1);
    expect(first.exchange.liveRooms).toEqual([]);
    expect([second, third].flatMap(({ exchange }) => exchange.liveRooms)).toMatchObject([{ participants: 1 }]);
    const moved = await reconnect(alice, second);
    const repeated = (await moved.room('room_create', CREATE, 'again')) as { payload?: any };
    expect([repeated.payload.room.room_id, await nodes.store.rooms.countOpen('alice')]).toEqual([room_id, 2]);
  });

  it('are created over HTTP without a request id', async () => {
    const { nodes, first, alice } = await aliceAndBob();
    first.exchange.drain(60_000);
    await turn();
    const { status } = await first.http('POST', '/v1/rooms', { headers: alice.headers, body: CREATE });
    expect([status, await nodes.store.rooms.countOpen('alice')]).toEqual([200, 2]);
  });

  it('are created by the next node when the first one has just died', async () => {
    const { nodes, first, third, alice } = await aliceAndBob();
    first.exchange.drain(60_000);
    await turn();
    third.kill();
    alice.receive(
      JSON.stringify({ version: 1, request_id: 'again', cmd: 'COMM', type: 'room_create', payload: CREATE }),
    );
    await nodes.pass(DEAD_MS + 2_000);
    expect(await nodes.store.rooms.countOpen('alice')).toBe(2);
  });

  it('are entered at another node, when no participant is left', async () => {
    const { first, second, third, alice, bob, room_id } = await aliceAndBob();
    const entered = await entering(alice, room_id);
    const { participant_id } = entered.payload.room.current_participants[0];
    await command(alice, 'room_exit', { room_id, participant_id });
    await turn();
    first.exchange.drain(60_000);
    await turn();
    const replies = await Promise.all([entering(alice, room_id), entering(bob, room_id)]);
    expect(replies.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(first.exchange.liveRooms).toEqual([]);
    expect([second, third].flatMap(({ exchange }) => exchange.liveRooms)).toMatchObject([{ participants: 2 }]);
  });

  it('keep their participants, and further ones may enter and be invited', async () => {
    const { first, alice, bob, room_id } = await aliceAndBob();
    await entering(alice, room_id);
    first.exchange.drain(60_000);
    await turn();
    expect((await command(alice, 'invitation_send', { room_id, invitee_id: 'bob' })).error).toBeUndefined();
    expect((await entering(bob, room_id)).error).toBeUndefined();
    expect(first.exchange.liveRooms).toMatchObject([{ participants: 2 }]);
  });

  it('are continued by another node with their participants when it stops', async () => {
    const { nodes, first, third, alice, bob, room_id } = await aliceAndBob();
    const { participant_id, entered_at } = (await entering(alice, room_id)).payload.me;
    await entering(bob, room_id);
    first.exchange.drain(60_000);
    first.exchange.close();
    await turn();
    first.cluster.dispose();
    await first.link.leave();
    await nodes.pass(100);
    const moved = await reconnect(alice, third);
    const alive = await command(moved, 'room_alive', { room_id, participant_id });
    expect(alive.error).toBeUndefined();
    const { room } = (await command(bob, 'room_get', { room_id })).payload;
    expect(room.current_participants).toMatchObject([
      { participant_id, entered_at, user: { user_id: 'alice' } },
      { user: { user_id: 'bob' }, is_local_participant: true },
    ]);
    expect(third.exchange.liveRooms).toMatchObject([{ participants: 2 }]);
    expect(await nodes.store.rooms.stays(room_id)).toEqual([]);
    await command(moved, 'room_exit', { room_id, participant_id });
    expect(await nodes.store.rooms.stays(room_id)).toMatchObject([{ participantId: participant_id, reason: null }]);
  });

  it('are created by the node itself when no other node can create them', async () => {
    const { first, second, third, alice } = await aliceAndBob();
    for (const { exchange } of [first, second, third]) exchange.drain(60_000);
    await turn();
    expect((await command(alice, 'room_create', CREATE)).error).toBeUndefined();
  });
});

describe('a room with participants at several nodes', () => {
  it('has one owner, which the commands and requests of all devices reach', async () => {
    const { first, second, third, alice, bob, room_id } = await aliceAndBob();
    expect((await entering(bob, room_id)).error).toBeUndefined();
    const entered = await entering(alice, room_id);
    expect(entered.payload.room.current_participants).toHaveLength(2);
    expect(typesOf(bob)).toContain('participant_entered');
    expect([first, second, third].map(({ exchange }) => exchange.liveRooms.length)).toEqual([0, 1, 0]);
    expect([third.exchange.presenceOf('alice'), third.exchange.presenceOf('bob')]).toEqual(['in_call', 'in_call']);
    const { status, body } = await third.http('GET', `/v1/rooms/${room_id}`, { headers: alice.headers });
    expect([status, body.room.current_participants.length]).toEqual([200, 2]);
    const unknown = await third.http('GET', '/v1/rooms/none', { headers: alice.headers });
    expect([unknown.status, unknown.body.code]).toEqual([404, ErrorCode.ERR_ROOM_DELETED]);
  });

  it('invites a user at another node, whose answer reaches the inviter', async () => {
    const { alice, bob, room_id } = await aliceAndBob();
    await entering(alice, room_id);
    expect((await command(alice, 'invitation_send', { room_id, invitee_id: 'bob' })).error).toBeUndefined();
    await turn();
    expect(typesOf(bob)).toEqual(['invitation_sent']);
    expect((await command(bob, 'invitation_accept', { room_id, inviter_id: 'alice' })).error).toBeUndefined();
    await turn();
    expect(typesOf(alice)).toContain('invitation_accepted');
  });

  it('goes on at another node with its participants after its node has died', async () => {
    const { nodes, first, second, third, alice, bob, room_id } = await aliceAndBob();
    const { participant_id } = (await entering(alice, room_id)).payload.me;
    const bobs = (await entering(bob, room_id)).payload;
    await command(alice, 'room_audio', { room_id, participant_id, on: false });
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    const payload = { room_id, participant_id: bobs.me.participant_id };
    const alive = await command(bob, 'room_alive', payload);
    expect(alive.error).toBeUndefined();
    expect(alive.payload.sequence_number).toBeGreaterThan(bobs.room.sequence_number + 1);
    const moved = await reconnect(alice, third);
    expect((await command(moved, 'room_alive', { room_id, participant_id })).error).toBeUndefined();
    const { room } = (await command(moved, 'room_get', { room_id })).payload;
    expect(room.current_participants).toMatchObject([
      { participant_id, state: 'entered', is_audio_on: false, is_video_on: true, duration: 7 },
      { participant_id: bobs.me.participant_id, is_audio_on: true },
    ]);
    expect([second, third].map(({ exchange }) => exchange.liveRooms.length)).toEqual([1, 0]);
    expect([third.exchange.presenceOf('alice'), third.exchange.presenceOf('bob')]).toEqual(['in_call', 'in_call']);
  });

  it('goes on at another node with its participants when the database fails at first', async () => {
    const { nodes, first, second, alice, bob, room_id } = await aliceAndBob();
    const { participant_id } = (await entering(alice, room_id)).payload.me;
    const bobs = (await entering(bob, room_id)).payload.me.participant_id;
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    const { rooms } = nodes.store;
    const find = rooms.find.bind(rooms);
    let reads = 0;
    rooms.find = async (id) => {
      // The room exists, but its load fails.
      if ((reads += 1) > 1) throw new Error('down');
      return find(id);
    };
    const alive = () => command(bob, 'room_alive', { room_id, participant_id: bobs });
    expect((await alive()).error?.code).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    rooms.find = find;
    // The node looks after its rooms before the next sign of life.
    await nodes.pass(30_000);
    expect((await alive()).error).toBeUndefined();
    const { room } = (await command(bob, 'room_get', { room_id })).payload;
    expect(room.current_participants).toMatchObject([{ participant_id }, { participant_id: bobs }]);
    expect(second.exchange.liveRooms).toMatchObject([{ participants: 2 }]);
  });

  it('loses a participant who does not come back after its node has died', async () => {
    const { nodes, first, second, alice, bob, room_id } = await aliceAndBob();
    await entering(alice, room_id);
    const { participant_id } = (await entering(bob, room_id)).payload.me;
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    for (let at = 0; at < 10; at += 1) {
      await command(bob, 'room_alive', { room_id, participant_id });
      await nodes.pass(5_000);
    }
    expect(second.exchange.liveRooms).toEqual([{ roomId: room_id, participants: 1 }]);
    expect(await nodes.store.rooms.stays(room_id)).toMatchObject([{ userId: 'alice', reason: 'connection_lost' }]);
  });

  it('keeps its invitations after its node has died, for the rest of their time', async () => {
    const { nodes, first, second, alice, bob, room_id } = await aliceAndBob();
    await entering(alice, room_id);
    await command(alice, 'invitation_send', { room_id, invitee_id: 'bob' });
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    const moved = await reconnect(alice, second);
    expect((await command(bob, 'invitation_accept', { room_id, inviter_id: 'alice' })).error).toBeUndefined();
    await turn();
    expect(typesOf(moved)).toContain('invitation_accepted');
    await command(moved, 'invitation_send', { room_id, invitee_id: 'bob' });
    second.kill();
    await nodes.pass(ROOM_TIMES.invitationMs - 20_000);
    const third = await nodes.start('n4');
    const later = await reconnect(bob, third);
    expect((await command(later, 'room_get', { room_id })).error).toBeUndefined();
    expect(third.exchange.roomSnapshots).toMatchObject([{ invitations: 1 }]);
    await nodes.pass(20_000);
    expect(third.exchange.roomSnapshots).toMatchObject([{ invitations: 0 }]);
  });

  it('is not continued while the sign of life of its node is valid, also when the bus has lost messages', async () => {
    let isLossy = false;
    const { nodes, first, second, alice, bob, room_id } = await aliceAndBob({
      transit: (_, arrive, transfer) => {
        if (!isLossy || transfer !== 'text') queueMicrotask(arrive);
      },
    });
    const { participant_id } = (await entering(alice, room_id)).payload.me;
    isLossy = true;
    await nodes.pass(DEAD_MS + 1_000);
    expect(second.link.isAlive('n1')).toBe(false);
    const payload = { room_id, is_audio_on: true, is_video_on: true, kick_siblings: false };
    const frame = { version: 1, request_id: requestId(), cmd: 'COMM', type: 'room_enter', payload };
    bob.receive(JSON.stringify(frame));
    await nodes.pass(DEAD_MS);
    isLossy = false;
    await nodes.pass(5_000);
    expect(bob.replies.some(({ request_id }) => request_id === frame.request_id)).toBe(true);
    expect((await command(alice, 'room_alive', { room_id, participant_id })).error).toBeUndefined();
    expect([first.exchange.liveRooms.length, second.exchange.liveRooms.length]).toEqual([1, 0]);
  });

  it('counts its events on from the number of the dead node, which the database may not have', async () => {
    const { nodes, first, alice, bob, room_id } = await aliceAndBob();
    nodes.store.rooms.save = async () => undefined;
    const { participant_id } = (await entering(alice, room_id)).payload.me;
    const bobs = (await entering(bob, room_id)).payload.me.participant_id;
    const before = (await command(alice, 'room_alive', { room_id, participant_id })).payload.sequence_number;
    expect(before).toBe(2);
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    const after = (await command(bob, 'room_alive', { room_id, participant_id: bobs })).payload.sequence_number;
    expect(after).toBe(before + 1_000);
  });

  it('stays at its node when the state has lost its keys, also while it changes', async () => {
    const { nodes, first, alice, room_id } = await aliceAndBob();
    const { participant_id } = (await entering(alice, room_id)).payload.me;
    nodes.server.lose();
    nodes.server.setReachable('n1', false);
    nodes.server.setReachable('n1', true);
    const changed = command(alice, 'room_audio', { room_id, participant_id, on: false });
    await nodes.pass(3_000);
    expect((await changed).error).toBeUndefined();
    await nodes.pass(33_000);
    expect([first.exchange.liveRooms.length, alice.closes]).toEqual([1, []]);
    expect(nodes.server.keys.names).toContain(`room ${room_id}`);
  });

  it('stays at its node for a minute after its last use', async () => {
    const { nodes, first, second, alice, bob, room_id } = await aliceAndBob();
    const { participant_id } = (await entering(alice, room_id)).payload.me;
    await command(alice, 'room_exit', { room_id, participant_id });
    await nodes.pass(55_000);
    await entering(bob, room_id);
    expect([first.exchange.liveRooms.length, second.exchange.liveRooms.length]).toEqual([1, 0]);
  });

  it('that is deleted is not continued', async () => {
    const { nodes, first, alice, bob, room_id } = await aliceAndBob();
    await entering(alice, room_id);
    // The database has the deletion, and the shared state does not have it yet.
    const record = await nodes.store.rooms.find(room_id);
    if (record) await nodes.store.rooms.save({ ...record, deletedAt: 1 });
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    expect((await command(bob, 'room_get', { room_id })).error?.code).toBe(ErrorCode.ERR_ROOM_DELETED);
  });

  it('is given up when no device uses it, so that the next node may own it', async () => {
    const { nodes, first, second, alice, bob, room_id } = await aliceAndBob();
    const entered = await entering(alice, room_id);
    const { participant_id } = entered.payload.room.current_participants[0];
    await command(alice, 'room_exit', { room_id, participant_id });
    expect(first.exchange.liveRooms).toEqual([]);
    await nodes.pass(100_000);
    await entering(bob, room_id);
    expect([first.exchange.liveRooms.length, second.exchange.liveRooms.length]).toEqual([0, 1]);
  });

  it('has no participants at a node that another node only takes for its owner', async () => {
    const { first, second, third, bob, room_id } = await aliceAndBob();
    await entering(bob, room_id);
    const carol = await third.device('carol');
    const payload = { room_id, is_audio_on: true, is_video_on: true, kick_siblings: false };
    const frame = { version: 1, request_id: requestId(), cmd: 'COMM', type: 'room_enter', payload };
    const device = { userId: carol.userId, clientId: carol.clientId };
    await expect(third.link.ask('n1', 'command', { device, frame })).rejects.toThrow('failed to answer');
    expect([first.exchange.liveRooms.length, second.exchange.liveRooms[0]?.participants]).toEqual([0, 1]);
    await expect(third.link.ask('n2', 'command', { device, frame })).resolves.toMatchObject({ kind: 'reply' });
    expect(second.exchange.liveRooms[0]?.participants).toBe(2);
  });

  it('is forgotten by a node from which another node has taken it', async () => {
    const { nodes, first, third, alice, bob, room_id } = await aliceAndBob();
    await entering(alice, room_id);
    expect(first.exchange.liveRooms).toHaveLength(1);
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 2_000);
    await entering(bob, room_id);
    nodes.server.setReachable('n1', true);
    await nodes.pass(3_000);
    expect(first.exchange.liveRooms).toEqual([]);
    // The other node has continued it with Alice, whose device comes back or is lost there.
    expect(third.exchange.presenceOf('alice')).toBe('in_call');
    await nodes.pass(50_000);
    expect(third.exchange.presenceOf('alice')).toBe('online');
    expect(await nodes.store.rooms.find(room_id)).toMatchObject({ exchange: 'n2' });
  });

  it('keeps the participants of other nodes while its node cannot hear them, and loses the silent ones later', async () => {
    const { nodes, first, alice, bob, room_id } = await aliceAndBob();
    const { participant_id } = (await entering(alice, room_id)).payload.me;
    await entering(bob, room_id);
    const passAlive = async (times: number) => {
      for (let at = 0; at < times; at += 1) {
        await nodes.pass(5_000);
        await command(alice, 'room_alive', { room_id, participant_id });
      }
    };
    const participants = () => first.exchange.liveRooms.map((room) => room.participants);
    nodes.server.setReachable('n1', false);
    await passAlive(10);
    expect([participants(), typesOf(alice)]).toEqual([[2], ['participant_entered']]);
    nodes.server.setReachable('n1', true);
    await passAlive(8);
    expect(participants()).toEqual([2]);
    await passAlive(9);
    expect([participants(), typesOf(alice)]).toEqual([[1], ['participant_entered', 'participant_disconnected']]);
  });

  it('loses a silent participant of its own node also while it is cut off', async () => {
    const { nodes, first, alice, bob, room_id } = await aliceAndBob();
    await entering(alice, room_id);
    await entering(bob, room_id);
    nodes.server.setReachable('n1', false);
    await nodes.pass(50_000);
    expect(first.exchange.liveRooms.map((room) => room.participants)).toEqual([1]);
  });

  it('is at one node when two devices enter before they know that its node has died', async () => {
    const { nodes, first, second, third, alice, bob, room_id } = await aliceAndBob();
    const carol = await third.device('carol');
    await entering(alice, room_id);
    first.kill();
    await nodes.pass(300);
    const frames = [bob, carol].map((device) => {
      const payload = { room_id, is_audio_on: true, is_video_on: true, kick_siblings: false };
      const frame = { version: 1, request_id: requestId(), cmd: 'COMM', type: 'room_enter', payload };
      device.receive(JSON.stringify(frame));
      return frame;
    });
    await nodes.pass(DEAD_MS + 5_000);
    const replies = [bob, carol].map((device, at) =>
      device.replies.find(({ request_id }) => request_id === frames[at]?.request_id),
    );
    expect(replies).toMatchObject([{ payload: {} }, { payload: {} }]);
    expect(
      [second, third].map(({ exchange }) => exchange.liveRooms.length).toSorted((one, other) => one - other),
    ).toEqual([0, 1]);
  });

  it('that a client invented is claimed by no node', async () => {
    const { second, alice } = await aliceAndBob();
    for (let made = 0; made < 5; made += 1) {
      const reply = await command(alice, 'room_get', { room_id: `invented-${made}` });
      expect(reply.error?.code).toBe(ErrorCode.ERR_ROOM_DELETED);
    }
    await turn();
    expect([...second.link.table('rooms').keysElsewhere()]).toEqual([]);
  });

  it('goes on at a node that cannot reach the state', async () => {
    const { nodes, first, alice, room_id } = await aliceAndBob();
    const entered = await entering(alice, room_id);
    const { participant_id } = entered.payload.me;
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    expect((await command(alice, 'room_alive', { room_id, participant_id })).error).toBeUndefined();
    expect(first.exchange.liveRooms).toHaveLength(1);
  });
});
