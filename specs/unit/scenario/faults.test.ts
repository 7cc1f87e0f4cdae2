import { describe, expect, it } from 'vitest';
import { InvalidFile } from '../../../sim/format/source.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { type CaseResult, runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { ExchangeClock } from '../../../sim/scenario/virtual/exchange-clock.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const HEAD = 'scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\n';
const DIAL = '{ do: alice.dial, with: { callee: bob, video: true }, as: call }';
const ACCEPT = '{ do: bob.accept }';
const CONNECTED = '{ expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }';
const RINGS = '{ expect: { bob.call.state: ringing, alice.call.state: dialing }, within: 1s }';
const CALL = [DIAL, RINGS, ACCEPT, CONNECTED];

const fileOf = (steps: readonly string[], head = HEAD) =>
  `${head}steps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;

async function run(steps: readonly string[], seed?: number): Promise<CaseResult> {
  const [result] = await runScenario(readScenario('mine.yaml', fileOf(steps)), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => 0,
    seed,
  });
  if (!result) throw new Error('no case was run');
  return result;
}

/** Returns why it failed. Returns 'passed' when it did not fail. */
const verdict = async (...steps: readonly string[]) => {
  const { failure, state } = await run(steps);
  return failure?.message ?? state;
};

const fault = (text: string, more = '') => `{ fault: { ${text} }${more} }`;

const messages = ({ trace }: CaseResult, cmd: string) =>
  trace.filter(
    (event): event is Extract<TraceEvent, { kind: 'message' }> => event.kind === 'message' && event.cmd === cmd,
  );

describe('faults on messages', () => {
  it.each([
    ['are behind the next', 'kind: reorder, to: bob, cmd: offer', ', first: 1'],
    ['come again later', 'kind: replay, to: bob, cmd: offer, after: 3s', ''],
    ['are cut', 'kind: truncate, to: bob, cmd: offer, keep: 20', ', first: 1'],
    ['have a block of no type', 'kind: corrupt, to: bob, cmd: offer, how: gzip', ', first: 1'],
    ['have a payload of another shape', 'kind: corrupt, to: bob, cmd: offer, how: shape', ', first: 1'],
    ['say more than they should', 'kind: corrupt, to: bob, cmd: offer, how: extra', ''],
    ['answer nobody', 'kind: wrong-request-id, to: alice, cmd: offer_ack', ''],
  ])('%s: the call still connects, and the trace shows the fault', async (_, text, more) => {
    const result = await run([
      fault(text, more),
      DIAL,
      RINGS,
      ACCEPT,
      '{ expect: { bob.call.state: connected }, within: 9s }',
      '{ wait: 5s }',
    ]);
    expect(result.failure).toBeUndefined();
    expect(result.trace.some((event) => event.kind === 'message' && event.fate !== undefined)).toBe(true);
  });

  it('a message that waits behind others is sent when the fault ends', async () => {
    const held = (until: string) => [
      fault('kind: reorder, to: bob, cmd: dial, behind: 99', until),
      DIAL,
      '{ expect: { bob.call.state: ringing }, within: 3s }',
    ];
    expect(await verdict(...held(', until: 2s'))).toBe('passed');
    expect(await verdict(...held(''))).toMatch(/^not true within 3/);
  });

  it('a command that is refused never reaches the exchange', async () => {
    const steps = [
      fault('kind: refuse, from: alice, cmd: dial, code: 1400105'),
      '{ do: alice.dial, with: { callee: bob }, fails: 1400105 }',
      '{ expect: { server.calls: 0, alice.call.result: dial_failed } }',
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('a description with a foreign fingerprint never leads to media (F46)', async () => {
    const steps = [
      fault('kind: corrupt, to: bob, cmd: offer, how: fingerprint'),
      DIAL,
      RINGS,
      ACCEPT,
      '{ never: { expect: { bob.call.state: connected } } }',
      '{ expect: { alice.call.result: timed_out }, within: 61s }',
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('a forged message is handled like a real one, once', async () => {
    const forged = fault('kind: forge, to: bob, cmd: audio, payload: { call_id: $call.id, is_enabled: false }');
    expect(await verdict(...CALL, forged, '{ expect: { bob.call.remoteAudio: false }, within: 1s }')).toBe('passed');
    const command = fault('kind: forge, from: bob, cmd: end, payload: { call_id: $call.id }');
    expect(await verdict(...CALL, command, '{ expect: { alice.call.result: completed }, within: 1s }')).toBe('passed');
  });

  it('affect messages with a probability, up to a number, each with separate random numbers', async () => {
    const alive = (...faults: readonly string[]) =>
      run(
        [
          ...faults,
          '{ do: alice.dial, with: { callee: bob } }',
          '{ wait: 3s }',
          '{ do: bob.accept }',
          '{ wait: 900s }',
        ],
        7,
      );
    const dropped = (result: CaseResult) =>
      messages(result, 'alive_ack')
        .filter(({ device }) => device === 'alice')
        .flatMap(({ fate }, at) => (fate ? [at] : []));
    const half = fault('kind: drop, to: alice, cmd: alive_ack', ', p: 0.5');
    const once = dropped(await alive(half));
    expect(once.length).toBeGreaterThan(5);
    expect(once.length).toBeLessThan(25);
    // Another fault beside it, also with a probability, does not change its results.
    expect(dropped(await alive(fault('kind: delay, to: bob, cmd: dial, by: 2ms', ', p: 0.5'), half))).toEqual(once);
    expect(dropped(await alive(fault('kind: drop, to: alice, cmd: alive_ack', ', p: 0.5, times: 3')))).toEqual(
      once.slice(0, 3),
    );
    expect(dropped(await alive(fault('kind: drop, to: alice, cmd: alive_ack', ', p: 0')))).toEqual([]);
  });

  it('a fault without a selection affects every message of the channel', async () => {
    expect(
      await verdict(
        fault('kind: drop, from: alice, cmd: any'),
        DIAL,
        '{ never: { to: bob, cmd: dial } }',
        '{ wait: 5s }',
      ),
    ).toBe('passed');
  });
});

describe('faults on channels and requests', () => {
  const back = (within: string) => `{ see: { from: alice, ws: open }, within: ${within} }`;

  it.each([
    ['closed with a code of the exchange', 'kind: ws, actor: alice, how: close, code: 1011', 'passed'],
    ['closed with the code of a session that is over', 'kind: ws, actor: alice, how: close, code: 4401', 'passed'],
  ])('a channel that is %s reconnects', async (_, text) => {
    expect(await verdict(fault(text), '{ expect: { alice.ws: closed } }', back('13s'))).toBe('passed');
  });

  it('an upgrade without an answer is aborted after a minute and retried', async () => {
    const steps = [
      fault('kind: ws, actor: alice, how: stall-connect', ', until: 90s'),
      '{ wait: 60s }',
      '{ expect: { alice.ws: closed } }',
      back('40s'),
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('a channel that is silent opens and carries nothing', async () => {
    const steps = [
      fault('kind: ws, actor: bob, how: silent', ', as: silent'),
      DIAL,
      '{ expect: { alice.call.state: dialing }, within: 1s }',
      '{ wait: 5s }',
      '{ expect: { bob.calls: 0, bob.ws: open } }',
      '{ clear: silent }',
      '{ expect: { bob.call.state: ringing }, within: 1s }',
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('a slow line delays every frame, and none overtakes another', async () => {
    const steps = [
      fault('kind: ws, actor: bob, how: slow, by: 300ms'),
      DIAL,
      '{ expect: { bob.call.state: ringing }, between: [290ms, 320ms] }',
      ACCEPT,
      CONNECTED,
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('of two sockets of one client the newest is kept (F17)', async () => {
    const steps = [
      ...CALL,
      fault('kind: ws, actor: alice, how: twin', ', as: twin'),
      '{ expect: { alice.ws: closed }, within: 1s }',
      back('3s'),
      '{ do: bob.end }',
      '{ expect: { alice.call.result: completed, alice.told.onEnded: 1 }, within: 1s }',
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  const items = (fails: string) => `{ do: alice.updateItems, with: { items: { a: b } }${fails} }`;
  it.each([
    ['status, status: 500', ErrorCode.INTERNAL_SERVER_ERROR],
    ['status, status: 418', ErrorCode.ERR_REQUEST_FAILED],
    ['status, status: 400, code: 1400105', ErrorCode.ERR_NO_PERMISSION],
    ['reset', ErrorCode.ERR_REQUEST_FAILED],
    ['malformed', ErrorCode.ERR_MALFORMED_DATA],
    ['empty', ErrorCode.ERR_MALFORMED_DATA],
    ['truncated', ErrorCode.ERR_MALFORMED_DATA],
    ['redirect', ErrorCode.ERR_MALFORMED_DATA],
    ['stall', ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT],
    ['slow, by: 61s', ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT],
    ['vanish', ErrorCode.ERR_REQUEST_FAILED],
  ])('a request that meets %s is refused with %d', async (how, code) => {
    const broken = fault(`kind: http, actor: alice, how: ${how}, request: /custom_items$/`, ', as: broken');
    expect(await verdict(...CALL, broken, items(`, fails: ${code}`), '{ clear: broken }', items(''))).toBe('passed');
  });

  it('a request whose answer is reset was handled, and a refused one was not (F23)', async () => {
    const after = (how: string, seen: string) =>
      verdict(
        ...CALL,
        fault(`kind: http, actor: alice, how: ${how}, request: /custom_items$/`),
        items(', fails: /./').replace('/./', how.startsWith('reset') ? '1800200' : '1800207'),
        `{ expect: { bob.call.items: ${seen} }, within: 1s }`,
        '{ expect: { bob.told.onCustomItemsUpdated: $n } }'.replace('$n', how.startsWith('reset') ? '1' : '0'),
      );
    expect(await after('reset', '{ a: b }')).toBe('passed');
    expect(await after('status, status: 500', '{}')).toBe('passed');
  });
});

describe('faults on media', () => {
  /** The path that the caller's summary reports. */
  async function summaryOf(...faults: readonly string[]): Promise<Record<string, number>> {
    const result = await run([...faults, ...CALL, '{ wait: 60s }', '{ do: alice.end }', '{ wait: 1s }']);
    expect(result.failure).toBeUndefined();
    const sent = result.trace.find(
      (event) =>
        event.kind === 'http' &&
        event.device === 'alice' &&
        event.direction === 'up' &&
        event.request.endsWith('/summary'),
    );
    const body = sent?.kind === 'http' ? (sent.body as Record<string, unknown>) : {};
    return (body['summary_data'] as Record<string, unknown>)['audio'] as Record<string, number>;
  }

  it('the receiver of media counts loss, duplicates, a narrow path and loss in one direction', async () => {
    const quality = (text: string) => fault(`kind: quality, between: [alice, bob], ${text}`);
    const [good, lossy, narrow, deaf, mute] = [
      await summaryOf(),
      await summaryOf(quality('loss: 0.2, burst: 500ms')),
      await summaryOf(quality('kbps: 200')),
      await summaryOf(fault('kind: media, actor: alice, way: in')),
      await summaryOf(fault('kind: media, actor: alice, way: out')),
    ];
    const rate = (summary: Record<string, number>) => summary['packet_loss_rate'] ?? Number.NaN;
    expect(rate(good)).toBe(0);
    expect(rate(lossy)).toBeCloseTo(0.2, 1);
    expect(rate(narrow)).toBeGreaterThan(0.4);
    expect(rate(deaf)).toBeGreaterThan(0.9);
    expect(rate(mute)).toBe(0);
  });

  it('candidates of a type are lost; without any, media has no path', async () => {
    const lost = fault('kind: ice, how: drop-candidates, type: host');
    expect(await verdict(lost, DIAL, RINGS, ACCEPT, '{ expect: { alice.call.result: timed_out }, within: 61s }')).toBe(
      'passed',
    );
    expect(await verdict(fault('kind: ice, how: drop-candidates, type: relay'), ...CALL)).toBe('passed');
  });

  it('a required relay carries the call, until it is down', async () => {
    const forced = fault('kind: ice, how: force-relay');
    const down = fault('kind: ice, how: turn-down', ', until: 20s');
    const relayed =
      '{ see: { from: alice, cmd: connected, with: { connection: { connection_type: relay } } }, within: 1s }';
    expect(await verdict(forced, ...CALL, relayed)).toBe('passed');
    expect(await verdict(...CALL, relayed)).not.toBe('passed');
    expect(
      await verdict(
        forced,
        ...CALL,
        down,
        '{ expect: { alice.call.state: reconnecting }, within: 8s }',
        '{ expect: { alice.call.state: connected }, within: 20s }',
      ),
    ).toBe('passed');
    expect(await verdict(...CALL, down, '{ expect: { alice.call.state: connected }, for: 20s }')).toBe('passed');
    expect(
      await verdict(
        forced,
        fault('kind: ice, how: turn-down'),
        DIAL,
        RINGS,
        ACCEPT,
        '{ expect: { alice.call.result: timed_out }, within: 61s }',
      ),
    ).toBe('passed');
  });
});

describe('faults on devices and the exchange', () => {
  it('a removed camera does not end the call; it can be opened again when it is back', async () => {
    const steps = [
      ...CALL,
      fault('kind: unplug, actor: alice, what: video', ', until: 5s'),
      '{ wait: 6s }',
      '{ expect: { alice.call.state: connected } }',
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('a share that the user stops ends', async () => {
    const steps = [
      ...CALL,
      '{ do: alice.startScreenShare }',
      '{ expect: { alice.call.sharing: true }, within: 1s }',
      fault('kind: unplug, actor: alice, what: display'),
      '{ expect: { alice.call.sharing: false }, within: 1s }',
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('timers of a sleeping device fire when it wakes, once', async () => {
    const asleep = await run([
      '{ do: alice.dial, with: { callee: bob } }',
      '{ wait: 10s }',
      fault('kind: sleep, actor: alice', ', until: 45s'),
      '{ wait: 60s }',
    ]);
    const at = messages(asleep, 'alive')
      .filter(({ device, direction }) => device === 'alice' && direction === 'up')
      .map((event) => event.at);
    expect(asleep.failure).toBeUndefined();
    expect(at.map((ms) => Math.round(ms / 1_000))).toEqual([55, 60]);
  });

  it('timers of a throttled page fire at whole multiples only', async () => {
    const slow = await run([
      fault('kind: throttle, actor: alice, every: 20s'),
      '{ do: alice.dial, with: { callee: bob } }',
      '{ wait: 59s }',
    ]);
    const at = messages(slow, 'alive')
      .filter(({ device, direction }) => device === 'alice' && direction === 'up')
      .map((event) => event.at);
    expect(at).toHaveLength(1);
    expect(at[0]).toBeGreaterThan(38_000);
  });

  it.each([
    ['restarts and keeps its live calls', 'restart', 'connected'],
    ['is killed and keeps its live calls', 'crash', 'connected'],
    ['stalls', 'stall', 'connected'],
    ['is killed and loses all it kept', 'wipe', 'unknown'],
  ])('an exchange that %s', async (_, how, outcome) => {
    const steps = [
      ...CALL,
      fault(`kind: server, how: ${how}`, ', until: 5s'),
      '{ wait: 30s }',
      `{ expect: { alice.call.outcome: ${outcome}, alice.ws: open }, within: 20s }`,
    ];
    expect(await verdict(...steps)).toBe('passed');
  });

  it('a user whose session is revoked signs in again; an exchange whose clock jumps a day has dropped every session', async () => {
    const again = (text: string) =>
      verdict(
        ...CALL,
        fault(text),
        '{ see: { from: alice, http: POST /v1/users/alice/login }, within: 40s }',
        '{ expect: { alice.ws: open, alice.call.state: connected }, within: 5s }',
      );
    expect(await again('kind: server, how: kick, user: alice')).toBe('passed');
  });
});

describe('F18 an exchange that stalls', () => {
  it('fires no timer while its clock continues, and at the end all due timers in order', async () => {
    const world = new VirtualClock();
    const clock = new ExchangeClock(world);
    const began = clock.now();
    const ran: (readonly [string, number])[] = [];
    const note = (name: string) => void ran.push([name, clock.now() - began]);
    clock.after(5, () => note('before'));
    clock.after(50_000, () => note('after'));
    const cancelled = clock.after(30_000, () => note('cancelled'));
    const late = clock.after(30_000, () => note('cancelled when late'));
    clock.after(20_000, () => {
      note('second');
      late.cancel();
      clock.after(1, () => note('next'));
    });
    clock.after(10_000, () => note('first'));
    await world.advance(5);
    clock.stall();
    await world.advance(34_995);
    cancelled.cancel();
    expect(ran).toEqual([['before', 5]]);
    clock.resume();
    await world.advance(20_000);
    expect(ran.slice(1)).toEqual([
      ['first', 35_000],
      ['second', 35_000],
      ['next', 35_001],
      ['after', 50_000],
    ]);
  });
});

describe('the syntax of faults', () => {
  it.each([
    ['kind: ws, actor: alice, how: close', /must have code where how is close/],
    ['kind: ws, actor: alice, how: reset, code: 1011', /must have code where how is close, and nowhere else/],
    ['kind: server, how: revoke', /must have user where how is revoke or kick/],
    ['kind: quality, between: [alice, carol], loss: 1', /there is no actor carol/],
    ['kind: quality, between: [alice, bob], loss: 2', /loss must be/],
    ['kind: forge, from: alice, to: bob, cmd: end, payload: {}', /exactly one of from and to/],
  ])('%s is refused', (text, words) => {
    expect(() => readScenario('mine.yaml', fileOf([fault(text)]))).toThrow(words);
  });

  it('a selection among many is refused where there is only one', () => {
    expect(() => readScenario('mine.yaml', fileOf([fault('kind: media, actor: bob', ', nth: 2')]))).toThrow(
      'mine.yaml:4:43: nth is for faults of messages and requests; media is none',
    );
    expect(() => readScenario('mine.yaml', fileOf([fault('kind: drop, from: bob, cmd: end', ', p: 2')]))).toThrow(
      InvalidFile,
    );
  });

  it('a value may be that of the case', async () => {
    const text = fileOf(
      [
        fault('kind: ws, actor: alice, how: $case.how, code: $case.code', ', p: $case.p'),
        '{ wait: 10ms }',
        '{ expect: { alice.ws: $case.ws } }',
      ],
      `${HEAD}cases: [{ how: close, code: 1012, p: 1, ws: closed }, { how: close, code: 1012, p: 0, ws: open }]\n`,
    );
    const results = await runScenario(readScenario('mine.yaml', text), {
      name: 'virtual',
      world: virtualWorld,
      stopwatch: () => 0,
    });
    expect(results.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  });
});
