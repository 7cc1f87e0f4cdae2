import { describe, expect, it } from 'vitest';
import type { Cluster, CommandOwner } from '../../../sim/exchange/cluster.ts';
import type { Router } from '../../../sim/exchange/delivery/router.ts';
import type { DeviceDirectory } from '../../../sim/exchange/directory/devices.ts';
import type { DeviceId, SessionRegistry } from '../../../sim/exchange/directory/sessions.ts';
import type { TokenIssuer } from '../../../sim/exchange/directory/short-lived-tokens.ts';
import type { RateLimiter } from '../../../sim/exchange/limits/token-buckets.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../../../sim/exchange/settings.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { AV, createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';

/** The part of one node that the other nodes use. */
interface Node {
  readonly devices: DeviceDirectory;
  readonly router: Router;
}

/** Nodes of one process, which call each other directly. */
class MemoryCluster {
  readonly #nodes: Node[] = [];
  /** The owners of calls, by the first part of the ids that they make. */
  readonly owners = new Map<string, CommandOwner>();

  /** What the first node made, for all nodes. */
  #sessions: SessionRegistry | undefined;
  #tokens: TokenIssuer | undefined;
  readonly #limits = new Map<string, RateLimiter>();

  /** Adds a node, whose calls have ids with its name. */
  join(name: string, settings: Partial<ExchangeSettings> = {}): ExchangeFixture {
    let made = 0;
    const id = () => `${name}-${(made += 1)}`;
    const node = createExchangeFixture({ ids: { uuid: id, token: id }, cluster: this.#seenFrom(name), settings });
    this.owners.set(name, node.exchange);
    return node;
  }

  /** Returns the cluster as a new node sees it. The exchange asks for its devices first. */
  #seenFrom(name: string): Cluster {
    let devices: DeviceDirectory;
    return {
      sessions: (here) => (this.#sessions ??= here),
      shortLivedTokens: (here) => (this.#tokens ??= here),
      rateLimiter: (limit, here) => {
        const shared = this.#limits.get(limit) ?? here;
        this.#limits.set(limit, shared);
        return shared;
      },
      ownerOf: (callId) => {
        const [owner = ''] = callId.split('-');
        return owner === name ? null : (this.owners.get(owner) ?? null);
      },
      devices: (here) => {
        devices = here;
        return {
          clientsOf: (userId, accessToken) =>
            this.#nodes.flatMap((node) => node.devices.clientsOf(userId, accessToken)),
          isConnected: (userId) => this.#nodes.some((node) => node.devices.isConnected(userId)),
          has: (device) => this.#nodes.some((node) => node.devices.has(device)),
          signedIn: () => this.#nodes.flatMap((node) => node.devices.signedIn()),
        };
      },
      router: (here) => {
        this.#nodes.push({ devices, router: here });
        const routerOf = (device: DeviceId) => this.#nodes.find((node) => node.devices.has(device))?.router ?? here;
        return {
          send: (device, message, link) => (link ? here : routerOf(device)).send(device, message, link),
          close: (device, code, reason) => routerOf(device).close(device, code, reason),
        };
      },
    };
  }
}

/** Alice is connected to the first node, and Bob to the second. */
async function twoNodes() {
  const cluster = new MemoryCluster();
  const [first, second] = [cluster.join('first'), cluster.join('second')];
  const alice = await first.device('alice');
  // A user can be called at a node that knows that the user has logged in.
  (await first.device('bob')).disconnect();
  const bob = await second.device('bob');
  return { cluster, first, second, alice, bob };
}

/** Sends a command that another node answers. Returns its reply. Undefined without one. */
async function answered(device: Device, frame: { readonly request_id: string }) {
  const before = device.replies.length;
  device.receive(JSON.stringify(frame));
  expect(device.replies).toHaveLength(before);
  await new Promise(setImmediate);
  return device.replies.slice(before).find(({ request_id }) => request_id === frame.request_id);
}

describe('a node of a cluster', () => {
  it('rings a device of another node, and ends that ring', async () => {
    const { first, alice, bob } = await twoNodes();
    const call_id = alice.dial('bob');
    expect(bob.event('dial')).toMatchObject({ call_id, caller: { user_id: 'alice' } });
    alice.send('cancel', { call_id });
    expect(bob.types).toEqual(['dial', 'cancel']);
    expect(first.exchange.records).toMatchObject([{ callId: call_id, endResult: 'canceled' }]);
  });

  it('reports no unreached call when the callee is connected to another node', async () => {
    const { first, alice, bob } = await twoNodes();
    const unreached: string[] = [];
    first.exchange.subscribe((event) => void (event.kind === 'unreached' && unreached.push(event.calleeId)));
    alice.dial('bob');
    expect(unreached).toEqual([]);
    bob.disconnect();
    alice.dial('bob');
    expect([unreached, first.exchange.presenceOf('bob')]).toEqual([['bob'], 'offline']);
  });

  it('closes the channel of a device of another node', async () => {
    const { first, bob } = await twoNodes();
    first.exchange.signOut('bob');
    expect(bob.closes).toEqual([4401]);
  });

  it('forwards the commands of a device to the owner of the call, by socket and by HTTP', async () => {
    const { first, second, alice, bob } = await twoNodes();
    const call_id = alice.dial('bob');
    const accept = bob.frame('accept', { call_id, constraints: AV, capabilities: [] });
    expect(await answered(bob, accept)).toMatchObject({ type: 'accept_ack', payload: { call_id } });
    expect(alice.types).toContain('accept');
    expect(first.exchange.presenceOf('bob')).toBe('in_call');
    const end = bob.frame('end', { call_id });
    const { status, body } = await second.http('POST', '/v1/action/direct_call', { headers: bob.headers, body: end });
    expect([status, body]).toMatchObject([200, { type: 'end_ack', payload: { call_id } }]);
    expect(alice.told).toBe('not_connected');
    expect([first.exchange.records, second.exchange.records]).toMatchObject([[{ callId: call_id }], []]);
  });

  it('answers a repeated command with the first answer, which the owner stores, and refuses another command with its id', async () => {
    const { second, alice, bob } = await twoNodes();
    const call_id = alice.dial('bob');
    const accept = bob.frame('accept', { call_id, constraints: AV, capabilities: [] });
    const first = await answered(bob, accept);
    expect(await answered(bob, accept)).toEqual(first);
    expect(alice.types.filter((type) => type === 'accept')).toHaveLength(1);
    const other = bob.frame('hold', { call_id, is_on_hold: true, was_relayed: false }, accept.request_id);
    expect(await answered(bob, other)).toMatchObject({ error: { code: ErrorCode.INVALID_PARAMETER_VALUE } });
    expect(await second.http('POST', '/v1/action/direct_call', { headers: bob.headers, body: other })).toMatchObject({
      status: 409,
    });
  });

  it('refuses a command whose owner cannot be reached, and logs it', async () => {
    const { cluster, second, alice, bob } = await twoNodes();
    const call_id = alice.dial('bob');
    cluster.owners.set('first', { command: () => Promise.reject(new Error('the node is away')) });
    expect(await answered(bob, bob.frame('decline', { call_id }))).toMatchObject({
      error: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR },
    });
    expect(second.log).toContainEqual(expect.objectContaining({ level: 'error', message: 'a command failed' }));
    expect(alice.told).toBeUndefined();
  });

  it('does not answer a device that disconnects before the owner answers', async () => {
    const { first, alice, bob } = await twoNodes();
    const call_id = alice.dial('bob');
    bob.receive(JSON.stringify(bob.frame('decline', { call_id })));
    bob.disconnect();
    await new Promise(setImmediate);
    expect([bob.replies, first.exchange.records]).toMatchObject([[], [{ endResult: 'declined' }]]);
  });

  it('runs no command of another node before it has opened', async () => {
    const { exchange } = createExchangeFixture({ name: 'kept' });
    const frame = { version: 1, request_id: 'r1', cmd: 'CALL', type: 'end', payload: { call_id: 'call-1' } } as const;
    await expect(exchange.command({ userId: 'bob', clientId: 'bob-1' }, frame)).rejects.toThrow('starting or stopping');
  });

  it('accepts a session and a short-lived token of another node', async () => {
    const { second, alice, bob } = await twoNodes();
    const call_id = alice.dial('bob');
    const query = { call_ids: call_id };
    expect(await second.http('GET', '/v1/direct_calls/missed_signal', { headers: alice.headers, query })).toMatchObject(
      {
        status: 200,
      },
    );
    const delivery = { callee_delivery_info: { channel: 'push' }, received_type: 'push' } as const;
    const headers = {
      [HEADERS.shortLivedToken]: bob.event('dial').short_lived_token,
      [HEADERS.clientId]: bob.clientId,
    };
    const body = bob.frame('dial_rcv', { call_id, ...delivery });
    const taken = await second.http('POST', '/v1/action/direct_call', { headers, body });
    expect([taken.body, alice.types]).toMatchObject([{ type: 'dial_rcv_ack' }, ['dial_rcv']]);
  });

  it('counts the dials of a user at all nodes together', async () => {
    const cluster = new MemoryCluster();
    const settings = { dials: { burst: 1, perSecond: 0.001 } };
    const [first, second] = [cluster.join('first', settings), cluster.join('second', settings)];
    const [phone, laptop] = [await first.device('alice', 'phone'), await second.device('alice', 'laptop')];
    for (const node of [first, second]) (await node.device('bob')).disconnect();
    phone.dial('bob');
    expect(() => laptop.dial('bob')).toThrow(`${ErrorCode.ERR_SERVER_INTERNAL_ERROR}`);
  });
});

describe('a call that no side ends', () => {
  /** A node whose cluster answers as the test says whether the node owns a call. */
  async function asked(answer: () => Promise<boolean>) {
    const here: Cluster = {
      devices: (channels) => channels,
      router: (router) => router,
      ownerOf: () => null,
      ownsCall: answer,
    };
    const node = createExchangeFixture({ cluster: here });
    const [alice, bob] = [await node.device('alice'), await node.device('bob')];
    const seen: string[] = [];
    node.exchange.subscribe(({ kind }) => void (kind === 'ended' || kind === 'let_go' ? seen.push(kind) : undefined));
    const pass = async (ms: number) => {
      node.clock.advance(ms);
      await new Promise(setImmediate);
    };
    return { node, alice, bob, seen, pass };
  }

  it('ends at its limit while this node owns it', async () => {
    const { node, alice, bob, pass } = await asked(() => Promise.resolve(true));
    alice.dial('bob');
    await pass(DEFAULT_SETTINGS.ringTimeoutMs);
    expect(node.exchange.records).toMatchObject([{ endResult: 'no_answer' }]);
    expect(bob.types).toContain('no_answer');
  });

  it('is forgotten without a record and a signal when another node owns it', async () => {
    const { node, alice, bob, seen, pass } = await asked(() => Promise.resolve(false));
    alice.dial('bob');
    const told = [...bob.types];
    await pass(DEFAULT_SETTINGS.ringTimeoutMs);
    expect([node.exchange.records, node.exchange.liveCalls, bob.types, seen]).toEqual([[], [], told, ['let_go']]);
  });

  it('goes on while the owner is unknown, and ends when it is known', async () => {
    let isReachable = false;
    const { node, alice, seen, pass } = await asked(() =>
      isReachable ? Promise.resolve(true) : Promise.reject(new Error('no state')),
    );
    alice.dial('bob');
    await pass(DEFAULT_SETTINGS.ringTimeoutMs);
    expect([node.exchange.liveCalls.length, seen]).toEqual([1, []]);
    isReachable = true;
    await pass(5_000);
    expect([node.exchange.liveCalls.length, seen]).toEqual([0, ['ended']]);
  });

  it('does not end when it is accepted before the answer', async () => {
    let owns: (is: boolean) => void = () => undefined;
    const { node, alice, bob, seen, pass } = await asked(() => new Promise((resolve) => (owns = resolve)));
    const call_id = alice.dial('bob');
    await pass(DEFAULT_SETTINGS.ringTimeoutMs);
    bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    owns(true);
    await pass(0);
    expect([node.exchange.liveCalls, seen]).toMatchObject([[{ state: 'accepted' }], []]);
  });
});

it('a request about a call whose owner answers after this node has begun to stop is refused with 503', async () => {
  let answer: (reply: undefined) => void = () => undefined;
  const asking = new Promise<undefined>((resolve) => (answer = resolve));
  const owner = { command: async () => undefined, request: () => asking };
  const here: Cluster = { devices: (channels) => channels, router: (router) => router, ownerOf: () => owner };
  const node = createExchangeFixture({ cluster: here, name: 'one', store: new MemoryStore() });
  await node.exchange.open();
  const { headers } = await node.device('alice');
  const body = { custom_items: { mood: 'good' }, mode: 'upsert' };
  const changed = node.http('PUT', '/v1/direct_calls/n1.1/custom_items', { headers, body });
  await new Promise(setImmediate);
  node.exchange.close();
  answer(undefined);
  expect(await changed).toMatchObject({ status: 503, body: { code: ErrorCode.ERR_REQUEST_FAILED } });
});

it('a command whose owner answers after this node has begun to stop has no effect and no reply', async () => {
  let answer: (reply: undefined) => void = () => undefined;
  const owner = { command: () => new Promise<undefined>((resolve) => (answer = resolve)) };
  let asked: typeof owner | null = null;
  const here: Cluster = { devices: (channels) => channels, router: (router) => router, ownerOf: () => asked };
  const node = createExchangeFixture({ cluster: here, name: 'one', store: new MemoryStore() });
  await node.exchange.open();
  const [alice, bob] = [await node.device('alice'), await node.device('bob')];
  alice.receive(
    JSON.stringify(alice.frame('dial', { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] })),
  );
  await node.exchange.kept();
  const [{ callId: call_id } = { callId: '' }] = node.exchange.liveCalls;
  asked = owner;
  const replies = alice.replies.length;
  alice.receive(JSON.stringify(alice.frame('cancel', { call_id })));
  node.exchange.close();
  answer(undefined);
  await node.exchange.kept();
  expect([alice.replies.length, bob.types, node.exchange.records]).toEqual([replies, ['dial'], []]);
  expect(node.log.filter(({ level }) => level === 'error')).toEqual([]);
});
