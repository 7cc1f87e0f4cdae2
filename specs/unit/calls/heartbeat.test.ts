/** A socket that is open at one end only: the time until its detection, and the calls and commands meanwhile. */
import { describe, expect, it } from 'vitest';
import { socketHeartbeat } from '../../../src/calls/realtime/heartbeat.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { callWorld, type MediaPeer } from './support/call-world.ts';
import { connected } from './support/two-people.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const VOICE = { isVideoCall: false, callOption: {} };
const ACTION = '/v1/action/direct_call';

const opens = (party: MediaPeer) =>
  party.logged('info').filter((line) => line.includes('realtime channel open')).length;

describe('the heartbeat of a socket', () => {
  function beating() {
    const clock = new VirtualClock();
    const happened: string[] = [];
    const start = clock.now();
    const note = (what: string) => () => happened.push(`${what} ${clock.now() - start}`);
    let timers = 0;
    const counted = {
      now: () => clock.now(),
      after: (ms: number, run: () => void) => {
        timers += 1;
        return clock.after(ms, run);
      },
    };
    const heartbeat = socketHeartbeat({ clock: counted, ask: note('ask'), dead: note('dead') });
    heartbeat.heard();
    return { clock, heartbeat, happened, timers: () => timers };
  }

  it('F03: is sent after 10 s of silence, and the socket counts as dead 7 s after that', async () => {
    const { clock, happened } = beating();
    await clock.advance(60_000);
    expect(happened).toEqual(['ask 10000', 'dead 17000']);
    expect(clock.pending).toEqual([]);
  });

  it('is sent 3 s after a command without a reply, and never later than without a command', async () => {
    const { clock, heartbeat, happened } = beating();
    await clock.advance(1_000);
    heartbeat.sent();
    await clock.advance(1_000);
    // A second command does not move the heartbeat.
    heartbeat.sent();
    await clock.advance(9_000);
    expect(happened).toEqual(['ask 4000', 'dead 11000']);
    const late = beating();
    await late.clock.advance(9_000);
    late.heartbeat.sent();
    await late.clock.advance(1_000);
    expect(late.happened).toEqual(['ask 10000']);
  });

  it('needs no timer for a message, and one more for a command', async () => {
    const { clock, heartbeat, happened, timers } = beating();
    for (let message = 0; message < 5; message += 1) {
      await clock.advance(100);
      heartbeat.heard();
    }
    expect(timers()).toBe(1);
    for (let command = 0; command < 5; command += 1) {
      heartbeat.sent();
      await clock.advance(100);
      heartbeat.heard();
    }
    expect(timers()).toBe(2);
    await clock.advance(9_999);
    expect(happened).toEqual([]);
    await clock.advance(1);
    expect(happened).toEqual(['ask 11000']);
  });

  it('restarts with each message, and leaves no timer when it is stopped', async () => {
    const { clock, heartbeat, happened } = beating();
    await clock.advance(16_999);
    heartbeat.heard();
    await clock.advance(9_999);
    expect(happened).toEqual(['ask 10000']);
    heartbeat.stop();
    expect(clock.pending).toEqual([]);
    heartbeat.sent();
    expect(clock.pending).toEqual([]);
  });
});

describe('a half-open channel', () => {
  it('F03 DC-05: is replaced within 20 s in a call, and the call survives', async () => {
    const { alice, bob, call, rung, world } = await connected();
    alice.platform.net.deadenSockets();
    await world.advance(20_000);
    expect(opens(alice)).toBe(2);
    await world.advance(120_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    rung.muteMicrophone();
    await world.settle();
    expect([call.isRemoteAudioEnabled, alice.errors(), bob.errors()]).toEqual([false, [], []]);
  });

  it('F03 HTTP-25 D13: a call survives over HTTP when no channel carries messages', async () => {
    const { alice, bob, call, rung, world } = await connected();
    alice.platform.net.setSockets('silent');
    await world.advance(300_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    const alives = alice.httpRequests(ACTION).filter(({ body }) => body?.includes('"alive"'));
    expect(alives.length).toBeGreaterThan(5);
    call.end();
    await world.advance(30_000);
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('F03 HTTP-25: a command that the channel loses is sent over HTTP, and the call is made', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    await world.advance(30_000);
    alice.platform.net.deadenSockets();
    const call = alice.dial('bob', VOICE);
    await world.advance(10_100);
    expect(alice.dialled).toEqual([{ call, code: undefined }]);
    const [request] = alice.httpRequests(ACTION).map(({ body }) => JSON.parse(body ?? ''));
    expect(request.type).toBe('dial');
    expect([bob.rings.length, world.world.exchange.liveCalls.length]).toEqual([1, 1]);
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect([alice.state(call), bob.state(bob.rung())]).toEqual(['connected', 'connected']);
  });

  it('F03 HTTP-25: a command whose reply the channel loses is sent over HTTP with the same request id, and runs once', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    alice.lose({ to: 'alice', type: 'dial_ack' });
    const call = alice.dial('bob', VOICE);
    await world.advance(1_000);
    expect([alice.dialled, bob.rings.length]).toEqual([[], 1]);
    alice.platform.net.deadenSockets();
    await world.advance(20_000);
    expect(alice.dialled).toEqual([{ call, code: undefined }]);
    const asked = alice.httpRequests(ACTION).map(({ body }) => JSON.parse(body ?? '').request_id);
    expect(asked).toEqual([alice.sent('dial')[0]?.request_id]);
    expect([bob.rings.length, world.world.exchange.liveCalls.length]).toEqual([1, 1]);
  });

  it('F03: an incoming call rings within 20 s when the channel is half-open', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    await world.advance(30_000);
    bob.platform.net.deadenSockets();
    alice.dial('bob', VOICE);
    await world.settle();
    expect(bob.rings).toEqual([]);
    await world.advance(20_000);
    expect(bob.rung().caller.userId).toBe('alice');
  });

  it('RT-05 ERR-1800203: a command without a reply in 60 s fails although the channel lives, and the channel is replaced', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    alice.lose({ from: 'alice', type: 'dial' });
    const call = alice.dial('bob', VOICE);
    await world.advance(60_100);
    expect([alice.dialled, opens(alice)]).toEqual([[{ call, code: ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT }], 2]);
  });
});

describe('a session in use', () => {
  it('HTTP-02 S08: lasts as long as the page is open, and through a call that is longer than its life', async () => {
    const world = await callWorld({ settings: { sessionMs: 120_000 } });
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    await world.advance(600_000);
    const call = alice.dial('bob', VOICE);
    await world.settle();
    expect(alice.dialled).toEqual([{ call, code: undefined }]);
    bob.rung().accept({ callOption: {} });
    await world.advance(600_000);
    expect([alice.state(call), bob.state(bob.rung())]).toEqual(['connected', 'connected']);
    expect(alice.httpRequests('/v1/users/alice/login')).toHaveLength(1);
  });
});
