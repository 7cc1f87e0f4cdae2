/** The sessions of several nodes: their replacement, their end, and a shared state that does not answer. */
import { describe, expect, it } from 'vitest';
import type { MemoryStateOptions, StateTransfer } from '../../../sim/cluster/memory-state.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { AV, type Device } from '../exchange/exchange-fixture.ts';
import { codeOf, Nodes, say, turn, type TestNode } from './nodes.ts';

type Transit = NonNullable<MemoryStateOptions['transit']>;

async function twoNodes(transit?: Transit) {
  const nodes = new Nodes(transit && { transit });
  const first = await nodes.start('n1');
  return { nodes, first, second: await nodes.start('n2') };
}

/** Returns the status of a request with the session of a device: 200 or 401. */
async function statusAt(node: TestNode, { token, headers }: Pick<Device, 'token' | 'headers'>): Promise<number> {
  await node.exchange.prepare({ session: token });
  const request = { headers, query: { call_ids: 'x' } };
  return (await node.http('GET', '/v1/direct_calls/missed_signal', request)).status;
}

/** Logs a client in. The body of the answer has the session token. */
const login = (node: TestNode, userId: string, clientId = `${userId}-1`) =>
  node.http('POST', `/v1/users/${userId}/login`, {
    headers: { 'x-client-id': clientId },
    body: { app_id: 'ringback-demo', user_id: userId },
  });

/** Returns a transit that holds the transfers for which `isHeld` returns true, until `release` is called. */
function holding(isHeld: (...transfer: [node: string, transfer: StateTransfer]) => boolean) {
  const held: (() => void)[] = [];
  const gate = { isClosed: false };
  const transit: Transit = (node, arrive, transfer) => {
    if (gate.isClosed && isHeld(node, transfer)) held.push(arrive);
    else queueMicrotask(arrive);
  };
  const release = () => {
    gate.isClosed = false;
    for (const arrive of held.splice(0)) arrive();
  };
  return { transit, gate, release };
}

const DIAL = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };

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

