import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HEADERS } from '../../../src/protocol/http.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import { DEAD_MS } from '../../../sim/cluster/open-link.ts';
import { SharedLiveCalls } from '../../../sim/cluster/shared-live-calls.ts';
import { AV, CONNECTION, type Device } from '../exchange/exchange-fixture.ts';
import { codeOf, Nodes, reconnect, requestId, say, turn, type TestNode } from './nodes.ts';

const SILENCE = DEFAULT_SETTINGS.aliveSilenceMs;
const DIAL = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };

/** Alice is connected to the first node, and Bob to the second. */
async function aliceAndBob(options: ConstructorParameters<typeof Nodes>[0] = {}) {
  const nodes = new Nodes(options);
  const [first, second, third] = [await nodes.start('n1'), await nodes.start('n2'), await nodes.start('n3')];
  const [alice, bob] = [await first.device('alice'), await second.device('bob')];
  await turn();
  return { nodes, first, second, third, alice, bob };
}

/** Returns the id of the call that a reply names. */
const callIdIn = (reply: Awaited<ReturnType<typeof say>>): string =>
  v.parse(v.object({ call_id: v.string() }), reply?.payload).call_id;

type Both = Awaited<ReturnType<typeof aliceAndBob>>;

async function dialled({ alice }: Pick<Both, 'alice'>, request?: string): Promise<string> {
  const reply = await say(alice, 'dial', DIAL, request);
  expect(codeOf(reply)).toBe(0);
  return callIdIn(reply);
}

