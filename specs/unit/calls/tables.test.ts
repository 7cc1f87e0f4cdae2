import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CALL_EVENTS, CALL_STATES, CALL_TABLE, type CallRole } from '../../../src/calls/direct-call/table.ts';
import { step, type Row, type Table } from '../../../src/calls/machine/machine.ts';
import { MachineDriver } from '../../../src/calls/machine/machine-driver.ts';
import { PEER_EVENTS, PEER_STATES, PEER_TABLE, type PeerRole } from '../../../src/calls/peer/table.ts';
import {
  ENDPOINT_EVENTS,
  ENDPOINT_STATES,
  ENDPOINT_TABLE,
  type EndpointRole,
} from '../../../src/calls/room/endpoint-table.ts';
import {
  ROOM_SESSION_EVENTS,
  ROOM_SESSION_STATES,
  ROOM_SESSION_TABLE,
  type RoomSessionRole,
} from '../../../src/calls/room/room-table.ts';
import type { Clock } from '../../../src/common/clock.ts';

/**
 * Every lifecycle in full, written a second time from the specification: for each state, what each event leads to.
 * `stays` means that the event is handled and the state remains. Events that are not listed are refused. A role after
 * `@` limits a row to that role.
 */
const CALL: Record<string, string> = {
  idle: `dialAcknowledged:dialing dialFailed:closing endRequested:aborted incomingDial:ringing`,
  dialing: `remoteAccepted:established endRequested:closing ringTimedOut:closing remoteEnded:closing
    otherDeviceAccepted:closing aliveDue:stays`,
  ringing: `acceptRequested:accepting endRequested:closing otherDeviceAccepted:closing ringTimedOut:closing
    remoteCanceled:canceled remoteEnded:closing aliveDue:stays`,
  accepting: `acceptAcknowledged:established offerReceived:established acceptFailed:closing connectionTimedOut:closing
    otherDeviceAccepted:closing remoteCanceled:closing endRequested:closing remoteEnded:closing aliveDue:stays`,
  established: `peerConnected:connected connectionTimedOut:closing endRequested:closing remoteEnded:closing
    otherDeviceAccepted:closing offerReceived:stays acceptAcknowledged:stays acceptFailed:stays aliveDue:stays`,
  connected: `peerLost:reconnecting endRequested:closing remoteEnded:closing otherDeviceAccepted:closing
    offerReceived:stays acceptAcknowledged:stays acceptFailed:stays aliveDue:stays`,
  reconnecting: `peerConnected:connected graceTimedOut:closing endRequested:closing remoteEnded:closing
    otherDeviceAccepted:closing offerReceived:stays acceptAcknowledged:stays acceptFailed:stays aliveDue:stays`,
  canceled: `cancelSettled:closing remoteEnded:stays remoteCanceled:stays otherDeviceAccepted:stays
    acceptAcknowledged:stays acceptFailed:stays offerReceived:stays`,
  closing: `mediaClosed:ending remoteEnded:stays remoteCanceled:stays otherDeviceAccepted:stays
    acceptAcknowledged:stays acceptFailed:stays offerReceived:stays`,
  ending: `endNotified:ended remoteEnded:stays remoteCanceled:stays otherDeviceAccepted:stays
    acceptAcknowledged:stays acceptFailed:stays offerReceived:stays`,
  ended: `remoteEnded:stays remoteCanceled:stays otherDeviceAccepted:stays acceptAcknowledged:stays
    acceptFailed:stays offerReceived:stays`,
  aborted: `endNotified:ended remoteEnded:stays remoteCanceled:stays otherDeviceAccepted:stays
    acceptAcknowledged:stays acceptFailed:stays offerReceived:stays`,
};

const PEER: Record<string, string> = {
  idle: `offerRequested:offering offerReceived:answering closeRequested:closed`,
  offering: `answerReceived:stays iceConnected:connected closeRequested:closed`,
  answering: `iceConnected:connected closeRequested:closed`,
  connected: `offerReceived:reconnecting iceDisconnected@initiator,responder:reconnecting
    iceFailed@initiator:iceRestartOffering iceFailed@responder:iceRestartAnswering
    iceDisconnected@disposable:closed iceFailed@disposable:closed answerReceived@initiator:stays closeRequested:closed`,
  reconnecting: `offerReceived:iceRestartAnswering iceConnected:connected iceFailed@initiator:iceRestartOffering
    iceFailed@responder:iceRestartAnswering answerReceived@initiator:stays closeRequested:closed`,
  iceRestartOffering: `answerReceived:stays iceConnected:connected iceFailed@initiator:stays iceDisconnected:stays
    closeRequested:closed`,
  iceRestartAnswering: `offerReceived:stays iceConnected:connected iceFailed@responder:stays iceDisconnected:stays
    closeRequested:closed`,
  closed: '',
};

