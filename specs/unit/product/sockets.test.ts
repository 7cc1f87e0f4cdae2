/** What the product sends on its sockets beside single events: heartbeats, and batches of presence. */
import { afterEach, describe, expect, it } from 'vitest';
import { HEARTBEAT } from '../../../src/protocol/product/heartbeat.ts';
import { openPeopleWorld, type PeopleWorld } from './support/people-world.ts';

const worlds: PeopleWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) {
    await world.close();
    expect(world.clock.pending).toBe(0);
  }
});

async function open(...args: Parameters<typeof openPeopleWorld>): Promise<PeopleWorld> {
  const world = await openPeopleWorld(...args);
  worlds.push(world);
  return world;
}

describe.each(['/ws/events', '/ws/online/ann'])('the socket %s', (path) => {
  it('F03: has a heartbeat every 8 s, by which a page detects a dead socket within 20 s, until it is closed', async () => {
    const { product, clock, signIn } = await open({ ann: {} });
    const { token } = await signIn('ann');
    const sent: string[] = [];
    const socket = await product.socket(path, token, null, { send: (text) => sent.push(text), close: () => undefined });
    const beats = () => sent.filter((text) => text === HEARTBEAT).length;
    clock.advance(7_999);
    expect(beats()).toBe(0);
    clock.advance(1);
    expect(beats()).toBe(1);
    clock.advance(80_000);
    expect(beats()).toBe(11);
    if ('status' in socket) throw new Error(socket.message);
    socket.closed();
    clock.advance(80_000);
    expect(beats()).toBe(11);
  });
});

describe('the presence of many users who connect at once', () => {
  const women = Array.from({ length: 50 }, (_, at) => `w${at + 10}`);
  const people = { kai: { gender_type: 'man' as const }, ...Object.fromEntries(women.map((uId) => [uId, {}])) };

  it('F10 L5: is sent in batches, half a second apart, in one message each', async () => {
    const { product, clock, signIn, setCalling } = await open(people);
    const kai = await signIn('kai');
    await kai.hear();
    await kai.ask('discover', { query: { limit: '50' } });
    const heard = () => kai.heard.map((event) => event.type === 'presence_changed' && event.u_id);
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    setCalling('w10', 'online');
    await product.settled();
    expect(heard()).toEqual(['w10']);
    const before = kai.messages.length;
    const others = women.slice(1, 41);
    for (const uId of others) setCalling(uId, 'online');
    await settled();
    clock.advance(499);
    await settled();
    expect(kai.messages).toHaveLength(before);
    clock.advance(1);
    await expect.poll(heard).toEqual(['w10', ...others]);
    expect(kai.messages).toHaveLength(before + 1);
    clock.advance(500);
    setCalling('w10', 'offline');
    await expect.poll(heard).toEqual(['w10', ...others, 'w10']);
  });
});