async function connected(both: Pick<Both, 'alice' | 'bob'>): Promise<string> {
  const call_id = await dialled(both);
  expect(codeOf(await say(both.bob, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(0);
  for (const one of [both.alice, both.bob]) {
    expect(codeOf(await say(one, 'connected', { call_id, connection: CONNECTION, reconnect: false }))).toBe(0);
  }
  return call_id;
}

/** Starts a node whose start waits for the database. */
function startHanging(nodes: Nodes, name: string): void {
  nodes.store.callers = () => new Promise(() => undefined);
  void nodes.start(name);
}

const presences = (nodes: readonly TestNode[], userId: string) =>
  nodes.map(({ exchange }) => exchange.presenceOf(userId));

/** The calls that rang on a device. A ring that is sent again has the id of its call. */
const ringsOf = (device: Device): string[] => [
  ...new Set(device.events.flatMap(({ type, payload }) => (type === 'dial' ? [payload.call_id] : []))),
];

/**
 * Lets a call ring until the second node has adopted it, since its node and that of the callee's laptop are cut off.
 * `reconnectNodes` ends that.
 */
async function adoptedWhileTwoAreCutOff() {
  const both = await aliceAndBob();
  const { nodes, third } = both;
  const laptop = await third.device('bob', 'laptop');
  await turn();
  const call_id = await dialled(both);
  const setReachable = (isReachable: boolean) => {
    for (const node of ['n1', 'n3']) nodes.server.setReachable(node, isReachable);
  };
  setReachable(false);
  await nodes.pass(DEAD_MS + 2_000);
  return { ...both, laptop, call_id, reconnectNodes: () => setReachable(true) };
}

/** Watches the writes of live calls. `hold` lets those of the node end no more that wrote first. */
function watchSaves(): { hold: () => void } {
  const { save } = SharedLiveCalls.prototype;
  const saves = vi.spyOn(SharedLiveCalls.prototype, 'save');
  onTestFinished(() => saves.mockRestore());
  const hold = () => {
    const [ofFirst] = saves.mock.contexts;
    saves.mockImplementation(function (this: SharedLiveCalls, ...written) {
      return this === ofFirst ? new Promise(() => undefined) : save.apply(this, written);
    });
  };
  return { hold };
}

/** The keys of live calls in the shared state. */
async function keptCalls({ nodes }: Pick<Both, 'nodes'>): Promise<string[]> {
  const state = nodes.server.connect('reader');
  const owned = await Promise.all(['n1', 'n2', 'n3'].map((name) => state.fields(`calls ${name}`)));
  await state.close();
  return owned.flatMap((calls) => [...calls.keys()]);
}

describe('a call between two nodes', () => {
  it('rings, is accepted and ends, and every node shows both users as busy meanwhile', async () => {
    const both = await aliceAndBob();
    const { nodes, first, second, third, alice, bob } = both;
    const all = [first, second, third];
    expect(presences(all, 'bob')).toEqual(['online', 'online', 'online']);
    const call_id = await connected(both);
    expect([presences(all, 'alice'), presences(all, 'bob')]).toEqual([
      ['in_call', 'in_call', 'in_call'],
      ['in_call', 'in_call', 'in_call'],
    ]);
    expect(await keptCalls(both)).toEqual([call_id]);
    expect(codeOf(await say(bob, 'end', { call_id }))).toBe(0);
    expect(alice.told).toBe('completed');
    expect([presences(all, 'alice'), await keptCalls(both)]).toEqual([['online', 'online', 'online'], []]);
    expect(nodes.store.records).toMatchObject([{ callId: call_id, endResult: 'completed' }]);
  });

  it('rings on a device that connects to another node while it rings', async () => {
    const both = await aliceAndBob();
    const call_id = await dialled(both);
    const laptop = await both.third.device('bob', 'laptop');
    await turn();
    expect(laptop.event('dial')).toMatchObject({ call_id });
    expect(codeOf(await say(laptop, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(0);
    expect([both.bob.told, both.alice.types]).toEqual(['other_device_accepted', ['accept']]);
  });

  it('rings at the node where the device connected last, whatever the wall clocks of the nodes show', async () => {
    let isDeaf = false;
    const nodes = new Nodes({
      transit: (node, arrive, transfer) => {
        if (!isDeaf || node !== 'n1' || transfer !== 'text') queueMicrotask(arrive);
      },
    });
    const [first, second] = [await nodes.start('n1', 90_000), await nodes.start('n2', -90_000)];
    const alice = await (await nodes.start('n3')).device('alice');
    const bob = await first.device('bob');
    await nodes.pass(1_000);
    // The first node does not learn that the device has another channel.
    isDeaf = true;
    const moved = await reconnect(bob, second);
    const call_id = await dialled({ alice });
    expect([ringsOf(moved), ringsOf(bob)]).toEqual([[call_id], []]);
  });

  it('answers requests about it over HTTP at every node', async () => {
    const both = await aliceAndBob();
    const { first, third, alice, bob } = both;
    const call_id = await connected(both);
    const ask = (method: string, path: string, body?: unknown, query: Record<string, string> = {}) =>
      third.http(method, path, { headers: bob.headers, query, body });
    const missed = await ask('GET', '/v1/direct_calls/missed_signal', undefined, { call_ids: call_id });
    expect([missed.status, missed.body.signals.map(({ type }: { type: string }) => type)]).toEqual([
      200,
      ['connected'],
    ]);
    const items = await ask('PUT', `/v1/direct_calls/${call_id}/custom_items`, {
      custom_items: { mood: 'good' },
      mode: 'upsert',
    });
    expect([items.status, items.body.custom_items]).toEqual([200, { mood: 'good' }]);
    expect(alice.event('custom_items_update')).toMatchObject({ call_id, custom_items: { mood: 'good' } });
    const unknown = await third.http('PUT', `/v1/direct_calls/${call_id}/custom_items`, {
      headers: (await first.device('carol')).headers,
      body: { custom_items: { mood: 'bad' }, mode: 'upsert' },
    });
    expect([unknown.status, unknown.body.code]).toEqual([404, ErrorCode.ERR_CALL_DOES_NOT_EXIST]);
    const end = await ask('POST', '/v1/action/direct_call', bob.frame('end', { call_id }, requestId()));
    expect([end.status, alice.told]).toEqual([200, 'completed']);
  });

  it('S11 accepts the report of a sleeping device at any node, once', async () => {
    const both = await aliceAndBob();
    const call_id = await dialled(both);
    const headers = {
      [HEADERS.shortLivedToken]: both.bob.event('dial').short_lived_token,
      [HEADERS.clientId]: both.bob.clientId,
    };
    const delivery = { callee_delivery_info: { channel: 'push' }, received_type: 'push' } as const;
    const report = (request: string, node = both.third) =>
      node.http('POST', '/v1/action/direct_call', {
        headers,
        body: both.bob.frame('dial_rcv', { call_id, ...delivery }, request),
      });
    expect([(await report('r1')).status, both.alice.types]).toEqual([200, ['dial_rcv']]);
    expect([(await report('r1')).status, (await report('r2')).status]).toEqual([200, 401]);
    expect((await report('r3', both.second)).status).toBe(401);
  });

  it('begins once when the client repeats its dial at another node', async () => {
    const both = await aliceAndBob();
    const call_id = await dialled(both, 'again');
    const moved = await reconnect(both.alice, both.third);
    expect(both.alice.closes).toEqual([4000]);
    const reply = await say(moved, 'dial', DIAL, 'again');
    expect([callIdIn(reply), ringsOf(both.bob)]).toEqual([call_id, [call_id]]);
  });

  it('begins once when the shared state has lost its keys, and is refused until each node has written its own', async () => {
    const both = await aliceAndBob();
    const { nodes, third, alice, bob } = both;
    const call_id = await dialled(both, 'again');
    const moved = await reconnect(alice, third);
    nodes.server.lose();
    const replyTo = async (request: string) => {
      await say(moved, 'dial', DIAL, request);
      return moved.replies.at(-1);
    };
    for (const times of [1, 2]) {
      expect([times, (await replyTo('again'))?.error?.code]).toEqual([times, ErrorCode.ERR_SERVER_INTERNAL_ERROR]);
    }
    await nodes.pass(4_500);
    // This node has written its keys again. Another one may not have.
    expect((await replyTo('another'))?.error?.code).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    await nodes.pass(DEAD_MS);
    expect(callIdIn(await replyTo('again'))).toBe(call_id);
    expect(ringsOf(bob)).toEqual([call_id]);
    expect(codeOf(await say(moved, 'cancel', { call_id }))).toBe(0);
    await dialled({ alice: moved });
  });

  it('is known to its node after the shared state has lost its keys', async () => {
    const both = await aliceAndBob();
    const { nodes, alice, bob } = both;
    const call_id = await dialled(both, 'again');
    nodes.server.lose();
    await say(alice, 'dial', DIAL, 'again');
    const replies = alice.replies.filter(({ request_id }) => request_id === 'again');
    expect(replies.map(callIdIn)).toEqual([call_id, call_id]);
    expect(ringsOf(bob)).toEqual([call_id]);
  });

  it('that a draining node repeats after the loss of the keys keeps no device from moving when it is over', async () => {
    const both = await aliceAndBob();
    const { nodes, first, alice } = both;
    const call_id = await dialled(both, 'again');
    first.exchange.drain(60_000);
    nodes.server.lose();
    await say(alice, 'dial', DIAL, 'again');
    expect(alice.replies.filter(({ request_id }) => request_id === 'again').map(callIdIn)).toEqual([call_id, call_id]);
    expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    const { userId, clientId } = alice;
    expect(first.cluster.hasCallElsewhere?.({ userId, clientId })).toBe(false);
  });

  it('begins at a node that was cut off and has no calls, at once when it is back', async () => {
    const both = await aliceAndBob();
    const { nodes, first } = both;
    let losses = 0;
    first.link.onLost(() => void (losses += 1));
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    nodes.server.setReachable('n1', true);
    await nodes.pass(10);
    await dialled(both);
    expect(losses).toBe(0);
  });

  it('is adopted by a node that asks the former owner, after the new owner has died', async () => {
    const { nodes, first, second, third, laptop, call_id, reconnectNodes } = await adoptedWhileTwoAreCutOff();
    expect(second.exchange.liveCalls).toHaveLength(1);
    second.kill();
    reconnectNodes();
    await turn();
    laptop.receive(JSON.stringify(laptop.frame('alive', { call_id }, 'late')));
    await nodes.pass(DEAD_MS + 5_000);
    const reply = laptop.replies.find(({ request_id }) => request_id === 'late');
    expect(codeOf(reply)).toBe(0);
    expect([first, third].flatMap(({ exchange }) => exchange.liveCalls)).toHaveLength(1);
  });

  it.each(['that node', 'the former node'])(
    'is found at the node that adopts it, before that node has it, by %s',
    async (asking) => {
      const { nodes, first, second, third, alice, laptop, call_id, reconnectNodes } = await adoptedWhileTwoAreCutOff();
      alice.disconnect();
      second.kill();
      const { claim } = SharedLiveCalls.prototype;
      let goOn = () => {};
      const isHeld = new Promise<void>((resolve) => (goOn = resolve));
      const claims = vi.spyOn(SharedLiveCalls.prototype, 'claim').mockImplementation(async function (
        this: SharedLiveCalls,
        ...asked
      ) {
        const claimed = await claim.apply(this, asked);
        if (claimed.is === 'mine') await isHeld;
        return claimed;
      });
      onTestFinished(() => claims.mockRestore());
      reconnectNodes();
      await nodes.pass(DEAD_MS + 5_000);
      expect([nodes.server.keys.fields(`call ${call_id}`).get('owner'), third.exchange.liveCalls]).toEqual(['n3', []]);
      const device = asking === 'that node' ? laptop : await reconnect(alice, first);
      device.receive(JSON.stringify(device.frame('alive', { call_id }, 'early')));
      await turn();
      goOn();
      await nodes.pass(2_000);
      expect(codeOf(device.replies.find(({ request_id }) => request_id === 'early'))).toBe(0);
    },
  );

  it('is removed from the shared state when its record is stored as its node stops', async () => {
    let isSlow = false;
    const both = await aliceAndBob({
      transit: (_, arrive) => void (isSlow ? setImmediate(arrive) : queueMicrotask(arrive)),
    });
    const { nodes, first, alice } = both;
    const call_id = await connected(both);
    const { saveCalls } = nodes.store;
    nodes.store.saveCalls = async (records) => {
      // The shared state is done before the database is.
      await turn();
      return saveCalls.call(nodes.store, records);
    };
    isSlow = true;
    alice.receive(JSON.stringify(alice.frame('end', { call_id })));
    first.exchange.close();
    await first.exchange.kept();
    isSlow = false;
    expect(nodes.server.keys.names).not.toContain(`call ${call_id}`);
    expect(await keptCalls(both)).toEqual([]);
    expect(nodes.store.records).toMatchObject([{ endResult: 'completed' }]);
  });

  it('has its record also while the write of a room does not end', async () => {
    const both = await aliceAndBob();
    const { nodes, first, alice } = both;
    const call_id = await connected(both);
    const carol = await first.device('carol');
    const { save } = nodes.store.rooms;
    onTestFinished(() => void (nodes.store.rooms.save = save));
    nodes.store.rooms.save = () => new Promise(() => undefined);
    // Its reply waits for the write.
    void carol.room('room_create', { type: 'small_room_for_video' }).catch(() => undefined);
    await turn();
    alice.receive(JSON.stringify(alice.frame('end', { call_id })));
    await turn();
    expect(nodes.store.records).toMatchObject([{ endResult: 'completed' }]);
  });

  it('is found at its new owner by a node that was cut off with the former one', async () => {
    const { first, second, third, laptop, call_id, reconnectNodes } = await adoptedWhileTwoAreCutOff();
    reconnectNodes();
    await turn();
    // The former owner has learned that it lost the call. The node of the laptop has not.
    const owners = [first, second, third].map(({ exchange }) => exchange.liveCalls.length);
    expect([owners, third.link.table('adopted').elsewhere(call_id).size]).toEqual([[0, 1, 0], 0]);
    expect(codeOf(await say(laptop, 'alive', { call_id }))).toBe(0);
  });

  it('begins once when its client left before the first dial, and the node of the second has died', async () => {
    const both = await aliceAndBob();
    const { nodes, first, third, alice, bob } = both;
    // The dial is claimed, and its device leaves before the call begins.
    alice.receive(JSON.stringify(alice.frame('dial', DIAL, 'again')));
    alice.disconnect();
    await turn();
    expect(ringsOf(bob)).toEqual([]);
    const moved = await reconnect(alice, third);
    const call_id = callIdIn(await say(moved, 'dial', DIAL, 'again'));
    first.kill();
    await nodes.pass(DEAD_MS + 7_000);
    const fourth = await nodes.start('n4');
    const back = await reconnect(moved, fourth);
    await nodes.pass(1_000);
    expect(callIdIn(await say(back, 'dial', DIAL, 'again'))).toBe(call_id);
    expect(ringsOf(bob)).toEqual([call_id]);
  });
});

describe('the sessions of a cluster', () => {
  it('S08 are valid at every node, and end at every node', async () => {
    const both = await aliceAndBob();
    const moved = await reconnect(both.bob, both.third);
    await turn();
    expect(both.bob.closes).toEqual([4000]);
    const call_id = await connected({ alice: both.alice, bob: moved });
    both.first.exchange.signOut('bob');
    await turn();
    expect([moved.closes, both.alice.told, call_id]).toEqual([[4401], 'unknown', call_id]);
    for (const node of [both.first, both.second, both.third]) {
      await node.exchange.prepare({ session: both.bob.token });
      const { status } = await node.http('GET', '/v1/direct_calls/missed_signal', {
        headers: both.bob.headers,
        query: { call_ids: call_id },
      });
      expect(status).toBe(401);
    }
  });

  it('end also where the device is not connected, with its part in a call', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.bob.disconnect();
    await turn();
    both.third.exchange.signOut('bob');
    await turn();
    expect([both.alice.told, (await both.nodes.store.call(call_id))?.endResult]).toEqual(['unknown', 'unknown']);
  });

  it('end also where their node has died, with the part of the device in a call', async () => {
    const both = await aliceAndBob();
    await connected(both);
    both.second.kill();
    await both.nodes.pass(DEAD_MS + 2_000);
    both.third.exchange.signOut('bob');
    await turn();
    expect(both.alice.told).toBe('unknown');
  });

  it('are written again after the shared state has lost them', async () => {
    const both = await aliceAndBob();
    both.nodes.server.lose();
    await both.nodes.pass(3_000);
    const moved = await reconnect(both.bob, both.third);
    expect(codeOf(await say(moved, 'heartbeat', {}))).toBe(0);
  });
});

describe('a node that dies', () => {
  it('in a connected call: another node adopts the call, and it goes on', async () => {
    const both = await aliceAndBob();
    const { nodes, second, third } = both;
    const call_id = await connected(both);
    both.first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    const alice = await reconnect(both.alice, third);
    expect(alice.event('snapshot')).toMatchObject({ call_id });
    expect(presences([second, third], 'alice')).toEqual(['in_call', 'in_call']);
    expect(await keptCalls(both)).toEqual([call_id]);
    expect(codeOf(await say(alice, 'hold', { call_id, is_on_hold: true, was_relayed: false }))).toBe(0);
    expect(both.bob.event('hold')).toMatchObject({ call_id, is_peer_on_hold: true });
    // The dead node may have sent signals that the shared state never got.
    const [before = 0, held = 0] = both.bob.events.flatMap(({ sequence_number }) => sequence_number || []).slice(-2);
    expect(held).toBeGreaterThan(before + 1);
    expect(codeOf(await say(both.bob, 'end', { call_id }))).toBe(0);
    expect([alice.told, nodes.store.records.length, await keptCalls(both)]).toEqual(['completed', 1, []]);
  });

  it('lists its calls for a device that connects before the others know of the death', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.first.kill();
    await both.nodes.pass(300);
    const alice = await reconnect(both.alice, both.third);
    const frame = alice.frame('unended_calls', {}, requestId());
    alice.receive(JSON.stringify(frame));
    await both.nodes.pass(DEAD_MS + 4_000);
    const reply = alice.replies.find(({ request_id }) => request_id === frame.request_id);
    expect(reply?.payload).toMatchObject({ calls: [{ call_id }] });
  });

  it('runs a command on its call that arrived before the others knew of the death, once', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.first.kill();
    await both.nodes.pass(300);
    const frame = both.bob.frame('end', { call_id }, requestId());
    both.bob.receive(JSON.stringify(frame));
    await both.nodes.pass(DEAD_MS + 4_000);
    expect(both.bob.replies.at(-1)).toMatchObject({ type: 'end_ack', payload: { call_id } });
    const { body } = await both.third.http('GET', '/v1/direct_calls/missed_signal', {
      headers: both.alice.headers,
      query: { call_ids: call_id },
    });
    expect(body.signals.map(({ type }: { type: string }) => type)).toContain('end');
    expect(both.nodes.store.records).toMatchObject([{ callId: call_id, endResult: 'completed' }]);
  });

  it('with several calls: the node to which a device connects adopts the calls of its user alone', async () => {
    const nodes = new Nodes();
    const [first, second] = [await nodes.start('n1'), await nodes.start('n2')];
    const [alice, carol] = [await first.device('alice'), await first.device('carol')];
    for (const callee of ['bob', 'dave']) await first.device(callee);
    const own = await dialled({ alice });
    expect(codeOf(await say(carol, 'dial', { ...DIAL, callee_id: 'dave' }))).toBe(0);
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    expect(second.exchange.liveCalls).toEqual([]);
    await reconnect(alice, second);
    await nodes.pass(1_000);
    expect(second.exchange.liveCalls).toMatchObject([{ callId: own }]);
  });

  it('while its call rings: the ring goes on, and the caller may cancel it elsewhere', async () => {
    const both = await aliceAndBob();
    const call_id = await dialled(both);
    both.first.kill();
    await both.nodes.pass(DEAD_MS + 2_000);
    expect(both.bob.told).toBeUndefined();
    const alice = await reconnect(both.alice, both.third);
    expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    expect([both.bob.told, both.nodes.store.records.length]).toEqual(['canceled', 1]);
  });

  it('and the caller does not return: the ring ends at the callee', async () => {
    const both = await aliceAndBob();
    await dialled(both);
    both.first.kill();
    await both.nodes.pass(DEAD_MS + SILENCE + 12_000);
    expect(both.bob.told).toBeDefined();
    expect([both.nodes.store.records.length, await keptCalls(both)]).toEqual([1, []]);
  });

  it('and no device returns: the call ends in the history', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.first.kill();
    both.bob.disconnect();
    // The devices may be connected to a node that is only cut off from the state.
    await both.nodes.pass(10 * 60_000);
    expect(both.nodes.store.records).toEqual([]);
    await both.nodes.pass(DEAD_MS + SILENCE + 20_000);
    expect(both.nodes.store.records).toMatchObject([{ callId: call_id, endResult: 'connection_lost', duration: 0 }]);
    expect(await keptCalls(both)).toEqual([]);
  });

  it('before the dial of its client was answered: a repeated dial rings once', async () => {
    const both = await aliceAndBob();
    await dialled(both, 'again');
    both.first.kill();
    await both.nodes.pass(DEAD_MS + 2_000);
    const alice = await reconnect(both.alice, both.third);
    const reply = await say(alice, 'dial', DIAL, 'again');
    expect(ringsOf(both.bob)).toEqual([callIdIn(reply)]);
  });

  it('and the call is declined: a repeated dial is refused, and rings no more', async () => {
    const both = await aliceAndBob();
    const { nodes, first, third, alice, bob } = both;
    const call_id = await dialled(both, 'again');
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    expect(codeOf(await say(bob, 'decline', { call_id }))).toBe(0);
    await nodes.pass(1_000);
    const moved = await reconnect(alice, third);
    const repeated = async (id: string) => {
      await say(moved, 'dial', DIAL, id);
      return moved.replies.at(-1);
    };
    expect((await repeated('again'))?.error).toEqual({ code: 1_400_101, message: 'The call of this dial has ended.' });
    const look = vi.spyOn(nodes.store, 'call').mockRejectedValue(new Error('no answer'));
    expect((await repeated('again'))?.error?.message).toContain('cannot begin calls at the moment');
    look.mockRestore();
    expect([ringsOf(bob), nodes.store.records.length]).toEqual([[call_id], 1]);
    // Another dial of the same caller rings.
    const next = callIdIn(await repeated('another'));
    expect(ringsOf(bob)).toEqual([call_id, next]);
    // The node that adopted the call repeats its answer.
    const back = await reconnect(moved, both.second);
    expect(callIdIn(await say(back, 'dial', DIAL, 'again'))).toBe(call_id);
    expect(ringsOf(bob)).toEqual([call_id, next]);
  });

  it('shows its users as offline, unless they have connected elsewhere', async () => {
    const both = await aliceAndBob();
    both.first.kill();
    await both.nodes.pass(1_000);
    expect(presences([both.second], 'alice')).toEqual(['online']);
    await both.nodes.pass(DEAD_MS + 1_000);
    expect(presences([both.second], 'alice')).toEqual(['offline']);
    await reconnect(both.alice, both.third);
    expect(presences([both.second], 'alice')).toEqual(['online']);
  });

  it('lists its calls for a device that connects to a node which started after the death', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.first.kill();
    // It waits for the tables of the first node.
    const starting = both.nodes.start('n4');
    await both.nodes.pass(3_000);
    const fourth = await starting;
    const alice = await reconnect(both.alice, fourth);
    const frame = alice.frame('unended_calls', {}, requestId());
    alice.receive(JSON.stringify(frame));
    await both.nodes.pass(DEAD_MS + 4_000);
    const reply = alice.replies.find(({ request_id }) => request_id === frame.request_id);
    expect(reply?.payload).toMatchObject({ calls: [{ call_id }] });
  });
});

describe('a node that starts', () => {
  it('does not delay the lists of calls', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    startHanging(both.nodes, 'n4');
    await both.nodes.pass(3_000);
    expect(both.third.link.others).toEqual(['n1', 'n2', 'n4']);
    expect((await say(both.bob, 'unended_calls', {}))?.payload).toMatchObject({ calls: [{ call_id }] });
  });
});

