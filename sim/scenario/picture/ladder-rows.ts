/** A trace as the rows of a ladder diagram: one lane a device and one for the exchange. Pure; the drawings share it. */
import type { TraceEvent } from '../trace/trace.ts';

export interface Arrow {
  readonly kind: 'arrow';
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** It never arrives. */
  readonly lost: boolean;
  /** What a fault made of it. */
  readonly fate?: string;
}

export interface Note {
  readonly kind: 'note';
  readonly at: number;
  /** Absent for what is about everybody. */
  readonly lane?: string;
  readonly text: string;
}

export type LadderRow = Arrow | Note;

export interface Ladder {
  /** The devices, the exchange among them, from left to right. */
  readonly lanes: readonly string[];
  readonly rows: readonly LadderRow[];
}

const EXCHANGE = 'exchange';

/** Candidates and acknowledgements of no news hide what matters, where a picture is for people. */
const QUIET = /^(candidate|alive)(_ack)?$|^(audio|video|candidate|offer|answer|connected|recording)_ack$/;

interface LadderOptions {
  /** With every message, also those that mostly hide the others. Default false. */
  readonly whole?: boolean;
}

export function ladderOf(trace: readonly TraceEvent[], { whole = false }: LadderOptions = {}): Ladder {
  const devices = [...new Set(trace.flatMap((event) => ('device' in event ? [event.device] : [])))];
  const [first, ...others] = devices;
  const lanes = first === undefined ? [EXCHANGE] : [first, EXCHANGE, ...others];
  return { lanes, rows: trace.flatMap((event) => rowOf(event, whole)) };
}

function rowOf(event: TraceEvent, whole: boolean): LadderRow[] {
  const { at } = event;
  switch (event.kind) {
    case 'message':
    case 'http': {
      const name =
        event.kind === 'message' ? event.cmd : event.direction === 'up' ? event.request : `answer to ${event.request}`;
      if (
        !whole &&
        event.fate === undefined &&
        (QUIET.test(name) || (event.kind === 'http' && event.direction === 'down'))
      )
        return [];
      const [from, to] = event.direction === 'up' ? [event.device, EXCHANGE] : [EXCHANGE, event.device];
      const refused = event.kind === 'message' && event.error !== undefined ? ` (${event.error})` : '';
      return [
        {
          kind: 'arrow',
          at,
          from,
          to,
          text: `${name}${refused}`,
          lost: event.fate === 'dropped',
          ...(event.fate === undefined ? {} : { fate: event.fate }),
        },
      ];
    }
    case 'state':
      return [
        {
          kind: 'note',
          at,
          lane: event.device,
          text: `${event.machine === 'peer' ? 'peer ' : ''}${event.from} -> ${event.to}`,
        },
      ];
    case 'socket':
      return [
        {
          kind: 'note',
          at,
          lane: event.device,
          text: `channel ${event.what}${event.code === undefined ? '' : ` ${event.code}`}`,
        },
      ];
    case 'fault':
      return [{ kind: 'note', at, text: `${event.on ? 'fault' : 'mended'}: ${event.what}` }];
    case 'error':
      return [{ kind: 'note', at, lane: event.device, text: `${event.code ?? 'error'}: ${event.message}` }];
    case 'told':
    case 'sound':
      return whole
        ? [
            {
              kind: 'note',
              at,
              lane: event.device,
              text: event.kind === 'told' ? event.name : `${event.what} ${event.name}`,
            },
          ]
        : [];
    case 'step':
      return whole ? [{ kind: 'note', at, text: `step ${event.text}` }] : [];
    default:
      return event satisfies never;
  }
}

/** A moment in seconds, as wide as the widest of a run of a few minutes. */
export const momentText = (at: number): string => (at / 1_000).toFixed(3).padStart(9);
