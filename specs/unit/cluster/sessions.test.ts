/** The sessions of several nodes: their replacement, their end, and a shared state that does not answer. */
import { describe, expect, it } from 'vitest';
import type { Device } from '../exchange/exchange-fixture.ts';
import { Nodes, turn, type TestNode } from './nodes.ts';

async function twoNodes() {
  const nodes = new Nodes();
  const first = await nodes.start('n1');
  return { nodes, first, second: await nodes.start('n2') };
}

/** Returns the status of a request with the session of a device: 200 or 401. */
async function statusAt(node: TestNode, { token, headers }: Pick<Device, 'token' | 'headers'>): Promise<number> {
  await node.exchange.prepare({ session: token });
  const request = { headers, query: { call_ids: 'x' } };
  return (await node.http('GET', '/v1/direct_calls/missed_signal', request)).status;
}

describe('S08 a login of a client', () => {
  it('ends its former session also at the nodes that used that session', async () => {
    const { first, second } = await twoNodes();
    const former = await first.device('alice');
    expect(await statusAt(second, former)).toBe(200);
    const alice = await first.device('alice');
    await turn();
    expect([await statusAt(first, former), await statusAt(second, former)]).toEqual([401, 401]);
    expect([await statusAt(first, alice), await statusAt(second, alice)]).toEqual([200, 200]);
  });

  it('leaves a session that the client has opened since at another node', async () => {
    const { first, second } = await twoNodes();
    const former = await first.device('alice');
    const other = await first.device('alice', 'alice-2');
    const alice = await second.device('alice');
    await turn();
    const statuses = [former, other, alice].map((one) => statusAt(first, one));
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
  });
});

describe('S08 a node that ends the sessions of a user without the shared state', () => {
  it('ends them later, and none that the user has opened since', async () => {
    const { nodes, first, second } = await twoNodes();
    const alice = await first.device('alice');
    const tablet = await second.device('alice', 'alice-2');
    nodes.server.setReachable('n1', false);
    first.exchange.signOut('alice');
    await nodes.pass(1_000);
    const again = await second.device('alice', 'alice-3');
    nodes.server.setReachable('n1', true);
    await nodes.pass(100);
    const all = [alice, tablet, again];
    expect(await Promise.all(all.map((one) => statusAt(second, one)))).toEqual([401, 401, 200]);
    expect(await Promise.all(all.map((one) => statusAt(first, one)))).toEqual([401, 401, 200]);
    expect(again.closes).toEqual([]);
  });

  it('ends them also when the shared state has lost its keys meanwhile', async () => {
    const { nodes, first, second } = await twoNodes();
    const alice = await first.device('alice');
    expect(await statusAt(second, alice)).toBe(200);
    nodes.server.setReachable('n1', false);
    first.exchange.signOut('alice');
    await nodes.pass(1_000);
    nodes.server.lose();
    await nodes.pass(3_000);
    expect(await statusAt(second, alice)).toBe(200);
    nodes.server.setReachable('n1', true);
    await nodes.pass(100);
    expect([await statusAt(first, alice), await statusAt(second, alice)]).toEqual([401, 401]);
  });

  it('ends those of each user, when the shared state is lost again before they are recorded', async () => {
    const { nodes, first, second } = await twoNodes();
    const all = [await second.device('alice'), await second.device('bob'), await second.device('carol')];
    nodes.server.setReachable('n1', false);
    for (const { userId } of all) {
      first.exchange.signOut(userId);
      await turn();
    }
    nodes.server.setReachable('n1', true);
    nodes.server.setReachable('n1', false);
    await turn();
    nodes.server.setReachable('n1', true);
    await nodes.pass(100);
    expect(await Promise.all(all.map((one) => statusAt(second, one)))).toEqual([401, 401, 401]);
  });
});

describe('a shared state that has lost its keys', () => {
  it('gets the newest session of a client, whichever node writes last', async () => {
    const { nodes, first, second } = await twoNodes();
    const former = await first.device('alice');
    nodes.server.setReachable('n1', false);
    await nodes.pass(1_000);
    const alice = await second.device('alice');
    nodes.server.lose();
    await nodes.pass(3_000);
    nodes.server.setReachable('n1', true);
    await nodes.pass(3_000);
    expect([await statusAt(first, former), await statusAt(second, former)]).toEqual([401, 401]);
    expect([await statusAt(first, alice), await statusAt(second, alice)]).toEqual([200, 200]);
  });
});