const ROOM_SESSION: Record<string, string> = {
  idle: `enterRequested:entering roomDeleted:deleted exitSettled:stays signedOut:stays`,
  entering: `enterSucceeded:entered enterFailed:idle roomDeleted:deleted signedOut:exiting exitSettled:stays`,
  entered: `exitRequested:exiting roomDeleted:deleted kicked:idle connectionLost:idle signedOut:exiting aliveDue:stays
    exitSettled:stays`,
  exiting: `exitSettled:idle enterRequested:entering roomDeleted:deleted signedOut:stays`,
  deleted: `exitSettled:stays signedOut:stays`,
};

const ENDPOINT: Record<string, string> = {
  idle: `begun:offering attachRequested:stays releaseRequested:releasing exitRequested:closed`,
  offering: `requestSucceeded:established requestFailed:disconnected iceFailed:disconnected attachRequested:stays
    releaseRequested:releasing exitRequested:closed`,
  established: `peerConnected:connected iceFailed:disconnected requestFailed:disconnected attachRequested:stays
    releaseRequested:releasing exitRequested:closed`,
  connected: `iceFailed:disconnected attachRequested:stays releaseRequested:releasing exitRequested:closed`,
  disconnected: `connectionDropped:reconnecting attachRequested:stays releaseRequested:releasing exitRequested:closed`,
  reconnecting: `reconnectDue:offering attachRequested:stays releaseRequested:releasing exitRequested:closed`,
  releasing: `released:closed exitRequested:closed connectionDropped:stays`,
  closed: `connectionDropped:stays`,
};

function expectedFrom(text: Record<string, string>) {
  const cells = Object.entries(text).flatMap(([state, line]) =>
    line
      .split(/\s+/)
      .filter(Boolean)
      .map((cell) => {
        const [left = '', target = ''] = cell.split(':');
        const [event = '', roles] = left.split('@');
        return { state, event, roles: roles?.split(','), target };
      }),
  );
  return (state: string, event: string, role: string) =>
    cells.find((cell) => cell.state === state && cell.event === event && (!cell.roles || cell.roles.includes(role)))
      ?.target ?? 'refused';
}

const said = (answer: ReturnType<typeof step>) => {
  if (answer.kind === 'refused') return 'refused';
  return answer.kind === 'stay' ? 'stays' : answer.to;
};

/** A clock whose timers never fire. It records the running ones. */
function stillClock() {
  const running = new Set<object>();
  const start = (ms: number) => {
    const timer = { ms, cancel: () => void running.delete(timer) };
    running.add(timer);
    return timer;
  };
  const clock: Clock = { now: () => 0, wallTime: () => 0, after: start, every: start };
  return { clock, running };
}

function driverAt<S extends string, E extends string, F extends string, T extends string, R extends string>(
  table: Table<S, E, F, T, R, Row<S, E, F, R>>,
  state: S,
  role: R,
) {
  const refusals: string[] = [];
  const performed: string[] = [];
  const { clock, running } = stillClock();
  const driver = new MachineDriver<S, E, F, T, R, Row<S, E, F, R>>({ ...table, initial: state }, role, clock, {
    perform: (effect) => performed.push(effect),
    refused: (_state, _event, reason) => refusals.push(reason),
    failed: () => undefined,
    duration: () => 1000,
  });
  return { driver, refusals, performed, running };
}

/** The statements to prove, by id. */
const STATEMENTS = new Map(
  [
    ...readFileSync(new URL('../../requirements.yaml', import.meta.url), 'utf8').matchAll(/^  ([A-Z]+-\d+): (.*)$/gm),
  ].map(([, id = '', statement = '']) => [id, statement]),
);

/** The transitions that a statement names: `a -> b`, or `a -> b or c`. */
function transitionsOf(statement: string): { from: string; to: string }[] {
  const [, from, to, other] = /^(\w+) -> (\w+)(?: or (\w+))?/.exec(statement) ?? [];
  return [to, other].flatMap((target) => (from && target ? [{ from, to: target }] : []));
}

const listed = (oneOrMore: string | readonly string[]): readonly string[] => [oneOrMore].flat();

interface Lifecycle {
  readonly name: string;
  readonly table: unknown;
  readonly states: readonly string[];
  readonly events: readonly string[];
  readonly roles: readonly string[];
  /** The ids of its statements. */
  readonly ids: RegExp;
  /** The least number of transitions that its statements name. */
  readonly transitions: number;
  readonly text: Record<string, string>;
}

