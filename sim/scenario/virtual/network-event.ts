import type { Fate } from '../../faults/message.ts';
import type { TraceLine } from '../../virtual/transit.ts';
import { readable } from '../../../src/trace/readable.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

/**
 * Returns a message of the network as an event of the story's trace.
 * @param began - when the story began, on the clock of `line.at`.
 */
export function networkEvent(line: TraceLine, began: number): TraceEvent {
  const { device, direction, via, type, text, status, fate, node } = line;
  const at = line.at - began;
  const struck = { ...(fate === undefined ? {} : { fate: fateText(fate) }), ...(node === undefined ? {} : { node }) };
  const body = parse(text);
  if (via === 'http') {
    const answered = status === undefined ? {} : { status };
    return { at, kind: 'http', device, direction, request: type, ...answered, body: readable(body), ...struck };
  }
  const frame =
    typeof body === 'object' && body !== null ? (body as { payload?: unknown; error?: { code?: unknown } }) : {};
  const code = frame.error?.code;
  return {
    at,
    kind: 'message',
    device,
    direction,
    cmd: type,
    payload: readable(frame.payload),
    ...(typeof code === 'number' ? { error: code } : {}),
    ...struck,
  };
}

function fateText(fate: NonNullable<Fate>): string {
  if (fate === 'drop') return 'dropped';
  if ('delayMs' in fate) return `delayed ${fate.delayMs} ms`;
  if ('behind' in fate) return `behind ${fate.behind} more`;
  if ('againAfterMs' in fate) return `again after ${fate.againAfterMs} ms`;
  if ('copies' in fate) return `${fate.copies} copies`;
  return 'answer' in fate ? 'answered by a fault' : 'changed';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