describe('the owner of an adopted call', () => {
  it('answers late commands about it, until the call is forgotten', async () => {
    const both = await aliceAndBob({ settings: { endedCallMs: 5_000 } });
    const { nodes, first, second, third, bob } = both;
    const ended = await connected(both);
    first.kill();
    await nodes.pass(DEAD_MS + 7_000);
    const alice = await reconnect(both.alice, third);
    expect(codeOf(await say(alice, 'end', { call_id: ended }))).toBe(0);
    const rows = () => [second, third].flatMap(({ link }) => [...link.table('adopted').elsewhere(ended).keys()]);
    expect([rows().length, codeOf(await say(bob, 'end', { call_id: ended }))]).toEqual([
      1,
      ErrorCode.ERR_INVALID_CALL_STATUS,
    ]);
    await nodes.pass(6_000);
    const next = await say(alice, 'dial', DIAL);
    expect(codeOf(await say(alice, 'cancel', { call_id: callIdIn(next) }))).toBe(0);
    const another = await say(bob, 'dial', { ...DIAL, callee_id: 'alice' });
    expect(codeOf(await say(bob, 'cancel', { call_id: callIdIn(another) }))).toBe(0);
    await nodes.pass(1_000);
    expect(rows()).toEqual([]);
  });

  it.each(['accept', 'decline'] as const)(
    'does not run a command of a third node after the former owner has ended the call: %s',
    async (type) => {
      const both = await aliceAndBob();
      const { nodes, second, third, alice } = both;
      const laptop = await third.device('bob', 'laptop');
      const call_id = await dialled(both);
      nodes.server.setReachable('n1', false);
      await nodes.pass(DEAD_MS + 5_000);
      expect([second, third].map(({ exchange }) => exchange.liveCalls.length)).toEqual([1, 0]);
      expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
      const payload = type === 'accept' ? { call_id, constraints: AV, capabilities: [] } : { call_id };
      expect(codeOf(await say(laptop, type, payload))).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
      expect(nodes.store.records).toMatchObject([{ callId: call_id, endResult: 'canceled' }]);
      expect(second.exchange.liveCalls).toEqual([]);
    },
  );

  it('does not run a command that comes while it adopts the call, when the former owner ends the call then', async () => {
    const both = await aliceAndBob();
    const { nodes, second, alice, bob } = both;
    const call_id = await dialled(both);
    const accept = bob.frame('accept', { call_id, constraints: AV, capabilities: [] }, requestId());
    const find = nodes.store.call.bind(nodes.store);
    nodes.store.call = async (id) => {
      nodes.store.call = find;
      // The adoption has looked for a record, and has not written its claim.
      const found = await find(id);
      bob.receive(JSON.stringify(accept));
      expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
      return found;
    };
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    const reply = bob.replies.find(({ request_id }) => request_id === accept.request_id);
    expect(codeOf(reply)).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect([second.exchange.liveCalls, nodes.store.records]).toMatchObject([[], [{ endResult: 'canceled' }]]);
  });
});

