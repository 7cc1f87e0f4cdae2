import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import { LogUpload } from '../../../src/calls/logging/log-upload.ts';
import { debugLogsBody, type DebugLogsBody } from '../../../src/protocol/client-logs.ts';
import type { LogLevel } from '../../../src/protocol/enumerations.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { callWorld, type MediaPeer } from './support/call-world.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const PATH = '/v1/sdk/debug_logs';

/** Alice, whose log the exchange requests from a level on, beside bob. */
async function wanted(level: LogLevel) {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const { exchange } = world.world;
  exchange.setUploadLevel('alice', level);
  await world.settle();
  const kept = () => exchange.debugLogsOf('alice');
  return { world, alice, bob, exchange, kept, messages: () => kept().map(({ log_message }) => log_message) };
}

const uploads = (party: MediaPeer) =>
  party.httpRequests(PATH).map(({ body }) => v.parse(debugLogsBody, JSON.parse(body ?? '')));

/** Adds a line to a party's log: a device-wide listener of the party throws at every ring. */
function throwingListener(party: MediaPeer): void {
  party.client.addListener('throws', {
    onRinging: () => {
      throw new Error('not me: token=s3cret');
    },
  });
}

describe('the log that the exchange requests', () => {
  it('PAY-18 LOG-02: is stored from the level that the exchange set, and not before; others keep their logs', async () => {
    const { alice, bob, kept, exchange, world } = await wanted('INFO');
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.rung().end();
    await world.advance(31_000);
    expect(new Set(kept().map(({ log_level }) => log_level))).toEqual(new Set(['INFO']));
    expect(kept().some(({ log_message }) => log_message.includes('"to":"dialing"'))).toBe(true);
    expect(exchange.debugLogsOf('bob')).toEqual([]);
    expect(bob.httpRequests(PATH)).toEqual([]);
  });

  it('PAY-18: is requested again by a reconnected channel, and not after the level becomes NONE', async () => {
    const { alice, bob, exchange, messages, world } = await wanted('NONE');
    throwingListener(alice);
    const ring = async () => {
      const call = bob.dial('alice', { isVideoCall: false, callOption: {} });
      await world.settle();
      call.end();
      await world.advance(31_000);
      return messages().filter((message) => message.includes('not me')).length;
    };
    expect(await ring()).toBe(0);
    exchange.setUploadLevel('alice', 'ERROR');
    await world.settle();
    expect(await ring()).toBe(1);
    alice.loseChannel({ forMs: 1_000 });
    await world.advance(13_000);
    expect(await ring()).toBe(2);
    exchange.setUploadLevel('alice', 'NONE');
    await world.settle();
    expect(await ring()).toBe(2);
  });

  it('HTTP-24 LOG-03 LOG-04: is posted with version, is_overflow_logs and its lines, masked', async () => {
    const { alice, bob, kept, world } = await wanted('ERROR');
    throwingListener(alice);
    const call = bob.dial('alice', { isVideoCall: false, callOption: {} });
    await world.settle();
    call.end();
    await world.settle();
    expect(uploads(alice)).toEqual([
      {
        version: 1,
        is_overflow_logs: false,
        logs: [
          {
            log_dt: expect.stringMatching(/^\d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d:\d{3}$/),
            log_level: 'ERROR',
            log_message: expect.stringContaining('onRinging of the host threw'),
          },
        ],
      },
    ]);
    expect(kept()).toMatchObject([{ userId: 'alice', log_message: expect.stringContaining('token=***') }]);
  });

  it('is uploaded 30 s after the first waiting line, and the upload adds no line', async () => {
    const { alice, bob, world } = await wanted('ERROR');
    throwingListener(alice);
    const call = bob.dial('alice', { isVideoCall: false, callOption: {} });
    await world.advance(29_900);
    expect(uploads(alice)).toEqual([]);
    await world.advance(200);
    expect(uploads(alice).map(({ logs }) => logs.length)).toEqual([1]);
    call.end();
    await world.settle();
    expect(uploads(alice)).toHaveLength(1);
  });

  it('becomes idle also when every request adds a line: an unused library uploads nothing', async () => {
    const { alice, world } = await wanted('VERBOSE');
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.advance(120_000);
    const before = uploads(alice).length;
    expect(before).toBeGreaterThan(1);
    await world.advance(600_000);
    expect(uploads(alice)).toHaveLength(before);
    // The channel is open, and has its heartbeat.
    expect(alice.remains()).toEqual([expect.stringContaining('heartbeat.ts')]);
  });

  it('is uploaded after the end of a call', async () => {
    const { alice, bob, messages, world } = await wanted('INFO');
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    bob.rung().end();
    await world.settle();
    expect(messages().at(-1)).toContain('"to":"ended"');
  });

  it('is uploaded before the user signs out, and no line is left for the next user', async () => {
    const { alice, exchange, messages, world } = await wanted('INFO');
    alice.loseChannel({ forMs: 1_000 });
    await world.advance(10_000);
    expect(messages()).toEqual([]);
    alice.client.deauthenticate();
    await world.settle();
    expect(messages()).toContain('the realtime channel was lost');
    await world.done(alice.client.authenticate({ userId: 'carol' }));
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.advance(60_000);
    expect(exchange.debugLogsOf('carol')).toEqual([]);
  });

  it('of a user whose last upload fails is not sent by the next user', async () => {
    const { alice, exchange, world } = await wanted('INFO');
    alice.dial('bob', { isVideoCall: false, callOption: {} });
    await world.settle();
    alice.refuseHttp();
    alice.client.deauthenticate();
    await world.settle();
    expect(uploads(alice)).not.toHaveLength(0);
    alice.heal();
    exchange.setUploadLevel('carol', 'INFO');
    await world.done(alice.client.authenticate({ userId: 'carol' }));
    await world.done(alice.client.connectWebSocket());
    alice.dial('bob', { isVideoCall: false, callOption: {} }).end();
    await world.advance(60_000);
    const lines = exchange.debugLogsOf('carol').map(({ log_message }) => log_message);
    expect(lines.some((line) => line.includes('"to":"aborted"'))).toBe(true);
    expect(lines.filter((line) => line.includes('"to":"dialing"'))).toEqual([]);
    expect(exchange.debugLogsOf('alice')).toEqual([]);
  });

  it('whose upload fails is stored for the next upload', async () => {
    const { alice, bob, kept, messages, world } = await wanted('ERROR');
    alice.client.addListener('throws', {
      onRinging: (call) => {
        throw new Error(`ring ${call.callId}`);
      },
    });
    alice.refuseHttp();
    const rung: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const call = bob.dial('alice', { isVideoCall: false, callOption: {} });
      await world.settle();
      rung.push(call.callId);
      call.end();
      await world.advance(950);
    }
    expect(uploads(alice)).toHaveLength(3);
    expect(kept()).toEqual([]);
    alice.heal();
    await world.advance(31_000);
    expect(messages().flatMap((message) => /ring ([\w-]+)/.exec(message)?.[1] ?? [])).toEqual(rung);
    expect(uploads(alice).at(-1)?.is_overflow_logs).toBe(false);
  });
});

