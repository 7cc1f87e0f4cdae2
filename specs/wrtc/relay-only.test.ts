/** The addresses that a real client with a relay-only policy sends, over a real server. */
import { afterEach, expect, test } from 'vitest';
import { startSim } from '../../sim/server/start-sim.ts';
import { unpackSdp } from '../../src/protocol/sdp-codec.ts';
import { Terminal as Client } from '../contract/exchange/terminals.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { ringback } from './terminal.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

/** Calls a client that never answers the offer. Returns the callee, and all addresses that the caller has sent it. */
async function called(policy: 'all' | 'relay') {
  const sim = await startSim({
    demo: true,
    port: 0,
    // No relay listens there, so a client with the relay-only policy finds no address.
    relay: { urls: ['turn:127.0.0.1:9?transport=udp'], secret: 'not a secret', policy },
  });
  undo.push(() => sim.close());
  const bob = await Client.signIn(sim, 'bob');
  undo.push(() => bob.disconnect());
  const caller = ringback(['dial', 'bob', '--as', 'alice', '--server', sim.url]);
  undo.push(() => caller.kill());
  const ofType = (type: string) =>
    bob.events.filter((event) => event.type === type).map(({ payload }) => Object(payload));
  const seen = (type: string, count: number) =>
    expect.poll(() => ofType(type).length, { timeout: scaled(20_000) }).toBeGreaterThanOrEqual(count);
  await seen('dial', 1);
  await bob.send('accept', {
    call_id: ofType('dial')[0].call_id,
    constraints: { audio: true, video: true },
    capabilities: [],
  });
  const addresses = () => [
    ...ofType('candidate').map(({ candidate }) => String(candidate.sdp)),
    ...ofType('offer').flatMap(({ sdp }) => unpackSdp(String(sdp)).match(/^(a=candidate:.*|c=IN .*)$/gm) ?? []),
  ];
  return { seen, addresses };
}

const OF_A_DEVICE = / typ (host|srflx|prflx)\b/;

test(
  'S35: a client without a relay-only policy sends the addresses of its device',
  { timeout: scaled(60_000) },
  async () => {
    const { seen, addresses } = await called('all');
    await seen('candidate', 1);
    expect(addresses().filter((line) => OF_A_DEVICE.test(line)).length).toBeGreaterThan(0);
  },
);

test(
  'S35: with a relay-only policy a client sends no address of its device, also when the relay does not answer',
  { timeout: scaled(60_000) },
  async () => {
    const { seen, addresses } = await called('relay');
    // The offer is resent after some seconds, in which the engine gathers every permitted address.
    await seen('offer', 2);
    expect(addresses().length).toBeGreaterThan(0);
    for (const line of addresses()) expect(line.trim()).toMatch(/^c=IN IP4 0\.0\.0\.0$/);
  },
);