describe('a database that hangs or fails', () => {
  /** The call of a dead node is at the second node, which waits for the database from now on. */
  async function adoptedCall() {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.first.kill();
    await both.nodes.pass(DEAD_MS + 2_000);
    const alice = await reconnect(both.alice, both.second);
    expect(both.second.exchange.liveCalls).toMatchObject([{ callId: call_id }]);
    const find = both.nodes.store.call.bind(both.nodes.store);
    const waiting: (() => void)[] = [];
    both.nodes.store.call = (id) => new Promise((resolve) => void waiting.push(() => resolve(find(id))));
    const answer = () => {
      for (const go of waiting.splice(0)) go();
    };
    return { ...both, alice, call_id, answer };
  }

  it('does not delay the commands of an adopted call', async () => {
    const { nodes, alice, bob, call_id, answer } = await adoptedCall();
    const frame = alice.frame('end', { call_id }, requestId());
    alice.receive(JSON.stringify(frame));
    await nodes.pass(600);
    expect(codeOf(alice.replies.find(({ request_id }) => request_id === frame.request_id))).toBe(0);
    answer();
    await nodes.pass(1_000);
    expect([bob.told, alice.closes, nodes.store.records.length]).toEqual(['completed', [], 1]);
  });

  it('does not keep the calls of a node out of a state that has lost them', async () => {
    const { nodes, second, call_id } = await adoptedCall();
    nodes.server.lose();
    const isWritten = () => nodes.server.keys.fields(`call ${call_id}`).get('owner') === second.name;
    await nodes.pass(3_000);
    expect(isWritten()).toBe(true);
  });

  it.each(['answers', 'fails'])(
    'is asked once for the end of a call, and again when it fails: it %s',
    async (first) => {
      const both = await aliceAndBob();
      const { nodes, alice } = both;
      const call_id = await connected(both);
      nodes.server.setReachable('n1', false);
      await nodes.pass(DEAD_MS);
      nodes.server.setReachable('n1', true);
      await nodes.pass(3_000);
      const look = vi.spyOn(nodes.store, 'call');
      if (first === 'fails') look.mockRejectedValueOnce(new Error('the database is not there'));
      for (const is_enabled of [false, true, false]) {
        expect(codeOf(await say(alice, 'audio', { call_id, is_enabled }))).toBe(0);
      }
      expect(look.mock.calls).toHaveLength(first === 'fails' ? 2 : 1);
    },
  );

  it('takes an adopted call from the node when it has the end after all', async () => {
    const { nodes, second, alice, call_id, answer } = await adoptedCall();
    const accepts = alice.frame('accept', { call_id, constraints: AV, capabilities: [] }, requestId());
    alice.receive(JSON.stringify(accepts));
    await nodes.pass(600);
    const record = { callId: call_id } as Parameters<typeof nodes.store.saveCalls>[0][number];
    await nodes.store.saveCalls([record]);
    answer();
    await nodes.pass(1_000);
    expect([second.exchange.liveCalls, alice.closes]).toEqual([[], [1012]]);
  });
});

