/** Selects the events of a recording that are printed as a line while it runs. */
import type { TraceEvent } from '../../src/trace/events.ts';

const WORTH_TELLING = new Set([
  'dial',
  'accept',
  'cancel',
  'decline',
  'end',
  'no_answer',
  'timeout',
  'connection_lost',
  'hold',
  'recording',
]);

/** Returns the line of an event. Undefined for an event without one. */
export function newsOf(event: TraceEvent): string | undefined {
  switch (event.kind) {
    case 'socket':
      return `${event.device}  channel ${event.what}${event.code === undefined ? '' : ` ${event.code}`}`;
    case 'error':
      return `${event.device}  ${event.message}`;
    case 'http':
      if (event.status === undefined || event.status < 400) return undefined;
      return `${event.device}  ${event.request} refused, ${event.status}`;
    case 'message': {
      const { device, direction, cmd, error, payload } = event;
      if (direction === 'down') return error === undefined ? undefined : `${device}  ${cmd} refused, ${error}`;
      if (!WORTH_TELLING.has(cmd)) return undefined;
      const callee = cmd === 'dial' && isPayload(payload) ? payload.callee_id : undefined;
      return `${device}  ${cmd}${typeof callee === 'string' ? ` ${callee}` : ''}`;
    }
    default:
      return undefined;
  }
}

const isPayload = (payload: unknown): payload is { readonly callee_id?: unknown } =>
  typeof payload === 'object' && payload !== null;

/** The counts of a recording so far. */
export class Tally {
  calls = 0;
  messages = 0;
  requests = 0;

  count(event: TraceEvent): void {
    if (event.kind === 'http' && event.direction === 'up') this.requests += 1;
    if (event.kind !== 'message') return;
    this.messages += 1;
    if (event.cmd === 'dial' && event.direction === 'up') this.calls += 1;
  }

  get text(): string {
    return `${counted(this.calls, 'call')}, ${counted(this.messages, 'message')}, ${counted(this.requests, 'request')}`;
  }
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
