/**
 * A trace as the rows of a ladder diagram: one lane for each device and one for the exchange. All drawings use it.
 */
import type { HttpEvent, MessageEvent, TraceEvent } from '../events.ts';
import { callsOf, callWords, type TraceCalls } from '../trace-calls.ts';
import { machineOf, type Tone, toneOf, type TraceMachines } from '../machines.ts';

export interface Arrow {
  readonly kind: 'arrow';
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Whether it never arrives. */
  readonly lost: boolean;
  /** What a fault did to the message. */
  readonly fate?: string;
  /** Whether it is a refusal. */
  readonly refused?: boolean;
  /** The number of its call. Absent without one, and in a run with one call. */
  readonly call?: number;
}

export interface Note {
  readonly kind: 'note';
  readonly at: number;
  /** The lane of the row. Absent if it concerns all lanes. */
  readonly lane?: string;
  readonly text: string;
  /** The tone of the row: how good or bad it is for the user. */
  readonly tone: Tone;
  /** The state of the device of the lane from here on. Absent if the note is no move of its main machine. */
  readonly state?: { readonly name: string; readonly isFinal: boolean };
}

export type LadderRow = Arrow | Note;

export interface Ladder {
  /** The devices and the exchange, from left to right. */
  readonly lanes: readonly string[];
  readonly rows: readonly LadderRow[];
}

/** The lane of the exchange. */
export const EXCHANGE = 'exchange';

/** Candidates and trivial acknowledgements, which hide more important messages. */
const QUIET = /^(candidate|alive)(_ack)?$|^(audio|video|candidate|offer|answer|connected|recording)_ack$/;

interface LadderOptions {
  /** Whether to show every message, also frequent ones. Default: false. */
  readonly whole?: boolean;
  /** The calls of the run, when the ladder shows a part of its events. Default: those of the events. */
  readonly calls?: TraceCalls;
}

/**
 * Returns a trace as a ladder. In a run with several calls, each message has the number of its call, and the first row
 * names the calls.
 *
 * @param machines - the tables of the machines in the trace.
 */
export function ladderOf(
  trace: readonly TraceEvent[],
  machines: TraceMachines,
  { whole = false, calls }: LadderOptions = {},
): Ladder {
  const devices = [...new Set(trace.flatMap((event) => ('device' in event ? [event.device] : [])))];
  const all = calls ?? callsOf(trace);
  const numbers = all.all.size > 1 ? all : undefined;
  const rows = trace.flatMap((event) => rowOf(event, machines, { whole, numbers }));
  const [first] = rows;
  // A part of a run follows a ladder that has named the calls.
  const names = numbers && first && !calls ? [namesOf(numbers, first.at)] : [];
  return { lanes: lanesOf(devices), rows: [...names, ...rows] };
}

const namesOf = (calls: TraceCalls, at: number): Note => ({
  kind: 'note',
  at,
  text: `calls: ${callWords(calls)}`,
  tone: 'over',
});

/** Returns the lanes of a ladder with these devices: the exchange is the second one. */
export function lanesOf([first, ...others]: readonly string[]): string[] {
  return first === undefined ? [EXCHANGE] : [first, EXCHANGE, ...others];
}

interface RowOptions {
  readonly whole: boolean;
  /** The calls of a run with several. */
  readonly numbers: TraceCalls | undefined;
}

function rowOf(event: TraceEvent, machines: TraceMachines, options: RowOptions): LadderRow[] {
  const { whole } = options;
  const { at } = event;
  const note = (text: string, tone: Tone, more: Pick<Note, 'lane' | 'state'> = {}): [Note] => [
    { kind: 'note', at, text, tone, ...more },
  ];
  switch (event.kind) {
    case 'message':
    case 'http':
      return arrowOf(event, options);
    case 'state': {
      const { device: lane, from, to } = event;
      const machine = machineOf(machines, event.machine);
      const label = machine.ladderLabel === '' ? '' : `${machine.ladderLabel} `;
      const state = { name: to, isFinal: machine.final.includes(to) };
      return note(`${label}${from} -> ${to}`, toneOf(machine, to), { lane, ...(machine.isMain ? { state } : {}) });
    }
    case 'socket': {
      const { device: lane, what, code, status } = event;
      const why = [code, status].map((number) => (number === undefined ? '' : ` ${number}`)).join('');
      return note(`channel ${what}${why}`, what === 'open' ? 'good' : 'over', { lane });
    }
    case 'fault':
      return note(`${event.on ? 'fault' : 'mended'}: ${event.what}`, event.on ? 'trouble' : 'good');
    case 'error':
      return note(`${event.code ?? 'error'}: ${event.message}`, 'bad', { lane: event.device });
    case 'told':
      return whole ? note(event.name, 'over', { lane: event.device }) : [];
    case 'sound':
      return whole ? note(`${event.what} ${event.name}`, 'over', { lane: event.device }) : [];
    case 'step':
      return whole ? note(`step ${event.text}`, 'over') : [];
    default:
      return event satisfies never;
  }
}

function arrowOf(event: MessageEvent | HttpEvent, { whole, numbers }: RowOptions): [] | [Arrow] {
  const { at, device, direction, fate } = event;
  const isAnswer = event.kind === 'http' && direction === 'down';
  const name = event.kind === 'message' ? event.cmd : isAnswer ? `answer to ${event.request}` : event.request;
  if (!whole && fate === undefined && (isAnswer || QUIET.test(name))) return [];
  const [from, to] = direction === 'up' ? [device, EXCHANGE] : [EXCHANGE, device];
  const code = event.kind === 'message' ? event.error : undefined;
  const call = numbers?.numberOf(event);
  return [
    {
      kind: 'arrow',
      at,
      from,
      to,
      text: code === undefined ? name : `${name} (${code})`,
      lost: fate === 'dropped',
      ...(fate === undefined ? {} : { fate }),
      ...(code === undefined ? {} : { refused: true }),
      ...(call === undefined ? {} : { call }),
    },
  ];
}
