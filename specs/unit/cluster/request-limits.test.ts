/** The limits of requests over HTTP, which the nodes of a cluster count together. */
import { describe, expect, it } from 'vitest';
import { ROUTE_BUDGETS } from '../../../sim/budgets/calling-budgets.ts';
import type { Device } from '../exchange/exchange-fixture.ts';
import { Nodes, turn, type TestNode } from './nodes.ts';

const [BY_DEVICE, BY_ACCOUNT] = ROUTE_BUDGETS.missedSignals.limits;
const MISSED = '/v1/direct_calls/missed_signal';
/** The part of a limit that a node may allow before it learns what the other nodes have counted. */
const AHEAD = 0.1;

/** Sends requests to a node until it refuses one, `most` at most. Returns the number that it allowed. */
async function allowedAt(node: TestNode, { headers, token }: Device, most: number, path = MISSED): Promise<number> {
  await node.exchange.prepare({ session: token });
  for (let allowed = 0; allowed < most; allowed += 1) {
    const { status } = await node.http('GET', path, { headers, query: path === MISSED ? { call_ids: 'x' } : {} });
    await turn();
    if (status === 429) return allowed;
    expect(status).toBe(200);
  }
  return most;
}

async function twoNodes() {
  const nodes = new Nodes();
  const first = await nodes.start('n1');
  return { nodes, first, second: await nodes.start('n2') };
}

describe('S14 the requests of one sender at several nodes', () => {
  it('count together against the limit of the device', async () => {
    const { first, second } = await twoNodes();
    const alice = await first.device('alice');
    const { points } = BY_DEVICE;
    expect(await allowedAt(first, alice, points)).toBe(points);
    expect(await allowedAt(second, alice, points)).toBeLessThanOrEqual(points * AHEAD);
    expect(await allowedAt(second, alice, points, '/v1/users/alice/calls')).toBe(points);
    expect(await allowedAt(second, await second.device('alice', 'alice-2'), 3)).toBe(3);
    expect(await allowedAt(second, await second.device('bob'), points)).toBe(points);
  });

  it('count together against the limit of the account', async () => {
    const { first, second } = await twoNodes();
    const { points } = BY_ACCOUNT;
    const devices: Device[] = [];
    for (let at = 0; at * BY_DEVICE.points < points; at += 1) devices.push(await first.device('alice', `alice-${at}`));
    for (const device of devices) expect(await allowedAt(first, device, BY_DEVICE.points)).toBe(BY_DEVICE.points);
    const others = [await second.device('alice', 'alice-x'), await second.device('alice', 'alice-y')];
    let allowed = 0;
    for (const other of others) allowed += await allowedAt(second, other, BY_DEVICE.points);
    expect(allowed).toBeLessThanOrEqual(points * AHEAD);
  });

  it('are counted by each node alone while the shared state cannot be reached', async () => {
    const { nodes, first, second } = await twoNodes();
    const alice = await first.device('alice');
    const { points } = BY_DEVICE;
    await second.exchange.prepare({ session: alice.token });
    for (const name of ['n1', 'n2']) nodes.server.setReachable(name, false);
    for (const node of [first, second]) expect(await allowedAt(node, alice, points + 1)).toBe(points);
  });
});