describe('a node that drains', () => {
  it('keeps the devices of its calls, and lets the others connect elsewhere in groups', async () => {
    const both = await aliceAndBob();
    const { nodes, first, alice } = both;
    const [carol, dave] = [await first.device('carol'), await first.device('dave')];
    const call_id = await connected(both);
    first.exchange.drain(500);
    expect([carol.closes, dave.closes]).toEqual([[1012], []]);
    carol.disconnect();
    await nodes.pass(300);
    expect([dave.closes, alice.closes]).toEqual([[1012], []]);
    dave.disconnect();
    const moved = await reconnect(carol, both.third);
    expect(codeOf(await say(moved, 'dial', { ...DIAL, callee_id: 'dave' }))).toBe(0);
    expect(codeOf(await say(alice, 'end', { call_id }))).toBe(0);
    await nodes.pass(300);
    expect(alice.closes).toEqual([1012]);
    first.exchange.close();
    await first.link.leave();
  });

  it('keeps a device whose call lives at another node, until that call is over', async () => {
    const both = await aliceAndBob();
    const { nodes, second, bob } = both;
    const call_id = await dialled(both);
    second.exchange.drain(1);
    await nodes.pass(1_000);
    expect(bob.closes).toEqual([]);
    expect(codeOf(await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(0);
    for (let seconds = 0; seconds < 2 * SILENCE; seconds += 30_000) {
      await nodes.pass(30_000);
      expect(codeOf(await say(bob, 'alive', { call_id }))).toBe(0);
      expect(codeOf(await say(both.alice, 'alive', { call_id }))).toBe(0);
    }
    expect(bob.closes).toEqual([]);
    expect(codeOf(await say(both.alice, 'end', { call_id }))).toBe(0);
    await nodes.pass(300);
    expect(bob.closes).toEqual([1012]);
  });

  it.each(['decline', 'cancel'] as const)('moves a device after the end of its call elsewhere: %s', async (how) => {
    const both = await aliceAndBob();
    const { nodes, second, bob } = both;
    const call_id = await dialled(both);
    second.exchange.drain(1);
    if (how === 'decline') expect(codeOf(await say(bob, 'decline', { call_id }))).toBe(0);
    else expect(codeOf(await say(both.alice, 'cancel', { call_id }))).toBe(0);
    await nodes.pass(300);
    expect(bob.closes).toEqual([1012]);
  });

  it('keeps a device while another node begins its call, and moves it when the call is over', async () => {
    let isSlow = false;
    const { nodes, first, alice, bob } = await aliceAndBob({
      transit: (_, arrive) => {
        if (isSlow) nodes.clock.after(300, arrive);
        else queueMicrotask(arrive);
      },
    });
    const carol = await first.device('carol');
    first.exchange.drain(60_000);
    expect(alice.closes).toEqual([1012]);
    isSlow = true;
    carol.receive(JSON.stringify(carol.frame('dial', DIAL)));
    alice.disconnect();
    await nodes.pass(3_000);
    isSlow = false;
    expect([carol.closes, ringsOf(bob).length]).toEqual([[], 1]);
    expect(codeOf(await say(bob, 'decline', { call_id: ringsOf(bob)[0] ?? '' }))).toBe(0);
    await nodes.pass(300);
    expect(carol.closes).toEqual([1012]);
  });

  it('keeps a device whose call elsewhere goes on after a refused command', async () => {
    const both = await aliceAndBob();
    const { nodes, second, bob } = both;
    const call_id = await connected(both);
    second.exchange.drain(1);
    const again = await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
    expect(codeOf(again)).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    await nodes.pass(300);
    expect(bob.closes).toEqual([]);
  });

  it('moves a device whose command another node has refused, as it knows no such call', async () => {
    const { nodes, second, bob } = await aliceAndBob();
    expect(codeOf(await say(bob, 'end', { call_id: 'n1.unknown' }))).toBe(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
    second.exchange.drain(1);
    await nodes.pass(300);
    expect(bob.closes).toContain(1012);
  });

  it('moves a device that has repeated its dial, after the end of that call', async () => {
    const both = await aliceAndBob();
    const { nodes, first, alice } = both;
    const call_id = await dialled(both, 'twice');
    first.exchange.drain(60_000);
    await turn();
    expect(await dialled(both, 'twice')).toBe(call_id);
    expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    await nodes.pass(300);
    expect(alice.closes).toEqual([1012]);
  });

  it('moves a device whose dial another node has refused', async () => {
    const { nodes, first, alice } = await aliceAndBob();
    const carol = await first.device('carol');
    first.exchange.drain(60_000);
    expect(codeOf(await say(carol, 'dial', { ...DIAL, callee_id: 'unknown' }))).not.toBe(0);
    alice.disconnect();
    await nodes.pass(300);
    expect(carol.closes).toEqual([1012]);
  });

  it('lets other nodes begin the calls of its devices, in turns, and each once', async () => {
    const both = await aliceAndBob();
    const { nodes, first, second, third, alice, bob } = both;
    const carol = await first.device('carol');
    first.exchange.drain(60_000);
    await turn();
    const call_id = await dialled(both, 'a dial');
    expect([call_id.split('.')[0], ringsOf(bob)]).toEqual(['n3', [call_id]]);
    expect(third.exchange.liveCalls).toHaveLength(1);
    const moved = await reconnect(alice, second);
    expect(callIdIn(await say(moved, 'dial', DIAL, 'a dial'))).toBe(call_id);
    expect(codeOf(await say(moved, 'cancel', { call_id }))).toBe(0);
    expect(bob.told).toBe('canceled');
    const other = callIdIn(await say(carol, 'dial', { ...DIAL, callee_id: 'bob' }));
    expect([other.split('.')[0], ringsOf(bob)]).toEqual(['n2', [call_id, other]]);
    expect(codeOf(await say(carol, 'cancel', { call_id: other }))).toBe(0);
    expect([nodes.store.records.length, await keptCalls(both)]).toEqual([2, []]);
  });

  it('lets no other node that drains begin them', async () => {
    const { first, second, alice } = await aliceAndBob();
    for (const { exchange } of [first, second]) exchange.drain(60_000);
    await turn();
    for (let times = 0; times < 2; times += 1) {
      const call_id = callIdIn(await say(alice, 'dial', DIAL));
      expect(call_id.split('.')[0]).toBe('n3');
      expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    }
  });

  it('lets the next node begin a call when the first one has just died', async () => {
    const both = await aliceAndBob();
    const { nodes, first, third, alice, bob } = both;
    first.exchange.drain(60_000);
    await turn();
    third.kill();
    const frame = alice.frame('dial', DIAL, 'a dial');
    alice.receive(JSON.stringify(frame));
    await nodes.pass(DEAD_MS + 2_000);
    const call_id = callIdIn(alice.replies.find(({ request_id }) => request_id === frame.request_id));
    expect([call_id.split('.')[0], ringsOf(bob)]).toEqual(['n2', [call_id]]);
    const moved = await reconnect(alice, await nodes.start('n4'));
    expect(callIdIn(await say(moved, 'dial', DIAL, 'a dial'))).toBe(call_id);
    expect(codeOf(await say(moved, 'cancel', { call_id }))).toBe(0);
    expect([nodes.store.records.length, await keptCalls(both)]).toEqual([1, []]);
  });

  it('adopts the call that the first one had begun when it died', async () => {
    let isDeaf = false;
    const { nodes, first, third, alice, bob } = await aliceAndBob({
      transit: (node, arrive, transfer) => {
        if (!isDeaf || node !== 'n1' || transfer !== 'text') queueMicrotask(arrive);
      },
    });
    first.exchange.drain(60_000);
    await turn();
    isDeaf = true;
    const frame = alice.frame('dial', DIAL);
    alice.receive(JSON.stringify(frame));
    await turn();
    const callId = third.exchange.liveCalls[0]?.callId ?? '';
    third.kill();
    isDeaf = false;
    await nodes.pass(DEAD_MS + 2_000);
    expect(callIdIn(alice.replies.find(({ request_id }) => request_id === frame.request_id))).toBe(callId);
    expect([callId.split('.')[0], ringsOf(bob)]).toEqual(['n3', [callId]]);
    expect(first.exchange.liveCalls).toMatchObject([{ callId }]);
  });

  it('lets no node begin them that is starting', async () => {
    const { nodes, first, alice } = await aliceAndBob();
    startHanging(nodes, 'n4');
    await nodes.pass(3_000);
    first.exchange.drain(60_000);
    await turn();
    for (let times = 0; times < 4; times += 1) {
      const call_id = callIdIn(await say(alice, 'dial', DIAL));
      expect(call_id.split('.')[0]).not.toBe('n4');
      expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    }
  });

  it('refuses dials when each other node drains, or has left', async () => {
    const { first, second, third, alice } = await aliceAndBob();
    for (const { exchange } of [first, second]) exchange.drain(60_000);
    await third.link.leave();
    await turn();
    expect((await say(alice, 'dial', DIAL))?.error?.message).toContain('about to restart');
  });

  it.each(['end', 'unended_calls'] as const)(
    'lets another node answer what arrives while it stops: %s',
    async (type) => {
      const both = await aliceAndBob();
      const { nodes, first, alice, bob } = both;
      const call_id = await connected(both);
      first.exchange.drain(0);
      first.exchange.close();
      const frame = type === 'end' ? bob.frame(type, { call_id }) : bob.frame(type, {});
      const reply = () => bob.replies.find(({ request_id }) => request_id === frame.request_id);
      bob.receive(JSON.stringify(frame));
      await turn();
      expect(reply()).toBeUndefined();
      await first.link.leave();
      await nodes.pass(2_000);
      expect(codeOf(reply())).toBe(0);
      const isListed = JSON.stringify(reply()?.payload).includes(call_id);
      expect([isListed, nodes.store.records.length]).toEqual(type === 'end' ? [true, 1] : [true, 0]);
      expect([alice.closes, nodes.log.filter(({ level }) => level === 'error')]).toEqual([[1012], []]);
    },
  );

  /** Connects a call, whose node stops directly after the next message of another node. */
  async function stopsWhileItIsAsked() {
    let stops = false;
    const both = await aliceAndBob({
      transit: (node, arrive, transfer) =>
        queueMicrotask(() => {
          arrive();
          if (stops && node === 'n1' && transfer === 'text') both.first.exchange.close();
        }),
    });
    const call_id = await connected(both);
    stops = true;
    const leave = async () => {
      await turn();
      expect(both.first.exchange.liveCalls).toEqual([]);
      await both.first.link.leave();
      await both.nodes.pass(2_000);
    };
    return { ...both, call_id, leave };
  }

  it('lets another node list its calls when it stops while it is asked', async () => {
    const { bob, call_id, leave } = await stopsWhileItIsAsked();
    const frame = bob.frame('unended_calls', {}, requestId());
    bob.receive(JSON.stringify(frame));
    await leave();
    const reply = bob.replies.find(({ request_id }) => request_id === frame.request_id);
    expect(reply?.payload).toMatchObject({ calls: [{ call_id }] });
  });

  it('adopts no call for a question that comes after its stop', async () => {
    const both = await aliceAndBob();
    const { nodes, first, second, third, bob } = both;
    const call_id = await connected(both);
    const device = { userId: 'bob', clientId: bob.clientId };
    for (const one of [both.alice, bob]) one.disconnect();
    first.kill();
    await nodes.pass(DEAD_MS + 7_000);
    third.exchange.close();
    const asked = second.link.ask('n3', 'unended', device).catch(() => 'refused');
    let said: unknown;
    void asked.then((one) => (said = one));
    await nodes.pass(10_000);
    expect(said).toBe('refused');
    await reconnect(bob, second);
    await nodes.pass(1_000);
    expect(second.exchange.liveCalls).toMatchObject([{ callId: call_id }]);
  });

  it('lets another node answer a request when it stops while it is asked', async () => {
    const { second, bob, call_id, leave } = await stopsWhileItIsAsked();
    const asking = second.http('PUT', `/v1/direct_calls/${call_id}/custom_items`, {
      headers: bob.headers,
      body: { custom_items: { seat: '12' }, mode: 'upsert' },
    });
    await leave();
    expect(await asking).toMatchObject({ status: 200 });
  });
});

describe('a node without the shared state', () => {
  it('removes the calls that ended meanwhile from the state when it is back', async () => {
    const both = await aliceAndBob();
    const { nodes, alice } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n1', false);
    await nodes.pass(1_000);
    expect(codeOf(await say(alice, 'end', { call_id }))).toBe(0);
    nodes.server.setReachable('n1', true);
    await nodes.pass(3_000);
    const state = nodes.server.connect('reader');
    expect([await keptCalls(both), (await state.fields(`call ${call_id}`)).size]).toEqual([[], 0]);
  });

  it('runs no command on a call that another node has adopted, and forwards it', async () => {
    let isCut = false;
    const both = await aliceAndBob({
      transit: (node, arrive) => {
        if (!isCut || node !== 'n1') queueMicrotask(arrive);
      },
    });
    const { nodes, first, second, alice, bob } = both;
    const call_id = await connected(both);
    isCut = true;
    await nodes.pass(DEAD_MS + 5_000);
    expect([first, second].map(({ exchange }) => exchange.liveCalls.length)).toEqual([1, 1]);
    isCut = false;
    const letGo = vi.spyOn(SharedLiveCalls.prototype, 'letGo');
    alice.receive(JSON.stringify(alice.frame('hold', { call_id, is_on_hold: true, was_relayed: false })));
    await nodes.pass(5_000);
    expect([first, second].map(({ exchange }) => exchange.liveCalls.length)).toEqual([0, 1]);
    expect(bob.events.filter(({ type }) => type === 'hold')).toHaveLength(1);
    expect(letGo).toHaveBeenCalledWith(call_id);
    letGo.mockRestore();
  });

  it('asks for the owner of each call once more when it is back, also while its own writes wait', async () => {
    let isCut = false;
    const both = await aliceAndBob({
      transit: (node, arrive) => {
        if (!isCut || node !== 'n1') queueMicrotask(arrive);
      },
    });
    const { nodes, first, second, alice, bob } = both;
    const saves = watchSaves();
    const call_id = await connected(both);
    isCut = true;
    await nodes.pass(DEAD_MS + 5_000);
    saves.hold();
    isCut = false;
    await nodes.pass(5_000);
    expect([first, second].map(({ exchange }) => exchange.liveCalls.length)).toEqual([1, 1]);
    alice.receive(JSON.stringify(alice.frame('end', { call_id })));
    await nodes.pass(5_000);
    expect([first, second].map(({ exchange }) => exchange.liveCalls.length)).toEqual([0, 0]);
    expect([bob.told, nodes.store.records]).toMatchObject(['completed', [{ endResult: 'completed' }]]);
    expect(second.exchange.records.map(({ callId }) => callId)).toEqual([call_id]);
  });

  it('refuses dials and goes on with its calls, and the others do not adopt them', async () => {
    const both = await aliceAndBob();
    const { nodes, first, alice } = both;
    const carol = await first.device('carol');
    const call_id = await dialled({ alice });
    expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    const reply = await say(alice, 'dial', { ...DIAL, callee_id: 'carol' });
    const own = callIdIn(reply);
    expect(codeOf(await say(carol, 'accept', { call_id: own, constraints: AV, capabilities: [] }))).toBe(0);
    nodes.server.setReachable('n1', false);
    await nodes.pass(1_000);
    const refused = await say(alice, 'dial', DIAL);
    expect(refused?.error).toMatchObject({
      code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      message: expect.stringContaining('cannot begin calls'),
    });
    expect(codeOf(await say(alice, 'hold', { call_id: own, is_on_hold: true, was_relayed: false }))).toBe(0);
    expect(carol.event('hold')).toMatchObject({ is_peer_on_hold: true });
    await nodes.pass(DEAD_MS + 10_000);
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    expect(codeOf(await say(carol, 'end', { call_id: own }))).toBe(0);
    expect([alice.told, await keptCalls(both), nodes.store.records.length]).toEqual(['not_connected', [], 2]);
    expect(codeOf(await say(alice, 'dial', DIAL))).toBe(0);
  });

  it('refuses at once what needs another node', async () => {
    const both = await aliceAndBob();
    const call_id = await dialled(both);
    both.nodes.server.setReachable('n2', false);
    await both.nodes.pass(200);
    const frame = both.bob.frame('decline', { call_id }, requestId());
    both.bob.receive(JSON.stringify(frame));
    await both.nodes.pass(5_000);
    const reply = both.bob.replies.find(({ request_id }) => request_id === frame.request_id);
    expect(codeOf(reply)).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
  });

  it('writes its calls again when the state has lost them', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.nodes.server.lose();
    await both.nodes.pass(12_000);
    expect(await keptCalls(both)).toEqual([call_id]);
    both.first.kill();
    await both.nodes.pass(DEAD_MS + 2_000);
    const alice = await reconnect(both.alice, both.third);
    expect(alice.event('snapshot')).toMatchObject({ call_id });
  });

  it('forgets a call that another node has adopted, and its devices continue there', async () => {
    const both = await aliceAndBob();
    const { nodes, first, alice, bob } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    nodes.server.setReachable('n1', true);
    await nodes.pass(10_000);
    expect([alice.closes, bob.closes]).toEqual([[1012], []]);
    expect(first.exchange.liveCalls).toEqual([]);
    const back = await reconnect(alice, first);
    await turn();
    expect(codeOf(await say(back, 'end', { call_id }))).toBe(0);
    expect([bob.told, nodes.store.records.length, await keptCalls(both)]).toEqual(['completed', 1, []]);
  });
});

describe('a call with media while one of its nodes is cut off', () => {
  /** Passes time in which a device that is connected sends its sign of life every half minute. */
  async function pass({ nodes }: Pick<Both, 'nodes'>, ms: number, call_id: string, ...heard: Device[]): Promise<void> {
    for (let passed = 0; passed < ms; passed += 30_000) {
      for (const device of heard) device.receive(JSON.stringify(device.frame('alive', { call_id }, requestId())));
      await nodes.pass(30_000);
    }
  }

  it('goes on when the node of the other side is cut off for longer than a leg may be silent', async () => {
    const both = await aliceAndBob();
    const { nodes, first, alice, bob } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n2', false);
    await pass(both, 3 * SILENCE, call_id, alice, bob);
    expect([first.exchange.liveCalls.length, alice.told]).toEqual([1, undefined]);
    nodes.server.setReachable('n2', true);
    await pass(both, 2 * SILENCE, call_id, alice, bob);
    expect([first.exchange.liveCalls.length, alice.told, bob.told]).toEqual([1, undefined, undefined]);
  });

  it('goes on at both nodes when its own node is cut off for that long', async () => {
    const both = await aliceAndBob();
    const { nodes, first, second, bob } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n1', false);
    await pass(both, 3 * SILENCE, call_id, both.alice, bob);
    // The second node has adopted the call for Bob. The first one still serves Alice.
    expect([first, second].map(({ exchange }) => exchange.liveCalls.length)).toEqual([1, 1]);
    nodes.server.setReachable('n1', true);
    await nodes.pass(1_000);
    expect([first, second].map(({ exchange }) => exchange.liveCalls.length)).toEqual([0, 1]);
    const alice = await reconnect(both.alice, first);
    await pass(both, 2 * SILENCE, call_id, alice, bob);
    expect([second.exchange.liveCalls.length, alice.told, bob.told]).toEqual([1, undefined, undefined]);
  });

  it('ends when the device is silent after its node has returned', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.nodes.server.setReachable('n2', false);
    await pass(both, 2 * SILENCE, call_id, both.alice);
    both.nodes.server.setReachable('n2', true);
    await pass(both, SILENCE, call_id, both.alice);
    await pass(both, SILENCE, call_id, both.alice);
    expect(both.alice.told).toBe('connection_lost');
  });

  it('ends when both sides are at the node that is cut off', async () => {
    const both = await aliceAndBob();
    const { nodes, first, second } = both;
    const call_id = await connected(both);
    both.alice.disconnect();
    const alice = await reconnect(both.alice, second);
    await pass(both, 30_000, call_id, alice, both.bob);
    expect([first.exchange.liveCalls.length, alice.told]).toEqual([1, undefined]);
    nodes.server.setReachable('n2', false);
    await pass(both, SILENCE + 30_000, call_id, alice, both.bob);
    expect(first.exchange.liveCalls).toEqual([]);
  });

  it('ends when the silent device had left its node before', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.bob.disconnect();
    await both.nodes.pass(1_000);
    both.nodes.server.setReachable('n2', false);
    await pass(both, SILENCE + 30_000, call_id, both.alice);
    expect(both.alice.told).toBe('connection_lost');
  });

  it.each(['n1', 'n3'])('ends when the silent device has connected to %s since', async (node) => {
    const both = await aliceAndBob();
    const { nodes, first, third, alice } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n2', false);
    await nodes.pass(DEAD_MS + 2_000);
    const bob = await reconnect(both.bob, node === 'n1' ? first : third);
    await nodes.pass(1_000);
    bob.disconnect();
    await pass(both, SILENCE + 30_000, call_id, alice);
    expect(alice.told).toBe('connection_lost');
  });

  it('goes on when the state was away for all nodes for that long', async () => {
    const both = await aliceAndBob();
    const { nodes, alice, bob } = both;
    const call_id = await connected(both);
    for (const node of ['n1', 'n2', 'n3']) nodes.server.setReachable(node, false);
    await pass(both, 3 * SILENCE, call_id, alice);
    for (const node of ['n1', 'n2', 'n3']) nodes.server.setReachable(node, true);
    await nodes.pass(25_000);
    expect([alice.told, bob.told]).toEqual([undefined, undefined]);
  });

  it('ends when the silent device connected elsewhere before its node counted as silent', async () => {
    const both = await aliceAndBob();
    const { nodes, third, alice } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n2', false);
    await nodes.pass(1_500);
    const bob = await reconnect(both.bob, third);
    await nodes.pass(DEAD_MS + 1_000);
    bob.disconnect();
    await pass(both, SILENCE + 30_000, call_id, alice);
    expect(alice.told).toBe('connection_lost');
  });

  it('is forgotten by the node that adopted it, when its node ends it while it is cut off', async () => {
    const both = await aliceAndBob();
    const { nodes, second, alice, bob } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n1', false);
    await pass(both, 60_000, call_id, alice, bob);
    expect(codeOf(await say(alice, 'end', { call_id }))).toBe(0);
    await pass(both, SILENCE, call_id, bob);
    expect([second.exchange.liveCalls, bob.closes]).toEqual([[], [1012]]);
  });

  it('ends when its media has not begun', async () => {
    const both = await aliceAndBob();
    const call_id = await dialled(both);
    expect(codeOf(await say(both.bob, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(0);
    both.nodes.server.setReachable('n2', false);
    await pass(both, SILENCE + 30_000, call_id, both.alice);
    expect(both.first.exchange.liveCalls).toEqual([]);
  });
});

describe('a node that was cut off until the state lost its keys', () => {
  /** Lets the second node adopt a call, whose first node comes back as the state loses its keys. */
  async function adoptedBefore(begin: (both: Both & { readonly phone: Device }) => Promise<string>) {
    const both = await aliceAndBob();
    const { nodes, first, second } = both;
    const phone = await first.device('bob', 'phone');
    await turn();
    const call_id = await begin({ ...both, phone });
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    expect(second.exchange.liveCalls).toMatchObject([{ callId: call_id }]);
    const comesBack = () => {
      nodes.server.lose();
      nodes.server.setReachable('n1', true);
    };
    return { ...both, phone, call_id, comesBack };
  }

  const accepts = (device: Device, call_id: string) =>
    say(device, 'accept', { call_id, constraints: AV, capabilities: [] });

  it('forgets its call, since the claim of the node that adopted it is newer', async () => {
    const both = await adoptedBefore(connected);
    both.comesBack();
    await both.nodes.pass(5_000);
    // The term is a time, so that it is newer than all terms that the state has lost.
    const term = Number(both.nodes.server.keys.fields(`call ${both.call_id}`).get('term'));
    expect(Math.abs(term - both.nodes.clock.wallTime())).toBeLessThan(60_000);
    expect([both.first.exchange.liveCalls, both.alice.closes]).toEqual([[], [1012]]);
    expect([both.second.exchange.liveCalls.length, both.bob.closes]).toEqual([1, []]);
    expect(await keptCalls(both)).toEqual([both.call_id]);
  });

  it('keeps its call when its media has begun here alone, and the call is written here first', async () => {
    const both = await adoptedBefore(dialled);
    const { nodes, first, second, alice, phone, call_id, comesBack } = both;
    expect(codeOf(await accepts(phone, call_id))).toBe(0);
    for (const one of [alice, phone]) {
      expect(codeOf(await say(one, 'connected', { call_id, connection: CONNECTION, reconnect: false }))).toBe(0);
    }
    comesBack();
    await turn();
    expect(nodes.server.keys.fields(`call ${call_id}`).get('owner')).toBe('n1');
    await nodes.pass(5_000);
    expect(first.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'connected' }]);
    expect([second.exchange.liveCalls, alice.closes, phone.closes]).toEqual([[], [], []]);
  });

  it('does not end the call that a device accepted at the other node', async () => {
    const both = await adoptedBefore(dialled);
    const { nodes, second, bob, phone, call_id, comesBack } = both;
    expect(codeOf(await accepts(bob, call_id))).toBe(0);
    comesBack();
    phone.receive(JSON.stringify(phone.frame('decline', { call_id })));
    await nodes.pass(5_000);
    expect(phone.closes).toEqual([1012]);
    expect([nodes.store.records, second.exchange.liveCalls]).toMatchObject([
      [],
      [{ callId: call_id, state: 'accepted' }],
    ]);
  });

  it.each(['phone', 'bob'] as const)(
    'does not carry out an accept whose device is signed out while it waits: %s',
    async (which) => {
      const both = await aliceAndBob();
      const { nodes, first, third } = both;
      // The phone is at the node of the call, and the other device of Bob at the second one.
      const phone = await first.device('bob', 'phone');
      await turn();
      const call_id = await dialled(both);
      for (const node of ['n1', 'n2', 'n3']) nodes.server.setReachable(node, false);
      await nodes.pass(DEAD_MS + 5_000);
      nodes.server.lose();
      for (const node of ['n1', 'n2', 'n3']) nodes.server.setReachable(node, true);
      await nodes.pass(500);
      const device = { phone, bob: both.bob }[which];
      device.receive(JSON.stringify(device.frame('accept', { call_id, constraints: AV, capabilities: [] })));
      await nodes.pass(500);
      expect(first.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'ringing' }]);
      third.exchange.signOut('bob');
      await nodes.pass(5_000);
      expect(device.closes).toEqual([4401]);
      expect(first.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'ringing' }]);
    },
  );

  it('forwards a request to the other node, which takes the call back while this one looks for its end', async () => {
    const both = await adoptedBefore(connected);
    const { nodes, first, second, alice, call_id, comesBack } = both;
    vi.spyOn(nodes.store, 'call').mockImplementation(async () => {
      await new Promise<void>((resolve) => void nodes.clock.after(300, resolve));
      return undefined;
    });
    nodes.server.setReachable('n2', false);
    comesBack();
    await nodes.pass(100);
    nodes.server.setReachable('n2', true);
    const asked = [];
    for (let passed = 0; passed < 3_000; passed += 100) {
      const path = `/v1/direct_calls/${call_id}/custom_items`;
      const body = { custom_items: { mood: 'good' }, mode: 'upsert' };
      asked.push(first.http('PUT', path, { headers: alice.headers, body }));
      await nodes.pass(100);
    }
    await nodes.pass(5_000);
    expect([first.exchange.liveCalls, second.exchange.liveCalls]).toMatchObject([[], [{ callId: call_id }]]);
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it.each([
    ['another device of the user', 'laptop', 'accepted'],
    ['the device', 'phone', 'ringing'],
  ])('knows the device whose login ends while an accept waits: %s', async (_, clientId, state) => {
    const both = await adoptedBefore(dialled);
    const { nodes, first, third, phone, call_id, comesBack } = both;
    comesBack();
    nodes.server.setReachable('n2', false);
    await nodes.pass(100);
    phone.receive(JSON.stringify(phone.frame('accept', { call_id, constraints: AV, capabilities: [] })));
    await nodes.pass(500);
    third.cluster.order?.({ kind: 'drop devices', userId: 'bob', clientIds: [clientId] });
    await nodes.pass(5_000);
    expect(first.exchange.liveCalls).toMatchObject([{ callId: call_id, state }]);
  });

  it('waits with a report of media, since the books of the call move with it', async () => {
    const both = await aliceAndBob();
    const { nodes, first, second, alice, bob } = both;
    const call_id = await dialled(both);
    expect(codeOf(await accepts(bob, call_id))).toBe(0);
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    expect(codeOf(await say(bob, 'connected', { call_id, connection: CONNECTION, reconnect: false }))).toBe(0);
    nodes.server.setReachable('n2', false);
    nodes.server.lose();
    nodes.server.setReachable('n1', true);
    await nodes.pass(100);
    const connects = alice.frame('connected', { call_id, connection: CONNECTION, reconnect: false });
    alice.receive(JSON.stringify(connects));
    await nodes.pass(500);
    expect(alice.replies.some(({ request_id }) => request_id === connects.request_id)).toBe(false);
    nodes.server.setReachable('n2', true);
    await nodes.pass(5_000);
    expect([alice.closes, first.exchange.liveCalls]).toEqual([[1012], []]);
    expect(second.exchange.liveCalls).toMatchObject([{ callId: call_id }]);
  });

  it('ends a call without a number, so that devices of the other node learn the end', async () => {
    const both = await adoptedBefore(dialled);
    const { nodes, first, second, alice, bob, phone, call_id } = both;
    expect(codeOf(await accepts(bob, call_id))).toBe(0);
    expect(codeOf(await say(phone, 'decline', { call_id }))).toBe(0);
    expect(alice.events.at(-1)).toMatchObject({ sequence_number: 0, payload: { end_result: 'declined' } });
    const { body } = await first.http('GET', '/v1/direct_calls/missed_signal', {
      headers: alice.headers,
      query: { call_ids: call_id },
    });
    expect(body.signals.at(-1)).toMatchObject({ sequence_number: 0, payload: { end_result: 'declined' } });
    // A call that begins later has numbers again.
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    expect(codeOf(await say(bob, 'end', { call_id }))).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(second.exchange.liveCalls).toEqual([]);
    const next = await dialled(both);
    expect(codeOf(await say(phone, 'decline', { call_id: next }))).toBe(0);
    expect(alice.events.at(-1)?.sequence_number).toBeGreaterThan(0);
  });

  it('does not end the call again whose end at the other node is not stored yet', async () => {
    const both = await adoptedBefore(connected);
    const { nodes, alice, bob, call_id, comesBack } = both;
    let store = (): void => undefined;
    const { saveCalls } = nodes.store;
    nodes.store.saveCalls = async (records) => {
      await new Promise<void>((resolve) => {
        store = resolve;
      });
      return await saveCalls.call(nodes.store, records);
    };
    bob.receive(JSON.stringify(bob.frame('end', { call_id })));
    await turn();
    comesBack();
    alice.receive(JSON.stringify(alice.frame('connection_lost', { call_id })));
    await turn();
    store();
    await nodes.pass(5_000);
    store();
    await nodes.pass(5_000);
    expect(nodes.store.records).toMatchObject([{ callId: call_id, endResult: 'completed' }]);
  });

  it.each(['alice', 'bob'] as const)(
    'waits for the other nodes with an end of %s, and not with other commands',
    async (user) => {
      const both = await aliceAndBob();
      const { nodes, alice, bob } = both;
      const call_id = await connected(both);
      for (const node of ['n1', 'n2', 'n3']) nodes.server.setReachable(node, false);
      await nodes.pass(DEAD_MS + 5_000);
      nodes.server.lose();
      for (const node of ['n1', 'n2', 'n3']) nodes.server.setReachable(node, true);
      await nodes.pass(500);
      expect(codeOf(await say(both[user], 'audio', { call_id, is_enabled: false }))).toBe(0);
      both[user].receive(JSON.stringify(both[user].frame('end', { call_id })));
      await nodes.pass(500);
      expect(nodes.store.records).toEqual([]);
      await nodes.pass(3_000);
      const other = user === 'alice' ? bob : alice;
      expect([nodes.store.records.length, other.told]).toEqual([1, 'completed']);
      // An adopter may have sent signals with higher numbers meanwhile.
      expect(other.events.at(-1)?.sequence_number).toBe(0);
    },
  );

  it.each(['for a moment only', 'no longer than its call lives'])('waits with an end %s', async (which) => {
    const both = await aliceAndBob();
    const { nodes, first, alice } = both;
    const call_id = await connected(both);
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS);
    nodes.server.setReachable('n1', true);
    await nodes.pass(1_000);
    vi.spyOn(first.link, 'hasState').mockResolvedValue(false);
    const end = alice.frame('end', { call_id });
    alice.receive(JSON.stringify(end));
    await nodes.pass(1_000);
    const isAnswered = () => alice.replies.some(({ request_id }) => request_id === end.request_id);
    expect([isAnswered(), nodes.store.records]).toEqual([false, []]);
    if (which !== 'for a moment only') first.exchange.endCall(call_id);
    await nodes.pass(which === 'for a moment only' ? 2_500 : 300);
    expect([isAnswered(), nodes.store.records.length]).toEqual([true, 1]);
  });

  it('ends its calls at once while none can have been adopted', async () => {
    const both = await aliceAndBob();
    const call_id = await connected(both);
    both.nodes.server.lose();
    expect(codeOf(await say(both.alice, 'end', { call_id }))).toBe(0);
    expect([both.nodes.store.records.length, both.bob.told]).toEqual([1, 'completed']);
  });

  it('numbers the end of a later call whose ring it ends', async () => {
    const both = await aliceAndBob();
    const { nodes, alice } = both;
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    nodes.server.setReachable('n1', true);
    await nodes.pass(DEAD_MS);
    await dialled(both);
    for (let passed = 0; passed < DEFAULT_SETTINGS.ringTimeoutMs; passed += 20_000) {
      await nodes.pass(20_000);
      for (const one of [alice, both.bob]) one.receive(JSON.stringify(one.frame('alive', { call_id: 'other' })));
    }
    expect(alice.events.at(-1)).toMatchObject({ payload: { end_result: 'no_answer' } });
    expect(alice.events.at(-1)?.sequence_number).toBeGreaterThan(0);
  });
});