/** A log and its upload, to an exchange that accepts the lines or fails with an error. */
function setUp() {
  const clock = new VirtualClock();
  const bodies: DebugLogsBody[] = [];
  const failing: { with: Error | null } = { with: null };
  const log = new Log({ clock, print: () => undefined }, loadedParts().logText, () => upload.lineKept());
  const upload = new LogUpload({
    clock,
    log,
    send: async (body) => {
      bodies.push(body);
      if (failing.with) throw failing.with;
    },
  });
  log.setUploadLevel('ERROR');
  return { clock, bodies, failing, log, upload };
}

const numbers = (body: DebugLogsBody | undefined) => body?.logs.map(({ log_message }) => Number(log_message));

describe('uploading a log', () => {
  it('F67 LOG-02 LOG-04: of more than 500 lines the newest 500 are sent, and the loss is reported once', async () => {
    const { clock, bodies, failing, log } = setUp();
    failing.with = new CallError(ErrorCode.ERR_REQUEST_FAILED);
    for (let n = 0; n < 499; n += 1) log.error(String(n));
    await clock.advance(30_000);
    for (let n = 499; n < 501; n += 1) log.error(String(n));
    failing.with = null;
    await clock.advance(30_000);
    log.error('501');
    await clock.advance(30_000);
    expect(bodies.map(({ logs, is_overflow_logs }) => [logs.length, is_overflow_logs])).toEqual([
      [499, false],
      [500, true],
      [1, false],
    ]);
    expect(numbers(bodies[1])).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
    expect(clock.pending).toEqual([]);
  });

  it('LOG-02: the loss of lines is still reported after a failed upload', async () => {
    const { clock, bodies, failing, log } = setUp();
    for (let n = 0; n < 501; n += 1) log.error(String(n));
    failing.with = new CallError(ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT);
    await clock.advance(30_000);
    failing.with = null;
    await clock.advance(30_000);
    expect(bodies.map(({ is_overflow_logs }) => is_overflow_logs)).toEqual([true, true]);
    expect(numbers(bodies[1])).toEqual(numbers(bodies[0]));
  });

  it('keeps its order when a line is added during an upload that fails', async () => {
    const { clock, bodies, failing, log, upload } = setUp();
    failing.with = new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    log.error('1');
    upload.flush();
    log.error('2');
    await clock.advance(0);
    failing.with = null;
    upload.flush();
    expect(bodies.map(numbers)).toEqual([[1], [1, 2]]);
  });

  it('is retried every 30 s, also without a new line', async () => {
    const { clock, bodies, failing, log } = setUp();
    failing.with = new CallError(ErrorCode.ERR_REQUEST_FAILED);
    log.error('1');
    await clock.advance(95_000);
    expect(bodies).toHaveLength(3);
    failing.with = null;
    await clock.advance(95_000);
    expect(bodies).toHaveLength(4);
  });

  it('waits without a session, and continues with the next line', async () => {
    const { clock, bodies, failing, log } = setUp();
    failing.with = new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    log.error('1');
    await clock.advance(95_000);
    expect([bodies.length, clock.pending]).toEqual([1, []]);
    failing.with = null;
    log.error('2');
    await clock.advance(30_000);
    expect(numbers(bodies[1])).toEqual([1, 2]);
  });

  it('a line longer than the exchange accepts is truncated', async () => {
    const { clock, bodies, log } = setUp();
    log.error('x'.repeat(1_000));
    log.error('y'.repeat(1_001));
    await clock.advance(30_000);
    expect(bodies[0]?.logs.map(({ log_message }) => log_message)).toEqual(['x'.repeat(1_000), `${'y'.repeat(999)}…`]);
    expect(v.parse(debugLogsBody, bodies[0])).toEqual(bodies[0]);
  });

  it('a full buffer fits into the body of a request', async () => {
    const { clock, bodies, log } = setUp();
    for (let n = 0; n < 501; n += 1) log.error('"'.repeat(1_000));
    await clock.advance(30_000);
    expect(bodies[0]?.logs).toHaveLength(500);
    expect(JSON.stringify(bodies[0]).length).toBeGreaterThan(LIMITS.httpBodyBytes / 2);
    expect(JSON.stringify(bodies[0]).length).toBeLessThan(LIMITS.httpBodyBytes);
  });
});
