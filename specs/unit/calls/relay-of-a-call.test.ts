import { describe, expect, it } from 'vitest';
import { unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { callWorld, type Frame, type MediaPeer } from './support/call-world.ts';

/** The relays of a credential that a call uses. */

const CREDENTIAL = {
  username: 'u',
  password: 'p',
  turn_urls: ['turn:one.example', 'turn:two.example'],
  transport_policy: 'all',
};

/** The exchange names two relays in every credential, as one without the capability does. */
const nameTwo = (party: MediaPeer) =>
  party.rewrite((frame: Frame) =>
    frame.payload && 'turn_credential' in frame.payload
      ? { ...frame, payload: { ...frame.payload, turn_credential: CREDENTIAL } }
      : frame,
  );

const relaysOf = (party: MediaPeer) =>
  party.platform.rtc.made.map(({ configuration }) => configuration.iceServers?.flatMap(({ urls }) => urls));

describe('the relay of a call', () => {
  it('RT-13: either side uses only the first url of the first credential, and every url of a changed one', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    for (const party of [alice, bob]) nameTwo(party);
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect(alice.sent('dial')[0]?.payload).toMatchObject({ capabilities: ['turn_changed'] });
    expect([relaysOf(alice), relaysOf(bob)]).toEqual([[['turn:one.example']], [['turn:one.example']]]);
    world.world.exchange.changeTurn(call.callId);
    await world.advance(6_000);
    const both = ['turn:one.example', 'turn:two.example'];
    expect([relaysOf(alice)[1], relaysOf(bob)[1]]).toEqual([both, both]);
    expect(alice.state(call)).toBe('connected');
  });

  it('B53: eight urls of a changed credential with a thousand are used, and that is logged', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    const turn_urls = Array.from({ length: 1_000 }, (_, at) => `turn:r${at}.example`);
    alice.rewrite((frame: Frame) =>
      frame.type === 'turn_changed'
        ? { ...frame, payload: { ...frame.payload, turn_credential: { ...CREDENTIAL, turn_urls } } }
        : frame,
    );
    world.world.exchange.changeTurn(call.callId);
    await world.advance(6_000);
    expect(relaysOf(alice)[1]).toEqual(turn_urls.slice(0, 8));
    expect(alice.errors().filter((line) => line.includes('relay addresses were left out'))).toHaveLength(1);
    expect(alice.state(call)).toBe('connected');
  });
});

describe('a relayed call that is older than its credentials', () => {
  const HOUR = 120_000;
  const RELAY = { urls: ['turn:relay.example'], secret: 'hush', policy: 'relay' } as const;

  /** Each renewal sends the first credential again. */
  function keepFirst(party: MediaPeer): void {
    let first: unknown;
    party.rewrite((frame: Frame) => {
      if (!frame.payload || !('turn_credential' in frame.payload)) return frame;
      first ??= frame.payload['turn_credential'];
      return { ...frame, payload: { ...frame.payload, turn_credential: first } };
    });
  }

  async function old(ms: number) {
    const world = await callWorld({ settings: { relay: RELAY, relayCredentialMs: HOUR } });
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect(alice.state(call)).toBe('connected');
    await world.advance(ms);
    return { world, alice, bob, call, rung: bob.rung() };
  }

  it('PAY-16 ENT-18 S23: gets new ones before the previous ones expire, and survives a change of network', async () => {
    const { world, alice, bob, call, rung } = await old(2 * HOUR + HOUR / 2);
    for (const party of [alice, bob]) {
      expect(party.events('turn_changed').map(({ payload }) => payload['is_renewal'])).toEqual([true, true, true]);
      // The connection is still the first one.
      expect(party.peerConnections()).toBe(1);
    }
    world.cutMedia();
    // Long enough for ICE to fail: it restarts, and gathers again.
    await world.advance(20_000);
    expect(alice.state(call)).toBe('reconnecting');
    world.restoreMedia();
    await world.advance(10_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    expect([...alice.errors(), ...bob.errors()]).toEqual([]);
  });

  it('clients that do not renew the relay lose the call with its network, because the relay expires', async () => {
    const world = await callWorld({ settings: { relay: RELAY, relayCredentialMs: HOUR } });
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    for (const party of [alice, bob]) keepFirst(party);
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(HOUR + 10_000);
    expect(alice.state(call)).toBe('connected');
    world.cutMedia();
    await world.advance(20_000);
    world.restoreMedia();
    await world.advance(60_000);
    expect(call.endResult).toBe('CONNECTION_LOST');
  });

  it('an engine that refuses the new credential keeps the previous one, and the call continues', async () => {
    const { world, alice, call } = await old(0);
    const [connection] = alice.platform.rtc.open;
    if (!connection) throw new Error('no connection');
    connection.setConfiguration = () => {
      throw new DOMException('not now', 'InvalidModificationError');
    };
    await world.advance(HOUR);
    expect(alice.errors().join('\n')).toContain('the new credential of the relay was refused');
    expect(alice.state(call)).toBe('connected');
  });

  it('S35: sends no address of a device when the policy is relay only', async () => {
    const { alice, bob } = await old(0);
    for (const party of [alice, bob]) {
      const candidates = party.sent('candidate').map(({ payload }) => Object(payload['candidate']).sdp as string);
      expect(candidates.length).toBeGreaterThan(0);
      for (const candidate of candidates) expect(candidate).toMatch(/ typ relay\b/);
      const descriptions = [...party.sent('offer'), ...party.sent('answer')];
      expect(descriptions.length).toBeGreaterThan(0);
      for (const { payload } of descriptions) {
        expect(unpackSdp(String(payload['sdp']))).not.toMatch(/ typ (host|srflx|prflx)\b/);
      }
    }
  });
});