describe('a node that was cut off while a device accepted its call there', () => {
  /** The callee has a phone at the first node and a laptop at the second, which adopts the call while it rings. */
  async function acceptedWhileCutOff(options: ConstructorParameters<typeof Nodes>[0] = {}) {
    const both = await aliceAndBob(options);
    const { nodes, first, second, alice } = both;
    const phone = await first.device('bob', 'phone');
    const call_id = await dialled(both);
    nodes.server.setReachable('n1', false);
    await nodes.pass(DEAD_MS + 5_000);
    expect(second.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'ringing' }]);
    expect(codeOf(await say(phone, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(0);
    for (const one of [alice, phone]) {
      expect(codeOf(await say(one, 'connected', { call_id, connection: CONNECTION, reconnect: false }))).toBe(0);
    }
    return { ...both, phone, call_id };
  }

  it('takes the call back, and the node that had adopted it forgets the call', async () => {
    const both = await acceptedWhileCutOff();
    const { nodes, first, second, alice, bob, phone, call_id } = both;
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    expect(first.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'connected' }]);
    expect([second.exchange.liveCalls, await keptCalls(both)]).toEqual([[], [call_id]]);
    expect([alice.closes, phone.closes, bob.closes]).toEqual([[], [], [1012]]);
    expect(codeOf(await say(phone, 'end', { call_id }))).toBe(0);
    expect([alice.told, nodes.store.records.length, await keptCalls(both)]).toEqual(['completed', 1, []]);
  });

  it('takes the call back from a node where another device has accepted it, and that device learns it', async () => {
    const { nodes, first, second, alice, bob, phone, call_id } = await acceptedWhileCutOff();
    expect(codeOf(await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] }))).toBe(0);
    const numbers = bob.events.map(({ sequence_number }) => sequence_number);
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    expect(first.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'connected' }]);
    expect([second.exchange.liveCalls, alice.closes, phone.closes]).toEqual([[], [], []]);
    const learnt = bob.events.find(({ type }) => type === 'other_device_accepted');
    expect(learnt?.payload).toEqual({ call_id });
    expect(learnt?.sequence_number).toBeGreaterThan(Math.max(...numbers) + 1);
    // Alice heard the signals of this node alone, and hears the next one.
    await say(phone, 'audio', { call_id, is_enabled: false });
    const [before = 0, last = 0] = alice.events.map(({ sequence_number }) => sequence_number).slice(-2);
    expect(last).toBeGreaterThan(before + 1);
  });

  it('does not end the call again that it has taken back and the other node has ended', async () => {
    const { nodes, first, second, alice, bob, call_id } = await acceptedWhileCutOff();
    nodes.server.setReachable('n2', false);
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    expect(first.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'connected' }]);
    // This node is sure of the call now.
    expect(codeOf(await say(alice, 'alive', { call_id }))).toBe(0);
    expect(codeOf(await say(bob, 'decline', { call_id }))).toBe(0);
    expect(codeOf(await say(alice, 'end', { call_id }))).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect([nodes.store.records, second.exchange.liveCalls]).toMatchObject([[{ endResult: 'declined' }], []]);
  });

  it('takes the call back when a device asks it before it has written its calls again', async () => {
    const saves = watchSaves();
    const { nodes, first, alice, phone, call_id } = await acceptedWhileCutOff();
    saves.hold();
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    phone.receive(JSON.stringify(phone.frame('hold', { call_id, is_on_hold: true, was_relayed: false })));
    await nodes.pass(5_000);
    expect([first.exchange.liveCalls.length, alice.types.includes('hold')]).toEqual([1, true]);
  });

  it('writes the call with all its signals, and another node can adopt it', async () => {
    const both = await acceptedWhileCutOff();
    const { nodes, first, third, phone, call_id } = both;
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    first.kill();
    await nodes.pass(DEAD_MS + 2_000);
    const moved = await reconnect(phone, third);
    expect(moved.event('snapshot')).toMatchObject({ call_id });
    const { body } = await third.http('GET', '/v1/direct_calls/missed_signal', {
      headers: both.alice.headers,
      query: { call_ids: call_id },
    });
    expect(body.signals.map(({ type }: { type: string }) => type)).toEqual(['accept', 'connected']);
  });

  it('announces for a while that it owns the call, also when the call ends before it has taken the call back', async () => {
    const held: (() => void)[] = [];
    let ownerOf = (): string | undefined => undefined;
    const both = await acceptedWhileCutOff({
      settings: { endedCallMs: 5_000 },
      transit: (node, arrive, transfer) => {
        if (node === 'n1' && transfer === 'answer' && ownerOf() === 'n1') held.push(arrive);
        else queueMicrotask(arrive);
      },
    });
    const { nodes, first, second, call_id } = both;
    ownerOf = () => nodes.server.keys.fields(`call ${call_id}`).get('owner');
    nodes.server.setReachable('n1', true);
    await turn();
    expect([ownerOf(), held.length > 0]).toEqual(['n1', true]);
    first.exchange.removeUser('alice');
    await turn();
    expect(nodes.store.records).toHaveLength(1);
    ownerOf = () => undefined;
    for (const arrive of held) arrive();
    await nodes.pass(6_000);
    const [carol, dave] = [await first.device('carol'), await second.device('dave')];
    const reply = await say(carol, 'dial', { ...DIAL, callee_id: dave.userId });
    expect(codeOf(await say(carol, 'cancel', { call_id: callIdIn(reply) }))).toBe(0);
    expect(second.link.table('adopted').elsewhere(call_id).size).toBe(0);
  });

  it('announces that it owns the call until the call is forgotten', async () => {
    const both = await acceptedWhileCutOff({ settings: { endedCallMs: 5_000 } });
    const { nodes, second, alice, phone, call_id } = both;
    nodes.server.setReachable('n1', true);
    await nodes.pass(5_000);
    const rows = () => [...second.link.table('adopted').elsewhere(call_id).keys()];
    expect(rows()).toEqual(['n1']);
    expect(codeOf(await say(phone, 'end', { call_id }))).toBe(0);
    await nodes.pass(6_000);
    const next = callIdIn(await say(alice, 'dial', DIAL));
    expect(codeOf(await say(alice, 'cancel', { call_id: next }))).toBe(0);
    await nodes.pass(1_000);
    expect(rows()).toEqual([]);
  });
});

