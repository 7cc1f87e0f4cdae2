import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { isFrameTooLarge } from '../../../src/protocol/envelope.ts';
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';
import type { Connection } from '../../exchange/delivery/connection.ts';
import type { Link } from '../../exchange/ports.ts';
import type { ServerInstance } from '../server-instance.ts';

/** The commands whose names a span may have. Clients choose the others. */
const NAMES: ReadonlySet<string> = new Set(Object.values(COMMANDS).flatMap((group) => Object.keys(group)));
/** The most commands of one device that wait for a reply and have a span. */
const MOST_OPEN = 64;

/** What a span reads of a frame. */
interface FrameHead {
  readonly request_id?: unknown;
  readonly type?: unknown;
  readonly payload?: { readonly call_id?: unknown };
  readonly error?: { readonly code?: unknown };
}

/** Returns the head of a frame. Null for a text that is none. */
function headOf(text: string): FrameHead | null {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' ? frame : null;
  } catch {
    return null;
  }
}

/** Returns a `connect` with a span for each command of the device, from its arrival to its reply. */
export function tracedChannel(tracer: Tracer, connect: ServerInstance['connect']): ServerInstance['connect'] {
  return (who, link) => {
    const open = new Map<string, Span>();
    const traced: Link = {
      send(text) {
        if (open.size > 0) endWith(open, text);
        link.send(text);
      },
      close: (code, reason) => link.close(code, reason),
    };
    const connected = connect(who, traced);
    const around = (one: Connection) => tracedConnection(tracer, one, open);
    if (connected instanceof Promise) return connected.then((one) => ('status' in one ? one : around(one)));
    return 'status' in connected ? connected : around(connected);
  };
}

function tracedConnection(tracer: Tracer, connection: Connection, open: Map<string, Span>): Connection {
  return {
    receive(text) {
      const span = isFrameTooLarge(text) ? null : spanOf(tracer, text, open);
      if (!span) return connection.receive(text);
      context.with(trace.setSpan(ROOT_CONTEXT, span), () => connection.receive(text));
    },
    closed() {
      for (const span of open.values()) span.end();
      open.clear();
      connection.closed();
    },
  };
}

/** Begins the span of a command. Null for a text that is none, and for a request id whose span is open. */
function spanOf(tracer: Tracer, text: string, open: Map<string, Span>): Span | null {
  const head = headOf(text);
  if (typeof head?.request_id !== 'string' || open.has(head.request_id) || open.size >= MOST_OPEN) return null;
  const name = typeof head.type === 'string' && NAMES.has(head.type) ? head.type : 'unknown';
  const callId = head.payload?.call_id;
  const attributes = typeof callId === 'string' ? { 'ringback.call_id': callId.slice(0, 128) } : {};
  const span = tracer.startSpan(`command ${name}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
  open.set(head.request_id, span);
  return span;
}

/** Ends the span of the command whose reply this is. */
function endWith(open: Map<string, Span>, text: string): void {
  const head = headOf(text);
  const requestId = head?.request_id;
  const span = typeof requestId === 'string' ? open.get(requestId) : undefined;
  if (!span || typeof requestId !== 'string') return;
  open.delete(requestId);
  const code = head?.error?.code;
  if (typeof code === 'number') {
    span.setAttribute('ringback.code', code);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  const callId = head?.payload?.call_id;
  if (typeof callId === 'string') span.setAttribute('ringback.call_id', callId);
  span.end();
}
