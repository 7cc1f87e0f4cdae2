/** The simulated world behaves as specified: time, network and media, as measured on real ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import type { VirtualPeerConnection } from '../../../sim/virtual/peer-connection.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { eventFrame, outcomeOf, ScriptedExchange } from './scripted-exchange.ts';

const emptyWorld = (seed = 1) => createWorld({ seed, exchange: () => new ScriptedExchange() });

describe('the virtual clock', () => {
  test('D01 timers run in the order of due time, then of their start', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 40 }), async (waits) => {
        const clock = new VirtualClock();
        const ran: number[] = [];
        waits.forEach((ms, index) => clock.after(ms, () => ran.push(index)));
        await clock.advance(20);
        const due = (index: number) => waits[index] ?? 0;
        const wanted = [...waits.keys()].sort((a, b) => due(a) - due(b) || a - b);
        return JSON.stringify(ran) === JSON.stringify(wanted);
      }),
    );
  });

  test('cancelling removes the correct timer and no other, in any set of timers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 40 }), async (plan) => {
        const clock = new VirtualClock();
        const ran = new Set<number>();
        const timers = plan.map(([ms], index) => clock.after(ms, () => ran.add(index)));
        // A second cancel removes no other timer.
        for (const _ of [1, 2]) plan.forEach(([, cancelled], index) => cancelled && timers[index]?.cancel());
        await clock.advance(10);
        // A cancel after the timer has run removes no other timer either.
        for (const index of ran) timers[index]?.cancel();
        await clock.advance(10);
        return clock.pending.length === 0 && plan.every(([, cancelled], index) => ran.has(index) !== cancelled);
      }),
    );
  });

  test('promises run between two timers of one instant', async () => {
    const clock = new VirtualClock();
    const order: string[] = [];
    clock.after(5, () => {
      order.push('first');
      void Promise.resolve()
        .then(() => undefined)
        .then(() => order.push('its promise'));
    });
    clock.after(5, () => order.push('second'));
    await clock.advance(5);
    expect(order).toEqual(['first', 'its promise', 'second']);
  });

  test('a timer started by a timer runs in the same advance of time when it is due in it', async () => {
    const clock = new VirtualClock();
    const at: number[] = [];
    const start = clock.now();
    clock.after(10, () => clock.after(10, () => at.push(clock.now() - start)));
    await clock.advance(100);
    expect([at, clock.now() - start]).toEqual([[20], 100]);
  });

  test('an error of a timer is thrown where time is advanced', async () => {
    const clock = new VirtualClock();
    clock.after(5, () => {
      throw new Error('in a timer');
    });
    await expect(clock.advance(10)).rejects.toThrow('in a timer');
  });

  test('setting the host’s clock moves the wall time and no timer', async () => {
    const clock = new VirtualClock();
    let ran = false;
    clock.after(1_000, () => (ran = true));
    const wall = clock.wallTime();
    clock.skewWall(3_600_000);
    await clock.settle();
    expect([clock.wallTime() - wall, ran]).toEqual([3_600_000, false]);
  });

  test('simulates an hour of a timer that runs every second in little real time', async () => {
    const clock = new VirtualClock();
    let ticks = 0;
    clock.every(1_000, () => (ticks += 1));
    await clock.advance(3_600_000);
    expect(ticks).toBe(3_600);
  });
});

describe('the virtual network', () => {
  async function connected() {
    const world = emptyWorld();
    const { net } = world.platform('a');
    const told: string[] = [];
    const socket = net.sockets.open('wss://h/v1/realtime', {
      opened: () => told.push('opened'),
      received: (text) => told.push(JSON.parse(text).type),
      closed: (code) => told.push(`closed ${code}`),
    });
    await world.advance(10);
    return { world, net, socket, told, exchange: world.exchange };
  }

  const send = (type: string) => eventFrame('CALL', type, {});

  test('a rule loses, delays and duplicates messages; later ones overtake a delayed one', async () => {
    const { world, exchange, told } = await connected();
    world.network.rule(({ type }) => (type === 'lost' ? 'drop' : undefined));
    world.network.rule(({ type }) => (type === 'slow' ? { delayMs: 50 } : undefined));
    const undo = world.network.rule(({ type }) => (type === 'twice' ? { copies: 2 } : undefined));
    for (const type of ['slow', 'lost', 'twice']) exchange.latest.send(send(type));
    await world.advance(100);
    undo();
    exchange.latest.send(send('twice'));
    await world.advance(100);
    expect(told).toEqual(['opened', 'twice', 'twice', 'slow', 'twice']);
    expect(world.network.trace.filter(({ dropped }) => dropped).map(({ type }) => type)).toEqual(['lost']);
  });

  test('a stalled socket delivers nothing, does not close, and delivers everything when it continues', async () => {
    const { world, net, exchange, socket, told } = await connected();
    exchange.command = () => undefined;
    net.setSockets('stalled');
    exchange.latest.send(send('one'));
    exchange.latest.send(send('two'));
    socket.send(JSON.stringify({ type: 'three' }));
    await world.advance(600_000);
    expect([told, exchange.latest.received]).toEqual([['opened'], []]);
    net.setSockets('up');
    await world.advance(10);
    expect([told, exchange.latest.received]).toEqual([['opened', 'one', 'two'], ['{"type":"three"}']]);
  });

  test('a cut resets both ends of a socket with 1006, and pending messages are lost', async () => {
    const { world, net, exchange, told } = await connected();
    exchange.latest.send(send('one'));
    net.cut();
    await world.advance(100);
    expect([told, exchange.latest.isClosed]).toEqual([['opened', 'closed 1006'], true]);
  });

  test('a request whose answer is lost was handled (F23)', async () => {
    const { world, exchange } = await connected();
    world.network.drop('POST /v1/x', 'down');
    exchange.answer = () => ({ status: 200 });
    const signal = new AbortController().signal;
    const asked = outcomeOf(world.platform('a').fetch('https://h/v1/x', { method: 'POST', headers: {}, signal }));
    await world.advance(10);
    expect([asked.code, exchange.requests.length]).toEqual([-1, 1]);
  });

  test('remaining resources are named', async () => {
    const { world, net } = await connected();
    world.clock.after(50, () => undefined);
    expect(world.leftovers()).toEqual(['a: 1 sockets', 'a timer due in 50 ms']);
    net.dropSockets();
    await world.advance(60);
    expect(world.leftovers()).toEqual([]);
  });
});

describe('modelled media', () => {
  /** Two devices in a call: negotiated by the test, with candidates forwarded at once. */
  async function inCall({ candidates = true, tamper = (sdp: string) => sdp } = {}) {
    const world = emptyWorld();
    const [a, b] = [world.platform('a'), world.platform('b')];
    const caller = a.rtc.createPeerConnection({});
    const callee = b.rtc.createPeerConnection({});
    const states: string[] = [];
    const start = world.clock.now();
    const watch = (name: string, side: VirtualPeerConnection, other: VirtualPeerConnection) => {
      side.addEventListener('connectionstatechange', () =>
        states.push(`${world.clock.now() - start - connectedAt} ${name} ${side.connectionState}`),
      );
      side.addEventListener('icecandidate', ({ candidate }) => {
        if (candidate && candidates) void other.addIceCandidate(candidate.toJSON());
      });
    };
    let connectedAt = 0;
    watch('caller', caller, callee);
    watch('callee', callee, caller);
    caller.addTransceiver(a.devices.silence());
    const negotiate = async (iceRestart: boolean) => {
      const offer = await caller.createOffer({ iceRestart });
      await caller.setLocalDescription(offer);
      await callee.setRemoteDescription(offer);
      const [transceiver] = callee.getTransceivers();
      if (transceiver) transceiver.direction = 'sendrecv';
      await transceiver?.sender.replaceTrack(b.devices.silence());
      const answer = await callee.createAnswer();
      await callee.setLocalDescription(answer);
      await caller.setRemoteDescription({ type: 'answer', sdp: tamper(answer.sdp ?? '') });
    };
    await negotiate(false);
    await world.advance(100);
    const log = states.splice(0);
    connectedAt = world.clock.now() - start;
    const advance = (ms: number) => world.advance(ms);
    return { world, a, b, caller, callee, states, log, negotiate, advance };
  }

  const once = (states: readonly string[]) => states.filter((state, n) => state !== states[n - 1]);

  test('sides connect within tens of milliseconds, and every state is emitted twice, as wrtc emits it', async () => {
    const { log, caller } = await inCall();
    expect(log.filter((line) => line.endsWith('caller connected'))).toHaveLength(2);
    expect(caller.iceConnectionState).toBe('connected');
  });

  test('without candidates they never connect', async () => {
    const { caller, world } = await inCall({ candidates: false });
    await world.advance(120_000);
    expect(caller.connectionState).toBe('new');
  });

  test('F46 an answer with a wrong fingerprint never connects: ICE does, the connection fails', async () => {
    const { caller } = await inCall({ tamper: (sdp) => sdp.replace(/^(a=fingerprint:sha-256 ).{2}/gm, '$1ZZ') });
    expect([caller.iceConnectionState, caller.connectionState]).toEqual(['connected', 'failed']);
  });

  test('a cut is detected after 7.5 s and fails after 17.5 s, and only connectionState shows the failure (D04)', async () => {
    const { world, caller, states, advance } = await inCall();
    world.media.cut('a', 'b');
    await advance(60_000);
    expect(new Set(states)).toEqual(
      new Set(['7500 caller disconnected', '7500 callee disconnected', '17500 caller failed', '17500 callee failed']),
    );
    expect(caller.iceConnectionState).toBe('disconnected');
  });

  test('F39 a cut of 9 s recovers without a restart, one of 5 s is not even detected', async () => {
    const { world, states, advance } = await inCall();
    world.media.cut('a', 'b');
    await advance(5_000);
    world.media.restore('a', 'b');
    await advance(10_000);
    expect(states).toEqual([]);
    world.media.cut('a', 'b');
    await advance(9_000);
    world.media.restore('a', 'b');
    await advance(60_000);
    expect(once(states).filter((line) => line.includes('caller'))).toEqual([
      '22500 caller disconnected',
      '24040 caller connected',
    ]);
  });

  test('a failed connection recovers on a restored path only by an ICE restart', async () => {
    const { world, caller, callee, negotiate, advance } = await inCall();
    world.media.cut('a', 'b');
    await advance(20_000);
    world.media.restore('a', 'b');
    await advance(30_000);
    expect(caller.connectionState).toBe('failed');
    await negotiate(true);
    await advance(100);
    expect([caller.connectionState, callee.connectionState]).toEqual(['connected', 'connected']);
  });

  test('F40 a restart that begins during the cut connects when the path is back', async () => {
    const { world, caller, negotiate, advance } = await inCall();
    world.media.cut('a', 'b');
    await advance(18_000);
    await negotiate(true);
    await advance(5_000);
    expect(caller.connectionState).toBe('connecting');
    world.media.restore('a', 'b');
    await advance(100);
    expect(caller.connectionState).toBe('connected');
  });

  test('a restart over a working path changes no state', async () => {
    const { states, negotiate, advance } = await inCall();
    await negotiate(true);
    await advance(30_000);
    expect(states).toEqual([]);
  });

  test('a close is not sent to the other side, which detects the silence after 7.6 s', async () => {
    const { callee, states, advance, world } = await inCall();
    world.platform('a').rtc.open[0]?.close();
    await advance(60_000);
    expect(once(states)).toEqual(['7600 callee disconnected', '17600 callee failed']);
    callee.close();
    for (const name of ['a', 'b']) for (const track of world.platform(name).devices.liveTracks) track.stop();
    expect(world.leftovers()).toEqual([]);
  });

  test('sides that close one after the other leave no timer behind', async () => {
    const { caller, callee, advance, world } = await inCall();
    caller.close();
    await advance(1_000);
    callee.close();
    expect(world.clock.pending).toEqual([]);
  });

  const inbound = async (side: VirtualPeerConnection) => {
    let seen: Record<string, unknown> = {};
    (await side.getStats()).forEach((entry: Record<string, unknown>) => {
      if (entry['type'] === 'inbound-rtp') seen = entry;
    });
    return seen;
  };

  test('counters grow while media flows, stop while it is cut, and show the loss of the path', async () => {
    const { world, caller, advance } = await inCall();
    await advance(10_000);
    const before = await inbound(caller);
    expect(before['packetsReceived']).toBeGreaterThan(490);
    world.media.cut('a', 'b');
    await advance(2_000);
    expect((await inbound(caller))['packetsReceived']).toBe(before['packetsReceived']);
    world.media.restore('a', 'b');
    world.media.setQuality('a', 'b', { lossRate: 0.1 });
    await advance(10_000);
    expect((await inbound(caller))['packetsLost']).toBe(50);
  });

  test('the same seed gives the same world, another seed another', async () => {
    const offer = async (seed: number) => {
      const connection = emptyWorld(seed).platform('a').rtc.createPeerConnection({});
      connection.addTransceiver('audio');
      return (await connection.createOffer()).sdp;
    };
    expect(await offer(3)).toBe(await offer(3));
    expect(await offer(3)).not.toBe(await offer(4));
  });
});

