import { describe, expect, it } from 'vitest';
import { findScenarios } from '../../../cli/scenarios/find-scenarios.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { type Inferred, inferScenario, inferredText } from '../../../sim/scenario/infer/infer-scenario.ts';
import { type CaseResult, runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { traceLine } from '../../../sim/scenario/trace/masked-trace.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const { scenarios } = await findScenarios(['fixtures/scenarios/direct']);

/** The recording of a run: only the messages on the wire, after they were written and read. */
const recorded = (trace: readonly TraceEvent[]): TraceEvent[] =>
  trace
    .filter(({ kind }) => kind === 'message' || kind === 'http' || kind === 'socket')
    .map((event) => JSON.parse(traceLine(event)) as TraceEvent);

const textOf = (inferred: Inferred) => inferredText(inferred, 'recorded/test', 'Recorded.');

const play = (scenario: Scenario): Promise<CaseResult[]> =>
  runScenario(scenario, { name: 'virtual', world: virtualWorld, stopwatch: () => 0 });

const run = (file: string, text: string): Promise<CaseResult[]> => play(readScenario(file, text));

/** Runs a scenario, infers another one from its trace, and runs that one. */
async function again(steps: string, head = ''): Promise<{ text: string; first: CaseResult; second: CaseResult }> {
  const actors = 'actors: { alice: { user: alice }, bob: { user: bob } }';
  const story = `scenario: story\n${head.includes('actors:') ? '' : `${actors}\n`}${head}steps:\n${steps}`;
  const [first] = await run('story.yaml', story);
  if (!first) throw new Error('no result');
  expect(first.failure).toBeUndefined();
  const text = textOf(inferScenario(recorded(first.trace)));
  const [second] = await run('inferred.yaml', text);
  if (!second) throw new Error('no result');
  return { text, first, second };
}

/** What each device sends and gets, in its order. Calls are numbered, since their ids differ. */
function causes(trace: readonly TraceEvent[]): Map<string, string[]> {
  const calls: string[] = [];
  const orders = new Map<string, string[]>();
  for (const event of trace) {
    if (event.kind !== 'message' || /^(candidate|alive|unended_calls|heartbeat)/.test(event.cmd)) continue;
    const id = (event.payload as { call_id?: string } | undefined)?.call_id;
    if (id !== undefined && !calls.includes(id)) calls.push(id);
    const key = `${event.device} ${event.direction}`;
    orders.set(key, [...(orders.get(key) ?? []), `${event.cmd}${id === undefined ? '' : ` ${calls.indexOf(id)}`}`]);
  }
  return orders;
}

/** Checks that the second trace begins with the causes of the first. The scenario continues after the end of its trace. */
function expectSameCauses(first: readonly TraceEvent[], second: readonly TraceEvent[]): void {
  const others = causes(second);
  for (const [key, order] of causes(first)) expect(others.get(key)?.slice(0, order.length), key).toEqual(order);
}

describe('a scenario that is inferred from a trace', () => {
  it('has the result of a side that had media, also when its report of that was lost', async () => {
    const { first } = await again(`${CONNECTED}  - { do: alice.end }\n  - { wait: 1s }\n`);
    const isReport = (event: TraceEvent) =>
      event.kind === 'message' && event.device === 'alice' && event.cmd.startsWith('connected');
    expect(first.trace.some(isReport)).toBe(true);
    const text = textOf(inferScenario(recorded(first.trace.filter((event) => !isReport(event)))));
    expect(text).toContain('alice.call.result: completed');
    expect(text).not.toContain('not_connected');
  });

  const direct = scenarios.filter(({ steps }) => !steps.some(({ verb }) => verb === 'fault'));
  /** A user hangs up in the milliseconds of a pending accept: the file says that it may not pass. */
  const races = ['direct/hang-up-at-any-moment'];
  /** The next dial comes within milliseconds of the end of the previous call, whose state is no longer visible then. */
  const overlapping = ['direct/redial'];

  it.each(
    direct
      .filter(({ scenario }) => ![...races, ...overlapping].includes(scenario))
      .map((one) => [one.scenario, one] as const),
  )('of %s passes, and each device sends and gets the same in the same order', async (_name, scenario) => {
    for (const first of await play(scenario)) {
      expect(first.failure).toBeUndefined();
      const inferred = inferScenario(recorded(first.trace));
      const isDialled = first.trace.some(
        (event) => event.kind === 'message' && event.cmd === 'dial' && event.direction === 'up',
      );
      // The wire does not show what the library itself refuses: there is nothing to record.
      expect(inferred.calls > 0).toBe(isDialled);
      const [second] = await run('inferred.yaml', textOf(inferred));
      expect(second?.failure).toBeUndefined();
      expectSameCauses(first.trace, second?.trace ?? []);
    }
  });

  it.each(direct.filter(({ scenario }) => races.includes(scenario)).map((one) => [one.scenario, one] as const))(
    'of %s has a note when it is a race',
    async (_name, scenario) => {
      const texts = (await play(scenario)).map(({ trace }) => textOf(inferScenario(recorded(trace))));
      expect(
        texts.filter((text) => text.includes('# It happened at the moment of the accept:')).length,
      ).toBeGreaterThan(0);
      for (const text of texts) expect(() => readScenario('inferred.yaml', text)).not.toThrow();
    },
  );

  it('is inferred only from the messages on the wire', async () => {
    const { first, text } = await again(CONNECTED);
    expect(textOf(inferScenario(first.trace.map((event) => JSON.parse(traceLine(event)) as TraceEvent)))).toBe(text);
  });
});

const RINGING = `  - { do: alice.dial, with: { callee: bob, video: true }, as: call }
  - { expect: { bob.call.state: ringing }, within: 1s }
`;
const CONNECTED = `${RINGING}  - { wait: 2s }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }
`;

describe('the actions of users', () => {
  it('become steps, with the same delay after the event that they follow', async () => {
    const { text } = await again(
      `${CONNECTED}  - { wait: 1500ms }\n  - { do: bob.mute }\n  - { wait: 3s }\n  - { do: alice.end }\n  - { wait: 1s }\n`,
    );
    const steps = text.split('\n').filter((line) => line.startsWith('  - {'));
    expect(steps.slice(0, 11)).toEqual([
      '  - { do: alice.dial, with: { callee: bob, video: true }, as: call }',
      '  - { expect: { alice.call.state: dialing, bob.call.state: ringing }, within: 1s }',
      '  - { wait: 2s }',
      '  - { do: bob.accept }',
      '  - { expect: { bob.call.state: connected, alice.call.state: connected }, within: 1s }',
      '  - { wait: 1.5s }',
      '  - { do: bob.mute }',
      '  - { expect: { alice.call.remoteAudio: false }, within: 1s }',
      '  - { wait: 3s }',
      '  - { do: alice.end }',
      '  - { expect: { alice.call.result: completed, bob.call.result: completed, bob.call.endedBy: alice }, within: 1s }',
    ]);
    expect(text).toContain('  - { see: { from: alice, cmd: end, with: { call_id: $call.id } }, times: 1 }\n');
    expect(text).not.toMatch(/candidate|alive|id-0/);
  });

  it('before the accept are known from the first message after it, and marked as such', async () => {
    const { text, second } = await again(
      `${RINGING}  - { do: alice.mute }\n  - { wait: 1s }\n  - { do: bob.accept }\n  - { expect: { bob.call.remoteAudio: false, bob.call.state: connected }, within: 2s }\n`,
    );
    expect(text).toContain(
      '  # It happened before the call was established. The trace does not show exactly when.\n  - { do: alice.mute }\n',
    );
    expect(second.failure).toBeUndefined();
  });

  it('between the accept and the description are actions', async () => {
    const { text, second } = await again(
      `${RINGING}  - { fault: { kind: delay, from: alice, cmd: offer, by: 700ms } }
  - { do: bob.accept }
  - { wait: 300ms }
  - { do: bob.mute }
  - { expect: { alice.call.remoteAudio: false, alice.call.state: connected }, within: 5s }
`,
    );
    expect(text).not.toContain('before the call was established');
    expect(text.indexOf('bob.mute')).toBeGreaterThan(text.indexOf('bob.accept'));
    expect(second.failure).toBeUndefined();
  });

  it('soon after the description are actions', async () => {
    const { text, second } = await again(
      `${CONNECTED}  - { do: bob.mute }\n  - { expect: { alice.call.remoteAudio: false }, within: 100ms }\n`,
    );
    expect(text).not.toContain('before the call was established');
    expect(second.failure).toBeUndefined();
  });

  it('in a call that ends within a second leave out the media states that a former library sent', async () => {
    const { first } = await again(`${CONNECTED}  - { wait: 300ms }\n  - { do: alice.end }\n  - { wait: 1s }\n`);
    const withStates = (is_enabled: boolean) =>
      recorded(first.trace).flatMap((event) => {
        if (event.kind !== 'message' || event.direction !== 'up' || event.cmd !== 'offer') return [event];
        const { call_id } = event.payload as { call_id: string };
        return [event, { ...event, cmd: 'audio', payload: { call_id, is_enabled } }];
      });
    expect(textOf(inferScenario(withStates(true)))).not.toContain('cmd: audio');
    const muted = textOf(inferScenario(withStates(false)));
    expect(muted).toContain('do: alice.mute');
    expect(muted).toContain('cmd: audio');
    const { text: longer } = await again(`${CONNECTED}  - { wait: 2s }\n  - { do: alice.end }\n  - { wait: 1s }\n`);
    expect(longer).toContain('cmd: audio');
  });

  it('in two calls of one device apply to the correct one, by selecting it first', async () => {
    const { text, second } = await again(
      `${CONNECTED}  - { do: carol.dial, with: { callee: alice } }
  - { expect: { alice.call.state: ringing }, within: 1s }
  - { do: alice.accept, with: { hold: true } }
  - { expect: { carol.call.state: connected }, within: 5s }
  - { wait: 1s }
  - { do: carol.end }
  - { wait: 1s }
  - { do: alice.former }
  - { do: alice.unhold }
  - { wait: 1s }
`,
      'actors: { alice: { user: alice }, bob: { user: bob }, carol: { user: carol } }\n',
    );
    expect(text).toContain('  - { do: alice.accept, with: { hold: true } }\n');
    expect(text).toContain('  - { do: alice.former }\n  - { do: alice.unhold }\n');
    expect(text).toContain('with: { call_id: $call2.id }');
    expect(second.failure).toBeUndefined();
  });

  it('end the previous call when the user leaves and returns within half a second for the next one', async () => {
    const { text, first, second } = await again(`
  - { do: alice.dial, with: { callee: bob }, as: call }
  - { expect: { bob.call.state: ringing } }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }
  - { wait: 1s }
  - { do: alice.end }
  - { expect: { bob.call.result: completed }, within: 1s }
  - { do: alice.signOut }
  - { wait: 100ms }
  - { do: alice.signIn }
  - { do: alice.dial, with: { callee: bob }, as: next }
  - { expect: { bob.call.state: ringing }, within: 1s }
`);
    expect(text).toContain('{ do: alice.end }');
    expect(second.failure).toBeUndefined();
    expectSameCauses(first.trace, second.trace);
  });

  it('of a user who was not recorded are known from what the others received', async () => {
    const { first } = await again(
      `${CONNECTED}  - { do: bob.stopVideo }\n  - { wait: 1s }\n  - { do: bob.hold }\n  - { wait: 1s }\n  - { do: bob.end }\n  - { wait: 1s }\n`,
    );
    for (const own of ['alice', 'bob']) {
      const alone = recorded(first.trace).filter((event) => 'device' in event && event.device === own);
      const text = textOf(inferScenario(alone));
      for (const action of ['alice.dial', 'bob.accept', 'bob.stopVideo', 'bob.hold', 'bob.end'])
        expect(text, own).toContain(`do: ${action}`);
      const [second] = await run('inferred.yaml', text);
      expect(second?.failure, own).toBeUndefined();
      expectSameCauses(alone, second?.trace ?? []);
    }
  });
});

describe('the presence of a user', () => {
  it('is signed out where nothing rang, and signs in when a channel opens', async () => {
    const { text, second } = await again(
      `  - { do: bob.signOut }\n  - { wait: 1s }\n  - { do: alice.dial, with: { callee: bob } }\n  - { wait: 5s }\n  - { do: bob.signIn }\n  - { expect: { bob.call.state: ringing }, within: 1s }\n  - { do: bob.decline }\n  - { wait: 1s }\n`,
    );
    expect(text).toContain('  - { do: bob.signIn }\n');
    expect(text).toMatch(/\{ do: bob\.signOut \}[^]*\{ do: alice\.dial/);
    expect(second.failure).toBeUndefined();
  });

  it('is not created for a user with devices elsewhere: a dial that rings nowhere rings nowhere again', async () => {
    const { first } = await again(
      `  - { do: bob.signOut }\n  - { wait: 1s }\n  - { do: alice.dial, with: { callee: bob } }\n  - { wait: 3s }\n  - { do: alice.cancel }\n  - { wait: 1s }\n`,
    );
    const alone = recorded(first.trace).filter((event) => 'device' in event && event.device === 'alice');
    const text = textOf(inferScenario(alone));
    expect(text).toMatch(/\{ do: bob\.signOut \}\n[^]*alice\.dial/);
    const [second] = await run('inferred.yaml', text);
    expect(second?.failure).toBeUndefined();
    expectSameCauses(alone, second?.trace ?? []);
  });

  it('is lost with the channel, and returns with it', async () => {
    const lost = (fault: string) =>
      again(
        `${CONNECTED}  - { wait: 10s }\n  - { fault: ${fault} }\n  - { expect: { bob.ws: open }, within: 40s }\n  - { wait: 2s }\n  - { do: alice.end }\n  - { wait: 1s }\n`,
      );
    const reset = await lost('{ kind: ws, actor: bob, how: reset }');
    expect(reset.text).toMatch(/# The channel closed with 1006, and was open again 2\.\d s later\.\n.*how: reset/);
    expect(reset.second.failure).toBeUndefined();
    const refused = await lost('{ kind: ws, actor: bob, how: refuse }, until: 6s');
    expect(refused.text).toMatch(/how: refuse }, until: \d+ms/);
    expect(refused.second.failure).toBeUndefined();
  });
});

describe('timers', () => {
  it('are those that fired, when they differ from the defaults', async () => {
    const ring = (timers: string) =>
      again(
        `  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { alice.call.result: no_answer }, within: 61s }\n`,
        timers,
      );
    const usual = await ring('');
    expect(usual.text).not.toContain('timers:');
    expect(usual.text).toContain('at: $timers.ring, since: call-rang');
    const short = await ring('timers: { ring: 7s }\n');
    expect(short.text).toContain('timers:\n  ring: 7s\n');
    expect(short.second.simulatedMs).toBeLessThan(8_000);
    expect([usual, short].map(({ second }) => second.failure)).toEqual([undefined, undefined]);
  });
});

describe('timers of different lengths', () => {
  it('become one: the user with the shorter one cancels instead, and the file says so', async () => {
    const ring = `  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { alice.call.result: no_answer }, within: 61s }\n`;
    const { first } = await again(
      `${ring}  - { wait: 1s }\n  - { do: alice.dial, with: { callee: bob } }\n  - { wait: 5s }\n  - { do: alice.cancel }\n  - { wait: 1s }\n`,
    );
    // The first one hung up after 3 s, as it is recorded here.
    const shorter = recorded(first.trace).map((event) =>
      event.at > 3_001 ? { ...event, at: event.at - 57_000 } : event,
    );
    const text = textOf(inferScenario(shorter));
    expect(text).toContain('# Callers waited for different times.');
    expect(text).not.toContain('timers:');
    const [second] = await run('inferred.yaml', text);
    expect(second?.failure).toBeUndefined();
    expect(
      second?.trace.filter((event) => event.kind === 'message' && event.cmd === 'cancel' && event.direction === 'up'),
    ).toHaveLength(2);
  });
});

describe('the faults of a recording', () => {
  it('media, distinguished from the lost connection', async () => {
    const { text, first, second } = await again(
      `${CONNECTED}  - { wait: 5s }\n  - { fault: { kind: media, actor: bob } }\n  - { expect: { alice.call.result: connection_lost, bob.call.result: connection_lost }, within: 60s }\n`,
    );
    expect(text).toContain(
      '# Media was lost. The trace does not show exactly when.\n  - { fault: { kind: media, actor:',
    );
    expect(second.failure).toBeUndefined();
    expectSameCauses(first.trace, second.trace);
    const lostAt = (trace: readonly TraceEvent[]) =>
      trace.find((event) => event.kind === 'message' && event.cmd === 'connection_lost')?.at ?? 0;
    expect(Math.abs(lostAt(first.trace) - lostAt(second.trace))).toBeLessThan(50);
  });

  it.each([
    ['9s', false],
    ['20s', true],
  ])('media for %s, distinguished from the restored connection', async (cut, restarts) => {
    const { text, first, second } = await again(
      `${CONNECTED}  - { wait: 5s }\n  - { fault: { kind: media, actor: bob }, until: ${cut} }\n  - { wait: 30s }\n  - { do: alice.end }\n  - { wait: 1s }\n`,
    );
    expect(text).toContain('# Media was lost and came back. The trace does not show');
    expect(second.failure).toBeUndefined();
    const offers = (trace: readonly TraceEvent[]) =>
      trace.filter((event) => event.kind === 'message' && event.cmd === 'offer' && event.direction === 'up').length;
    expect([offers(first.trace), offers(second.trace)]).toEqual(restarts ? [2, 2] : [1, 1]);
  });

  it('a device that is gone: neither its channel nor its media come back', async () => {
    const { text, second } = await again(
      `${CONNECTED}  - { wait: 5s }\n  - { fault: { kind: offline, actor: bob } }\n  - { expect: { alice.call.result: connection_lost }, within: 60s }\n`,
    );
    expect(text).toContain('# bob was gone.\n  - { fault: { kind: offline, actor: bob } }\n');
    expect(second.failure).toBeUndefined();
  });

  it('media that never arrived', async () => {
    const { text, second } = await again(
      `  - { fault: { kind: media, actor: bob } }\n${RINGING}  - { do: bob.accept }\n  - { wait: 4s }\n  - { do: alice.end }\n  - { wait: 1s }\n`,
    );
    expect(text).toContain('# Media never flowed.\n');
    expect(second.failure).toBeUndefined();
  });

  const withoutSignal = (trace: readonly TraceEvent[], device: string, cmd: string) =>
    recorded(trace).filter(
      (event) =>
        !(event.kind === 'message' && event.device === device && event.direction === 'down' && event.cmd === cmd),
    );

  it('a message that the server did not send', async () => {
    const { first } = await again(
      `${CONNECTED}  - { wait: 5s }\n  - { do: alice.end }\n  - { wait: 10s }\n  - { do: alice.signOut }\n  - { wait: 1s }\n`,
    );
    const text = textOf(inferScenario(withoutSignal(first.trace, 'bob', 'end')));
    expect(text).toContain('# bob never received end.\n  - { fault: { kind: drop, to: bob, cmd: end }, first: 1 }\n');
    const unanswered = textOf(inferScenario(withoutSignal(first.trace, 'alice', 'dial_ack')));
    expect(unanswered).toContain('{ fault: { kind: drop, to: alice, cmd: dial_ack }, first: 1 }\n');
    expect(() => readScenario('x.yaml', unanswered)).not.toThrow();
  });

  it('a reply that came late', async () => {
    const { first } = await again(`${RINGING}  - { wait: 5s }\n  - { do: alice.cancel }\n  - { wait: 10s }\n`);
    const late = recorded(first.trace).map((event) =>
      event.kind === 'message' && event.cmd === 'dial_ack' ? { ...event, at: event.at + 2_000 } : event,
    );
    expect(textOf(inferScenario(late))).toContain(
      '# alice received dial_ack 2.001s late.\n  - { fault: { kind: delay, to: alice, cmd: dial_ack, by: 2.001s }, first: 1 }\n',
    );
  });

  it('a refusal of any code: of a dial, an accept, a hold, and of custom items', async () => {
    const refuses = async (steps: string, ...codes: string[]) => {
      const { text, first, second } = await again(steps);
      for (const code of codes) expect(text).toContain(code);
      expect(second.failure).toBeUndefined();
      expectSameCauses(first.trace, second.trace);
    };
    const dial = '{ kind: refuse, from: alice, cmd: dial, code: 1400999 }';
    await refuses(
      `  - { fault: ${dial}, first: 1 }\n  - { do: alice.dial, with: { callee: bob }, fails: 1400999 }\n${CONNECTED}`,
      `  # The server refused the dial of alice.\n  - { fault: ${dial}, first: 1 }\n`,
      'fails: 1400999 }',
    );
    const accept = '{ kind: refuse, from: bob, cmd: accept, code: 1400101 }';
    await refuses(
      `${RINGING}  - { fault: ${accept}, first: 1 }\n  - { do: bob.accept, waits: false }\n  - { wait: 2s }\n`,
      accept,
      '{ do: bob.accept, waits: false }',
    );
    const hold = '{ kind: refuse, from: alice, cmd: hold, code: 1400777 }';
    await refuses(
      `${CONNECTED}  - { fault: ${hold}, first: 1 }\n  - { do: alice.hold, fails: 1400777 }\n  - { wait: 1s }\n`,
      `{ fault: ${hold}, first: 1 }`,
    );
    const items =
      '{ kind: http, actor: bob, how: status, request: /^PUT .*custom_items$/, status: 403, code: 1400888 }';
    await refuses(
      `${CONNECTED}  - { fault: ${items}, first: 1 }\n  - { do: bob.updateItems, with: { items: { a: b } }, fails: 1400888 }\n`,
      `{ fault: ${items}, first: 1 }`,
    );
  });

  it('are written as a comment when no scenario can express them', async () => {
    const { first } = await again(`${CONNECTED}  - { do: alice.end }\n  - { wait: 1s }\n`);
    const ended = recorded(first.trace).map((event) =>
      event.kind === 'message' && event.device === 'bob' && event.cmd === 'end'
        ? { ...event, cmd: 'unknown_end' }
        : event,
    );
    expect(textOf(inferScenario(ended))).toContain('# The server ended a call without a reason (unknown_end);');
  });
});

describe('commands that cross', () => {
  it('are performed at one moment, because the user who ended an ended call did not know its end', async () => {
    const { first } = await again(
      `${CONNECTED}  - { wait: 1s }\n  - { do: alice.end }\n  - { do: bob.end, waits: false }\n  - { wait: 1s }\n`,
    );
    // A recorder near the server sees the message to bob before the message of bob.
    const late = recorded(first.trace)
      .map((event) =>
        event.kind === 'message' && event.device === 'bob' && event.cmd === 'end' && event.direction === 'up'
          ? { ...event, at: event.at + 40 }
          : event,
      )
      .toSorted((a, b) => a.at - b.at);
    const text = textOf(inferScenario(late));
    expect(text).toContain('  - { do: alice.end }\n  - { do: bob.end, idle: true }\n');
    const [second] = await run('inferred.yaml', text);
    expect(second?.failure).toBeUndefined();
  });
});

describe('a trace without calls', () => {
  it('has no steps, and more calls than a reader can follow are cut off', () => {
    expect(inferScenario([])).toMatchObject({ calls: 0, lines: [] });
    const dials = Array.from({ length: 60 }, (_, call): TraceEvent[] => [
      { at: call * 100, kind: 'message', device: 'alice', direction: 'up', cmd: 'dial', payload: { callee_id: 'bob' } },
      {
        at: call * 100 + 1,
        kind: 'message',
        device: 'alice',
        direction: 'down',
        cmd: 'dial_ack',
        payload: undefined,
        error: 1_400_103,
      },
    ]).flat();
    const inferred = inferScenario(dials);
    expect(inferred.calls).toBe(50);
    expect(inferred.notes).toEqual(['Only the first 50 calls are here. The trace has all.']);
  });
});
