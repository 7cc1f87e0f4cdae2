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