const LIFECYCLES: readonly Lifecycle[] = [
  {
    name: 'Direct call',
    table: CALL_TABLE,
    states: CALL_STATES,
    events: CALL_EVENTS,
    roles: ['dc_caller', 'dc_callee'] satisfies CallRole[],
    ids: /^DC-/,
    transitions: 16,
    text: CALL,
  },
  {
    name: 'Peer connection',
    table: PEER_TABLE,
    states: PEER_STATES,
    events: PEER_EVENTS,
    roles: ['initiator', 'responder', 'disposable'] satisfies PeerRole[],
    ids: /^PC-/,
    transitions: 16,
    text: PEER,
  },
  {
    name: 'Room session',
    table: ROOM_SESSION_TABLE,
    states: ROOM_SESSION_STATES,
    events: ROOM_SESSION_EVENTS,
    roles: ['participant'] satisfies RoomSessionRole[],
    ids: /^RM-/,
    // Its statements name no states.
    transitions: 0,
    text: ROOM_SESSION,
  },
  {
    name: 'Media endpoint',
    table: ENDPOINT_TABLE,
    states: ENDPOINT_STATES,
    events: ENDPOINT_EVENTS,
    roles: ['master', 'viewer'] satisfies EndpointRole[],
    ids: /^EP-/,
    transitions: 9,
    text: ENDPOINT,
  },
];

describe.each(LIFECYCLES)('$name: every event in every state', (lifecycle) => {
  const { name, table, states, events, roles, ids, transitions, text } = lifecycle;
  const expected = expectedFrom(text);
  // The tables have different alphabets; here they are only words.
  const words = table as Table<string, string, string, string, string, Row<string, string, string>>;

  it('has exactly the states and events of the specification', () => {
    expect([...states].sort()).toEqual(Object.keys(text).sort());
    const named = Object.values(text).flatMap((line) => line.split(/\s+/).flatMap((cell) => /^\w+/.exec(cell) ?? []));
    expect([...events].sort()).toEqual([...new Set(named)].sort());
    expect([words.states, words.events, words.name]).toEqual([states, events, name]);
  });

  it('begins idle, and ends in a state that no event leaves', () => {
    const leadsOn = (state: string) =>
      roles.some((role) => events.some((event) => !['refused', 'stays'].includes(expected(state, event, role))));
    expect(words.initial).toBe('idle');
    expect(words.final).toEqual(states.filter((state) => !leadsOn(state)));
  });

  it('names, for each row and timer, the statements it implements', () => {
    for (const { ids: carried } of [...words.rows, ...Object.values(words.timers)]) {
      expect(carried).not.toEqual([]);
      expect(carried.filter((id) => !ids.test(id) || !STATEMENTS.has(id))).toEqual([]);
    }
  });

  it('has a row for each transition that a statement names, with its id', () => {
    const stated = [...STATEMENTS]
      .filter(([id]) => ids.test(id))
      .flatMap(([id, statement]) => transitionsOf(statement).map((transition) => ({ id, ...transition })));
    expect(stated.length).toBeGreaterThanOrEqual(transitions);
    const isCarriedOut = ({ id, from, to }: (typeof stated)[number]) =>
      words.rows.some((row) => row.ids.includes(id) && listed(row.from).includes(from) && row.to === to);
    expect(stated.filter((one) => !isCarriedOut(one))).toEqual([]);
  });

  it.each(states)('%s', (state) => {
    const wanted = roles.flatMap((role) => events.map((event) => [role, event, expected(state, event, role)]));
    const got = roles.flatMap((role) =>
      events.map((event) => [role, event, said(step(words.rows, state, event, role))]),
    );
    expect(got).toEqual(wanted);
  });

  it('PC-24: an event that a state does not allow is reported and changes nothing, in every state', () => {
    for (const state of states) {
      for (const role of roles) {
        for (const event of events) {
          if (expected(state, event, role) !== 'refused') continue;
          const { driver, refusals, performed } = driverAt(words, state, role);
          driver.raise(event);
          expect({ state: driver.state, refused: refusals.length, performed }, `${event} in ${state}`).toEqual({
            state,
            refused: 1,
            performed: [],
          });
        }
      }
    }
  });

  it.each(states)('a transition from %s to itself is refused and reported', (state) => {
    const again = { ids: [], from: state, on: 'again', to: state, effects: ['never'] };
    const { driver, refusals, performed } = driverAt({ ...words, rows: [...words.rows, again] }, state, roles[0] ?? '');
    driver.raise('again');
    expect(driver.state).toBe(state);
    expect(refusals).toEqual(['same state']);
    expect(performed).toEqual([]);
  });

  it('repeats a timer exactly when the state stays after it fires', () => {
    for (const { during, raises, repeats } of Object.values(words.timers)) {
      const answers = during.flatMap((state) => roles.map((role) => said(step(words.rows, state, raises, role))));
      expect(new Set(answers.map((answer) => answer === 'stays')), raises).toEqual(new Set([repeats]));
    }
  });

  it('runs exactly the timers of each state, and none at the end', () => {
    for (const state of states) {
      const enter = { ids: [], from: 'nowhere', on: 'enter', to: state };
      const { driver, running } = driverAt({ ...words, rows: [...words.rows, enter] }, 'nowhere', roles[0] ?? '');
      driver.raise('enter');
      const wanted = Object.values(words.timers).filter(({ during }) => during.includes(state));
      expect(running.size, state).toBe(wanted.length);
    }
    for (const state of words.final)
      expect(Object.values(words.timers).some(({ during }) => during.includes(state))).toBe(false);
  });
});

