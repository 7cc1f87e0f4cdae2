/** Each time where it applies: not a millisecond before, and not one after. */
import { describe, expect, it } from 'vitest';
import { LogUpload } from '../../../src/calls/logging/log-upload.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import { startResend } from '../../../src/calls/peer/resend.ts';
import { whileLive } from '../../../src/calls/platform/browser/while-live.ts';
import { directCommand } from '../../../src/calls/realtime/command-frame.ts';
import { pendingRequests } from '../../../src/calls/realtime/requests.ts';
import { wait } from '../../../src/calls/realtime/wait.ts';
import { Credentials } from '../../../sim/exchange/directory/credentials.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import { ShortLivedTokens } from '../../../sim/exchange/directory/short-lived-tokens.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { callWorld, type CallWorld } from '../calls/support/call-world.ts';
import { connected, ringing } from '../calls/support/two-people.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

/** Returns when `reached` became true, in milliseconds from now. Null when it did not within two minutes. */
async function after({ world: { clock } }: CallWorld, reached: () => boolean): Promise<number | null> {
  const start = clock.now();
  return (await clock.advanceUntil(120_000, reached)) ? clock.now() - start : null;
}

describe('the timers of a call', () => {
  it('DC-06 DC-09: it rings for 60 s', async () => {
    const world = await callWorld();
    const [alice] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await after(world, () => alice.state(call) === 'dialing');
    expect(await after(world, () => alice.state(call) !== 'dialing')).toBe(60_000);
    expect(call.endResult).toBe('NO_ANSWER');
  });

  it('DC-21 DC-25 DC-31: it has 60 s from the accept to the media', async () => {
    const { bob, rung, world } = await ringing();
    world.cutMedia();
    rung.accept({ callOption: {} });
    await after(world, () => bob.state(rung) === 'accepting');
    expect(await after(world, () => bob.path().at(-1) === 'ended')).toBe(60_000);
    expect(rung.endResult).toBe('TIMED_OUT');
  });

  it('DC-38: it has 30 s to restore lost media', async () => {
    const { alice, call, world } = await connected();
    world.cutMedia();
    await after(world, () => alice.state(call) === 'reconnecting');
    expect(await after(world, () => alice.state(call) !== 'reconnecting')).toBe(30_000);
    expect(call.endResult).toBe('CONNECTION_LOST');
  });

  it('DC-05: it sends alive every 30 s', async () => {
    const world = await callWorld();
    const [alice] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
    await after(world, () => alice.state(call) === 'dialing');
    expect(await after(world, () => alice.sent('alive').length === 1)).toBe(30_000);
  });
});

describe('waiting', () => {
  it('lasts as long as requested, and leaves no timer behind', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const listeners = listenersOf(abort.signal);
    const waited: boolean[] = [];
    void wait(clock, 100, abort.signal).then((whole) => waited.push(whole));
    await clock.advance(99);
    expect([waited, listeners.size]).toEqual([[], 1]);
    await clock.advance(1);
    expect([waited, listeners.size, clock.pending]).toEqual([[true], 0, []]);
  });

  it('ends at once when it is aborted, before or meanwhile', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const meanwhile = wait(clock, 100, abort.signal);
    abort.abort();
    expect(await meanwhile).toBe(false);
    const listeners = listenersOf(abort.signal);
    const before = wait(clock, 100, abort.signal);
    expect([clock.pending, listeners.size]).toEqual([[], 0]);
    expect(await before).toBe(false);
  });

  it('RT-05: lasts 60 s for the reply to a request', async () => {
    const clock = new VirtualClock();
    const pending = pendingRequests({ clock, log: new Log({ clock, print: () => undefined }, loadedParts().logText) });
    let code = 0;
    pending
      .register('r1', directCommand('alive', { call_id: 'c1' }).read)
      .catch((error: { code: number }) => (code = error.code));
    await clock.advance(59_999);
    expect(code).toBe(0);
    await clock.advance(1);
    expect(code).toBe(ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT);
  });

  it('PC-26: ends for the result of an offer or an answer with its last send, or when it is stopped', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const start = clock.now();
    const resend = startResend(clock, () => times.push(clock.now() - start));
    await clock.advance(6_000);
    expect(times).toEqual([0, 2_500, 6_000]);
    resend.stop();
    expect(clock.pending).toEqual([]);
    const sends: number[] = [];
    const whole = startResend(clock, () => sends.push(1));
    await clock.advance(600_000);
    whole.stop();
    expect(sends).toHaveLength(12);
  });

  it('lasts 30 s for the upload of the lines of a log', async () => {
    const clock = new VirtualClock();
    let sends = 0;
    const log: Log = new Log({ clock, print: () => undefined }, loadedParts().logText, () => upload.lineKept());
    const upload: LogUpload = new LogUpload({ clock, log, send: () => Promise.resolve(void (sends += 1)) });
    log.setUploadLevel('ERROR');
    log.error('first');
    await clock.advance(29_999);
    expect(sends).toBe(0);
    await clock.advance(1);
    expect(sends).toBe(1);
  });
});

/** Counts the listeners of a signal's abort, from now on. */
function listenersOf(signal: AbortSignal): ReadonlySet<unknown> {
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    if (args[0] === 'abort') listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    if (args[0] === 'abort') listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return listeners;
}

describe('intervals and lifetimes', () => {
  it('the black picture is drawn again every second', async () => {
    const clock = new VirtualClock();
    let drawn = 0;
    const track = { readyState: 'live' } as MediaStreamTrack;
    whileLive(track, clock, { work: () => (drawn += 1), release: () => undefined });
    await clock.advance(999);
    expect(drawn).toBe(0);
    await clock.advance(1);
    expect(drawn).toBe(1);
  });

  it('S11: a short-lived token is valid for a minute', async () => {
    const clock = new VirtualClock();
    const tokens = new ShortLivedTokens(clock, { token: () => 'token' }, DEFAULT_SETTINGS.shortLivedTokenMs);
    const use = () => tokens.use('token', 'call', 'request', 'client');
    tokens.issue({ userId: 'bob', clientId: null, callId: 'call' });
    await clock.advance(59_999);
    expect(use()).toEqual({ userId: 'bob', clientId: 'client' });
    await clock.advance(1);
    expect(use()).toBeUndefined();
  });

  it('S23: a relay credential is valid for an hour, sent in whole seconds', () => {
    const expiryAt = (now: number) =>
      new Credentials({ wallTime: () => now }, { urls: [], secret: 's' }, DEFAULT_SETTINGS.relayCredentialMs, () => '')
        .current('bob')
        .username.split(':')[0];
    expect([0, 999, 1_000].map(expiryAt)).toEqual(['3600', '3600', '3601']);
  });
});
