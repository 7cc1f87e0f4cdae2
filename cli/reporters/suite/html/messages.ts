import { escaped, clockText } from '../../../../src/trace/picture/words.ts';
import type { HttpEvent, MessageEvent, TraceEvent } from '../../../../src/trace/events.ts';

/** Renders each message and request, in order. Each one opens to its payload. */
export function messagesPart(trace: readonly TraceEvent[]): string {
  const events = trace.filter((event) => event.kind === 'message' || event.kind === 'http');
  if (events.length === 0) return '';
  return `<details class="more"><summary>All ${events.length} messages and requests, with their content</summary>
<div class="scroll" tabindex="0" role="group" aria-label="messages and requests"><table><caption>Messages and requests, in the order in which they were sent</caption>
<thead><tr><th scope="col">sent at</th><th scope="col">from, to</th><th scope="col">what</th><th scope="col">fault</th></tr></thead>
<tbody>${events.map(rowOf).join('')}</tbody></table></div></details>`;
}

function rowOf(event: MessageEvent | HttpEvent): string {
  const { at, device, direction, fate = '' } = event;
  const way = direction === 'up' ? `${device} → exchange` : `exchange → ${device}`;
  const code = event.kind === 'message' ? event.error : event.status;
  const isBad = fate === 'dropped' || (event.kind === 'message' ? code !== undefined : (code ?? 0) >= 400);
  const name = event.kind === 'message' ? event.cmd : event.request;
  const what = `${escaped(name)}${code === undefined ? '' : ` <b>${code}</b>`}`;
  const carried = carriedBy(event.kind === 'message' ? event.payload : event.body);
  return `<tr class="${direction}${isBad ? ' bad' : fate === '' ? '' : ' trouble'}"><td class="num">${clockText(at)}</td><td>${escaped(way)}</td><td>${carried === '' ? what : `<details><summary>${what}</summary><pre tabindex="0">${carried}</pre></details>`}</td><td class="fate">${escaped(fate)}</td></tr>`;
}

/** Formats a payload for people: a session description keeps its own lines. */
function carriedBy(payload: unknown): string {
  if (payload === undefined || payload === null || payload === '') return '';
  if (typeof payload !== 'object' || !('session' in payload)) return escaped(JSON.stringify(payload, null, 2));
  const { session, ...rest } = payload;
  const lines = Array.isArray(session) ? session.join('\n') : String(session);
  return `${escaped(JSON.stringify(rest, null, 2))}\n\n${escaped(lines)}`;
}