describe('Media endpoint: the course of a reconnect', () => {
  it('EP-08: a lost endpoint drops its connection, waits once, counts the pass and offers again', () => {
    const { driver, performed, running } = driverAt(ENDPOINT_TABLE, 'connected', 'master');
    driver.raise('iceFailed');
    driver.raise('connectionDropped');
    expect([driver.state, performed, running.size]).toEqual(['reconnecting', ['notifyLost', 'dropConnection'], 1]);
    driver.raise('reconnectDue');
    expect([driver.state, performed.slice(2), running.size]).toEqual(['offering', ['countReconnect', 'offer'], 0]);
  });

  it.each(['idle', 'offering', 'established', 'connected', 'disconnected', 'reconnecting'] as const)(
    'EP-11 EP-12: a release in %s tells the exchange before it closes, and an exit closes at once',
    (state) => {
      const released = driverAt(ENDPOINT_TABLE, state, 'viewer');
      released.driver.raise('releaseRequested');
      released.driver.raise('released');
      expect([released.driver.state, released.performed]).toEqual(['closed', ['sendRelease', 'close']]);
      const exited = driverAt(ENDPOINT_TABLE, state, 'viewer');
      exited.driver.raise('exitRequested');
      expect([exited.driver.state, exited.performed]).toEqual(['closed', ['close']]);
    },
  );
});

describe('Room session: its end', () => {
  it.each([
    ['exitRequested', ['endSession', 'requestExit']],
    ['roomDeleted', ['endSession', 'notifyDeleted']],
    ['connectionLost', ['endSession', 'notifyLost']],
    ['kicked', ['endSession', 'notifyKicked']],
  ] as const)('%s ends the session and its keep-alive', (event, effects) => {
    const { driver, performed, running } = driverAt(ROOM_SESSION_TABLE, 'entering', 'participant');
    driver.raise('enterSucceeded');
    expect([performed, running.size]).toEqual([['startMedia'], 1]);
    driver.raise(event);
    expect([performed.slice(1), running.size]).toEqual([effects, 0]);
  });
});

describe('a transition to the same state', () => {
  it('DC-48: a transition to the same state is an error, in each of the twelve states', () => {
    expect(CALL_STATES).toHaveLength(12);
    for (const state of CALL_STATES) {
      for (const role of ['dc_caller', 'dc_callee'] satisfies CallRole[]) {
        const rows = [{ ids: [], from: state, on: 'aliveDue' as const, to: state }];
        const { driver, refusals } = driverAt({ ...CALL_TABLE, rows }, state, role);
        driver.raise('aliveDue');
        expect(refusals, state).toEqual(['same state']);
        expect(driver.state).toBe(state);
      }
    }
  });

  it('DC-48 PC-23: an event that would lead only to the present state is reported as a transition to the same state', () => {
    const call = driverAt(CALL_TABLE, 'dialing', 'dc_caller');
    call.driver.raise('dialAcknowledged');
    expect(call.refusals).toEqual(['same state']);
    const peer = driverAt(PEER_TABLE, 'offering', 'initiator');
    peer.driver.raise('offerRequested');
    expect(peer.refusals).toEqual(['same state']);
    for (const state of PEER_STATES) {
      const rows = [{ ids: [], from: state, on: 'iceConnected' as const, to: state }];
      const { driver, refusals } = driverAt({ ...PEER_TABLE, rows }, state, 'initiator');
      driver.raise('iceConnected');
      expect(refusals, state).toEqual(['same state']);
    }
  });
});
