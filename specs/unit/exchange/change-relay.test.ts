/** Relay credentials of a call that lasts longer than its credentials. */
import { describe, expect, it } from 'vitest';
import type { RelaySettings } from '../../../sim/exchange/settings.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { AV, createExchangeFixture, type Device } from './exchange-fixture.ts';
import { HandClock } from '../support/hand-clock.ts';

const LIFE_MS = 60_000;
const RELAY = { urls: ['turn:one.test', 'turn:two.test'], secret: 'hush' };
const CAPABLE = { capabilities: ['turn_changed'] };

async function accepted({
  relay = RELAY,
  caller = CAPABLE,
}: { relay?: RelaySettings | null; caller?: { capabilities: string[] } } = {}) {
  const fixture = createExchangeFixture({ settings: { relay, relayCredentialMs: LIFE_MS } });
  const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
  const call_id = alice.dial('bob', caller);
  alice.send('alive', { call_id });
  bob.send('accept', { call_id, constraints: AV, ...CAPABLE });
  return { fixture, alice, bob, call_id };
}

const renewals = (device: Device) =>
  device.events.flatMap((frame) => (frame.type === 'turn_changed' ? [frame.payload] : []));

describe('the relay credentials of a call', () => {
  it('PAY-16 S23: are renewed for both sides after five sixths of their life, and again', async () => {
    const { fixture, alice, bob, call_id } = await accepted();
    const start = fixture.clock.wallTime();
    fixture.clock.advance(49_999);
    expect([renewals(alice), renewals(bob)]).toEqual([[], []]);
    fixture.clock.advance(1);
    const credential = (userId: string, ms: number) => {
      const username = `${Math.floor((start + ms + LIFE_MS) / 1_000)}:${userId}`;
      const password = `hmac(hush,${username})`;
      return { username, password, turn_urls: RELAY.urls, transport_policy: 'all' };
    };
    const renewal = { call_id, event_id: expect.any(String), is_renewal: true };
    expect(renewals(alice)).toEqual([{ ...renewal, turn_credential: credential('alice', 50_000) }]);
    expect(renewals(bob)).toEqual([{ ...renewal, turn_credential: credential('bob', 50_000) }]);
    for (const device of [alice, bob]) device.send('alive', { call_id });
    fixture.clock.advance(50_000);
    expect(renewals(alice)).toHaveLength(2);
  });

  it('are not renewed before the accept, after the end, without a relay, and for a side without the capability', async () => {
    const { fixture, alice, bob, call_id } = await accepted({ caller: { capabilities: [] } });
    fixture.clock.advance(50_000);
    expect([renewals(alice).length, renewals(bob).length]).toEqual([0, 1]);
    bob.send('end', { call_id });
    expect(fixture.clock.pending).toBe(0);
    const ringing = alice.dial('bob', CAPABLE);
    for (let at = 0; at < 2; at += 1) {
      fixture.clock.advance(40_000);
      alice.send('alive', { call_id: ringing });
    }
    expect(renewals(alice)).toEqual([]);
    const without = await accepted({ relay: null });
    without.fixture.clock.advance(60_000);
    expect(renewals(without.alice)).toEqual([]);
  });

  it('belong to another relay after a request of the host, which does not count as a renewal', async () => {
    const { fixture, alice, call_id } = await accepted();
    fixture.exchange.changeTurn(call_id, { urls: ['turn:three.test'], secret: 'other' });
    const [changed] = renewals(alice);
    expect(changed?.turn_credential.turn_urls).toEqual(['turn:three.test']);
    expect(changed).not.toHaveProperty('is_renewal');
  });

  it('DC-49: are renewed soon after a restart of the exchange, and no timer of the previous one is left', async () => {
    const [clock, store] = [new HandClock(), new MemoryStore()];
    let made = 0;
    const ids = { uuid: () => `id-${(made += 1)}`, token: () => `token-${(made += 1)}` };
    const start = async () => {
      const settings = { relay: RELAY, relayCredentialMs: 600_000 };
      const opened = createExchangeFixture({ clock, store, name: 'one', ids, settings });
      await opened.exchange.open();
      return opened;
    };
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const first = await start();
    const [alice, bob] = [await first.device('alice'), await first.device('bob')];
    const say = async (device: Device, type: 'dial' | 'accept', payload: never) => {
      device.receive(JSON.stringify(device.frame(type, payload)));
      await first.exchange.kept();
      await settled();
    };
    await say(alice, 'dial', { callee_id: 'bob', is_video_call: false, constraints: AV, ...CAPABLE } as never);
    const { callId: call_id = '' } = first.exchange.liveCalls[0] ?? {};
    await say(bob, 'accept', { call_id, constraints: AV, ...CAPABLE } as never);
    expect(clock.pending).toBeGreaterThan(0);
    first.exchange.close();
    await first.exchange.kept();
    await settled();
    expect(clock.pending).toBe(0);
    clock.startProcess();
    const second = await start();
    const again = await second.device('alice');
    clock.advance(60_000);
    again.receive(JSON.stringify(again.frame('alive', { call_id })));
    (await second.device('bob')).receive(JSON.stringify(bob.frame('alive', { call_id })));
    await settled();
    clock.advance(5_000);
    await second.exchange.kept();
    await settled();
    expect(renewals(again)).toMatchObject([{ call_id, is_renewal: true }]);
  });
});