describe('S08 a login that the shared state does not keep', () => {
  it('is refused with 503, and the session, the socket and the call of the client go on', async () => {
    const { nodes, first, second } = await twoNodes();
    const [alice] = [await first.device('alice'), await second.device('bob')];
    await turn();
    const dialled = await say(alice, 'dial', DIAL);
    nodes.server.setReachable('n1', false);
    const { status, body } = await login(first, 'alice');
    expect([status, body.code]).toEqual([503, ErrorCode.ERR_SERVER_INTERNAL_ERROR]);
    expect([await statusAt(first, alice), await statusAt(second, alice), alice.closes]).toEqual([200, 200, []]);
    const call_id = String(new Map(Object.entries(dialled?.payload ?? {})).get('call_id'));
    expect(codeOf(await say(alice, 'cancel', { call_id }))).toBe(0);
    nodes.server.setReachable('n1', true);
    await nodes.pass(100);
    expect((await login(first, 'alice')).status).toBe(200);
    expect([await statusAt(first, alice), await statusAt(second, alice)]).toEqual([401, 401]);
  });

  it('leaves a session that can be ended, when the state kept the new one without an answer', async () => {
    // The answers to the first node are lost from the write of the new session on.
    let isLost = () => false;
    const { nodes, first, second } = await twoNodes((node, arrive, transfer) => {
      if (node !== 'n1' || transfer !== 'answer' || !isLost()) queueMicrotask(arrive);
    });
    const entry = () => nodes.server.keys.fields('sessions alice').get('alice-1');
    const alice = await first.device('alice');
    const listed = entry();
    let wasWritten = false;
    isLost = () => (wasWritten ||= entry() !== listed);
    const refused = login(first, 'alice');
    await nodes.pass(3_000);
    expect((await refused).status).toBe(503);
    expect(wasWritten).toBe(true);
    expect([await statusAt(first, alice), await statusAt(second, alice)]).toEqual([200, 200]);
    isLost = () => false;
    await nodes.pass(3_000);
    expect(entry()).toBe(listed);
    expect(nodes.server.keys.names.filter((key) => key.startsWith('session '))).toHaveLength(1);
    second.exchange.signOut('alice');
    await turn();
    expect([await statusAt(first, alice), await statusAt(second, alice)]).toEqual([401, 401]);
  });

  it.each(['another login', 'a sign-out'])(
    'leaves no session behind, when %s comes before it is taken back',
    async (later) => {
      let isLost = () => false;
      const { nodes, first, second } = await twoNodes((node, arrive) => {
        if (node !== 'n1' || !isLost()) queueMicrotask(arrive);
      });
      const entry = () => nodes.server.keys.fields('sessions alice').get('alice-1');
      const former = await first.device('alice');
      const listed = entry();
      let wasWritten = false;
      isLost = () => (wasWritten ||= entry() !== listed);
      const refused = login(first, 'alice');
      await nodes.pass(3_000);
      expect((await refused).status).toBe(503);
      const isLogin = later === 'another login';
      if (isLogin) expect((await login(second, 'alice')).status).toBe(200);
      else second.exchange.signOut('alice');
      await turn();
      isLost = () => false;
      await nodes.pass(3_000);
      expect([await statusAt(first, former), await statusAt(second, former)]).toEqual([401, 401]);
      const kept = nodes.server.keys.names.filter((key) => key.startsWith('session '));
      expect(kept).toHaveLength(isLogin ? 1 : 0);
    },
  );

  it('is over at once, when the sessions of the user end before the state has answered', async () => {
    const { transit, gate, release } = holding((node, transfer) => node === 'n1' && transfer === 'answer');
    const { first, second } = await twoNodes(transit);
    const former = await first.device('alice');
    gate.isClosed = true;
    const opening = login(first, 'alice');
    await turn();
    first.exchange.signOut('alice');
    release();
    const { status, body } = await opening;
    await turn();
    const alice = {
      token: body.sbcall_session_token,
      headers: { ...former.headers, 'x-session-token': body.sbcall_session_token },
    };
    expect(status).toBe(200);
    const all = [former, alice].flatMap((one) => [statusAt(first, one), statusAt(second, one)]);
    expect(await Promise.all(all)).toEqual([401, 401, 401, 401]);
  });
});

describe('S08 an order to end the sessions of a user', () => {
  it.each(['signOut', 'revokeSessions'] as const)(
    'that arrives late spares the sessions that were opened after it: %s',
    async (order) => {
      const { transit, gate, release } = holding((node, transfer) => node === 'n2' && transfer === 'text');
      const { nodes, first, second } = await twoNodes(transit);
      const former = await second.device('alice');
      gate.isClosed = true;
      first.exchange[order]('alice');
      await nodes.pass(1_000);
      const alice = await second.device('alice', 'alice-2');
      release();
      await turn();
      expect([await statusAt(first, former), await statusAt(second, former)]).toEqual([401, 401]);
      expect([await statusAt(first, alice), await statusAt(second, alice), alice.closes]).toEqual([200, 200, []]);
    },
  );
});

describe('S08 the end of sessions at nodes whose wall clocks differ', () => {
  it.each([-90_000, 90_000])('ends those that were opened before, and spares the others: %d ms', async (skewMs) => {
    const { transit, gate, release } = holding((node, transfer) => node === 'n2' && transfer === 'text');
    const nodes = new Nodes({ transit });
    const [first, second] = [await nodes.start('n1', skewMs), await nodes.start('n2', -skewMs)];
    const former = await second.device('alice');
    await nodes.pass(1_000);
    gate.isClosed = true;
    first.exchange.signOut('alice');
    await nodes.pass(1_000);
    const alice = await second.device('alice', 'alice-2');
    release();
    await turn();
    const all = [former, alice];
    expect(await Promise.all(all.map((one) => statusAt(first, one)))).toEqual([401, 200]);
    expect(await Promise.all(all.map((one) => statusAt(second, one)))).toEqual([401, 200]);
    expect(alice.closes).toEqual([]);
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