describe('virtual devices, sounds and page', () => {
  test.each(['NotAllowedError', 'NotFoundError', 'NotReadableError'] as const)(
    'a device fails with %s',
    async (name) => {
      const world = emptyWorld();
      const { clock } = world;
      const { devices } = world.platform('a');
      devices.fail('video', name);
      const both = outcomeOf(devices.getUserMedia({ audio: true, video: true }).catch((error: Error) => error.name));
      const sound = outcomeOf(devices.getUserMedia({ audio: true }));
      await clock.advance(10);
      expect([both.value, sound.times, devices.liveTracks.length]).toEqual([name, 1, 1]);
    },
  );

  test('F61 a device that is unplugged ends its tracks and emits the change', async () => {
    const world = emptyWorld();
    const { clock } = world;
    const { devices } = world.platform('a');
    const told: string[] = [];
    const undo = devices.onChange(() => told.push('changed'));
    const opened = devices.getUserMedia({ audio: true });
    await clock.advance(10);
    const [track] = (await opened).getTracks();
    track?.addEventListener('ended', () => told.push('ended'));
    devices.unplug('mic-1');
    undo();
    devices.unplug('cam-1');
    expect([told, track?.readyState]).toEqual([['ended', 'changed'], 'ended']);
  });

  test('a black picture is redrawn every second until it is stopped', async () => {
    const world = emptyWorld();
    const { clock } = world;
    const { devices } = world.platform('a');
    const track = devices.blackPicture();
    await clock.advance(3_000);
    track.stop();
    await clock.advance(3_000);
    expect([devices.redraws, clock.pending]).toEqual([3, []]);
  });

  test('sounds are recorded: what plays, and when it stopped', async () => {
    const world = emptyWorld();
    const { clock } = world;
    const { sounds } = world.platform('a');
    const ringing = sounds.play('RINGING', { looped: true });
    sounds.play('RECONNECTED', { looped: false });
    expect(sounds.playing).toEqual(['RINGING']);
    await clock.advance(1_000);
    ringing.stop();
    ringing.stop();
    expect(sounds.playing).toEqual([]);
    expect(sounds.record.map(({ action, name }) => `${action} ${name}`)).toEqual([
      'play RINGING',
      'play RECONNECTED',
      'stop RINGING',
    ]);
  });

  test('a page emits each change of its state once', () => {
    const { page } = emptyWorld().platform('a');
    const told: string[] = [];
    const undo = [page.onChange((state) => told.push(state)), page.onOnline(() => told.push('online'))];
    page.go('hidden');
    page.go('hidden');
    page.goOnline();
    for (const undone of undo) undone();
    page.go('active');
    expect([told, page.listeners]).toEqual([['hidden', 'online'], 0]);
  });
});
