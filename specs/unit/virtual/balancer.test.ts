import { describe, expect, it } from 'vitest';
import { type BalancedNode, Balancer } from '../../../sim/virtual/balancer.ts';
import type { ExchangeAnswer } from '../../../sim/virtual/exchange-door.ts';

const WHO = { sessionToken: 'token', clientId: 'client', version: '1' };
const LINK = { send: () => undefined, close: () => undefined };
const REQUEST = { method: 'GET', path: '/', query: {}, headers: {}, body: undefined };

class FakeNode implements BalancedNode {
  readonly name: string;
  isDown = false;
  isReady = true;
  answer: ExchangeAnswer | Promise<ExchangeAnswer> = { receive: () => undefined, closed: () => undefined };

  constructor(name: string) {
    this.name = name;
  }

  connect() {
    return this.answer;
  }

  async http() {
    return { status: 200, body: this.name };
  }
}

function balanced(seed = 0) {
  const nodes = ['c', 'a', 'b'].map((name) => new FakeNode(name));
  const [c, a, b] = nodes as [FakeNode, FakeNode, FakeNode];
  const balancer = new Balancer(nodes, seed);
  const connect = async () => {
    const answer = await balancer.connect(WHO, LINK);
    if ('status' in answer) return { node: answer.status, close: () => undefined };
    return { node: answer.node, close: () => answer.closed() };
  };
  const request = async () => (await balancer.http(REQUEST)).node;
  return { a, b, c, balancer, connect, request };
}

describe('a balancer', () => {
  it('gives a channel to the node with the fewest channels, and of equals to the first by name', async () => {
    const { connect } = balanced();
    const opened = [await connect(), await connect(), await connect(), await connect()];
    expect(opened.map(({ node }) => node)).toEqual(['a', 'b', 'c', 'a']);
    opened[1]?.close();
    // A channel is counted once, also when both ends close it.
    opened[1]?.close();
    expect([(await connect()).node, (await connect()).node, (await connect()).node]).toEqual(['b', 'b', 'c']);
  });

  it('gives requests to the nodes in turn, from a node that follows from the seed', async () => {
    const { request } = balanced(1);
    expect([await request(), await request(), await request(), await request()]).toEqual(['b', 'c', 'a', 'b']);
  });

  it('gives nothing to a node that is down, and nothing new to one that is not ready', async () => {
    const { a, b, connect, request } = balanced();
    a.isDown = true;
    b.isReady = false;
    expect([(await connect()).node, (await connect()).node, await request(), await request()]).toEqual(
      Array(4).fill('c'),
    );
  });

  it('uses nodes that are not ready when no node is ready', async () => {
    const { a, b, c, balancer, connect, request } = balanced();
    for (const node of [a, b, c]) node.isReady = false;
    a.isDown = true;
    expect([(await connect()).node, (await connect()).node]).toEqual(['b', 'c']);
    expect(balancer.isDown).toBe(false);
    b.isDown = true;
    c.isDown = true;
    expect([balancer.isDown, (await connect()).node, await request()]).toEqual([true, 503, undefined]);
  });

  it('does not count a channel that the node refuses, at once or later', async () => {
    const { a, balancer, connect } = balanced();
    a.answer = { status: 401 };
    expect((await connect()).node).toBe(401);
    a.answer = Promise.resolve({ status: 503 });
    const waiting = connect();
    expect(balancer.channelsOf(a)).toBe(1);
    expect([(await waiting).node, balancer.channelsOf(a)]).toEqual([503, 0]);
  });

  it('names no node when there is only one', async () => {
    const balancer = new Balancer([new FakeNode('a')], 5);
    expect(await balancer.connect(WHO, LINK)).not.toHaveProperty('node');
    expect(await balancer.http(REQUEST)).toEqual({ status: 200, body: 'a' });
  });
});