describe('messages that the bus loses', () => {
  it('take no call from a node that renews its sign of life', async () => {
    let isLossy = false;
    const both = await aliceAndBob({
      transit: (_, arrive, transfer) => {
        if (!isLossy || transfer !== 'text') queueMicrotask(arrive);
      },
    });
    const { nodes, first, second, third, alice, bob } = both;
    const call_id = await connected(both);
    isLossy = true;
    await nodes.pass(DEAD_MS + 20_000);
    isLossy = false;
    await nodes.pass(10_000);
    expect([first, second, third].map(({ exchange }) => exchange.liveCalls.length)).toEqual([1, 0, 0]);
    expect(codeOf(await say(bob, 'end', { call_id }))).toBe(0);
    expect([alice.told, nodes.store.records.length, await keptCalls(both)]).toEqual(['completed', 1, []]);
  });

  it('refuse the lists of calls for no longer than the patience with a silent node', async () => {
    let isLossy = false;
    const { nodes, third } = await aliceAndBob({
      transit: (_, arrive, transfer) => {
        if (!isLossy || transfer !== 'text') queueMicrotask(arrive);
      },
    });
    const carol = await third.device('carol');
    const list = async (ms: number) => {
      const { request_id, ...frame } = carol.frame('unended_calls', {}, requestId());
      carol.receive(JSON.stringify({ request_id, ...frame }));
      await nodes.pass(ms);
      return codeOf(carol.replies.find((reply) => reply.request_id === request_id));
    };
    isLossy = true;
    await nodes.pass(DEAD_MS + 1_000);
    expect(await list(7_000)).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    await nodes.pass(SILENCE - 20_000);
    expect(await list(7_000)).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    await nodes.pass(10_000);
    expect(await list(100)).toBe(0);
    isLossy = false;
    await nodes.pass(10_000);
    expect(await list(100)).toBe(0);
  });

  it('are noticed, and the devices get the state of their calls', async () => {
    let isLost = false;
    const both = await aliceAndBob({
      transit: (_, arrive, transfer) => {
        if (!(isLost && transfer === 'text')) queueMicrotask(arrive);
      },
    });
    isLost = true;
    const frame = both.alice.frame('dial', DIAL);
    both.alice.receive(JSON.stringify(frame));
    await turn();
    isLost = false;
    expect(both.bob.types).toEqual([]);
    await both.nodes.pass(4_000);
    expect(both.bob.types).toEqual(['dial']);
    expect(presences([both.second, both.third], 'alice')).toEqual(['online', 'online']);
  });

  it('do not repeat the end of a call that is over for a while', async () => {
    const both = await aliceAndBob();
    const call_id = await dialled(both);
    expect(codeOf(await say(both.alice, 'cancel', { call_id }))).toBe(0);
    const ends = () => both.bob.events.filter(({ type }) => type === 'cancel').length;
    both.second.link.send('n1', 'resynchronize', null);
    await turn();
    expect(ends()).toBe(2);
    await both.nodes.pass(10_000);
    both.second.link.send('n1', 'resynchronize', null);
    await turn();
    expect(ends()).toBe(2);
  });

  it.each([
    ['ringing', 'cancel', 'canceled'],
    ['accepted', 'end', 'not_connected'],
  ] as const)('are noticed, and a device learns the end of a %s call', async (state, type, result) => {
    let isLost = false;
    const both = await aliceAndBob({
      transit: (_, arrive, transfer) => {
        if (!(isLost && transfer === 'text')) queueMicrotask(arrive);
      },
    });
    const { nodes, third, alice, bob } = both;
    const carol = await third.device('bob', 'tablet');
    const call_id = await dialled(both);
    if (state === 'accepted') await say(bob, 'accept', { call_id, constraints: AV, capabilities: [] });
    isLost = true;
    expect(codeOf(await say(alice, type, { call_id }))).toBe(0);
    isLost = false;
    expect(bob.told).toBeUndefined();
    await nodes.pass(4_000);
    expect([bob.told, carol.told]).toEqual([result, state === 'ringing' ? result : 'other_device_accepted']);
    const ends = bob.events.filter(({ payload }) => 'end_result' in payload).length;
    await nodes.pass(10_000);
    expect(bob.events.filter(({ payload }) => 'end_result' in payload)).toHaveLength(ends);
  });
});
