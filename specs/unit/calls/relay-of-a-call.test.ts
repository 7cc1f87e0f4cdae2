import { describe, expect, it } from 'vitest';
import { callWorld, type Frame, type Party } from './support/call-world.ts';

/** Which of the relays that an exchange names a call uses. */

const CREDENTIAL = {
  username: 'u',
  password: 'p',
  turn_urls: ['turn:one.example', 'turn:two.example'],
  transport_policy: 'all',
};

/** The exchange names two relays in every credential, as one does that knows nothing of the capability. */
const nameTwo = (party: Party) =>
  party.rewrite((frame: Frame) =>
    frame.payload && 'turn_credential' in frame.payload
      ? { ...frame, payload: { ...frame.payload, turn_credential: CREDENTIAL } }
      : frame,
  );

const relaysOf = (party: Party) =>
  party.platform.rtc.made.map(({ configuration }) => configuration.iceServers?.flatMap(({ urls }) => urls));

describe('the relay of a call', () => {
  it('RT-13: of the credential it begins with, either side keeps the first url alone; of a changed one, every url', async () => {
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

  it('B53: of a changed credential with a thousand urls, eight are used, and that is logged', async () => {
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
