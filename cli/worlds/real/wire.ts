/**
 * The wire of one device, seen from the device: each message is noted, and struck by the faults on messages that concern
 * it, before the library or the network gets it.
 */
import type { FetchAnswer, FetchPort, FetchRequest } from '../../../src/calls/platform/fetch.ts';
import type { Socket, SocketEvents, SocketPort } from '../../../src/calls/platform/socket.ts';
import { Lane } from './lane.ts';
import { type Fate, type Rule, textOf, type Transit } from '../../../sim/virtual/transit.ts';

/** The rules of a world, and who is told of each message. */
export interface Wiring {
  readonly rules: ReadonlySet<Rule>;
  /** How many times faster the scenario's clock runs: what is delayed takes so much less. */
  readonly timeScale: number;
  readonly noted: (message: Transit, fate: Fate) => void;
}

/** The device's sockets, through the rules. */
export function wiredSockets(device: string, inner: SocketPort, wiring: Wiring): SocketPort {
  return {
    open(url, events: SocketEvents): Socket {
      let isClosed = false;
      const lanes = { up: new Lane(), down: new Lane() };
      const socket = inner.open(url, {
        opened: () => events.opened(),
        received: (text) =>
          carry(transit(device, 'down', 'socket', typeOf(text), text), wiring, {
            lane: lanes.down,
            arrive: (arrived) => {
              if (!isClosed) events.received(arrived);
            },
          }),
        closed(code, status) {
          isClosed = true;
          events.closed(code, status);
        },
      });
      return {
        send: (text) =>
          carry(transit(device, 'up', 'socket', typeOf(text), text), wiring, {
            lane: lanes.up,
            arrive: (sent) => socket.send(sent),
            // Refused on its way: the answer comes from there.
            lost: (answer) => {
              if (answer !== undefined && !isClosed) events.received(answer);
            },
          }),
        close: (code) => socket.close(code),
      };
    },
  };
}

/** The device's requests, through the rules. */
export function wiredFetch(device: string, inner: FetchPort, wiring: Wiring): FetchPort {
  const passed = (message: Transit, { signal }: FetchRequest) =>
    new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError')));
      carry(message, wiring, { arrive: resolve, lost: () => reject(new TypeError('fetch failed')) });
    });
  return async (url, request): Promise<FetchAnswer> => {
    const type = `${request.method} ${new URL(url).pathname}`;
    const sent = await passed(transit(device, 'up', 'http', type, request.body ?? ''), request);
    const { status, redirected, text } = await inner(
      url,
      request.body === undefined ? request : { ...request, body: sent },
    );
    const arrived = await passed(transit(device, 'down', 'http', type, await text()), request);
    return { status, redirected, text: () => Promise.resolve(arrived) };
  };
}

/** The end of a message's way. */
interface End {
  /** Absent for a request, which has a connection of its own. */
  readonly lane?: Lane;
  arrive(text: string): void;
  /** It does not arrive; what answers it, where something does. */
  lost?(answer?: string): void;
}

/** Carries a message as its fate says. */
function carry(message: Transit, { rules, timeScale, noted }: Wiring, { lane = new Lane(), arrive, lost }: End): void {
  const fate = fateOf(message, rules);
  noted(message, fate);
  if (fate === 'drop') return lost?.();
  if (fate && 'answer' in fate) return lost?.(textOf(fate.answer));
  const text = fate && 'text' in fate ? fate.text : message.text;
  const copies = fate && 'copies' in fate ? fate.copies : 1;
  const delayMs = fate && 'delayMs' in fate ? fate.delayMs / timeScale : 0;
  const overtakes = fate !== undefined && 'delayMs' in fate && fate.inOrder !== true;
  for (let copy = 0; copy < copies; copy += 1) (overtakes ? new Lane() : lane).pass(delayMs, () => arrive(text));
  if (fate && 'againAfterMs' in fate) setTimeout(() => arrive(text), fate.againAfterMs / timeScale);
}

function fateOf(message: Transit, rules: ReadonlySet<Rule>): Fate {
  for (const rule of rules) {
    const fate = rule(message);
    if (fate !== undefined) return fate;
  }
  return undefined;
}

const transit = (
  device: string,
  direction: Transit['direction'],
  via: Transit['via'],
  type: string,
  text: string,
): Transit => ({ device, direction, via, type, text });

function typeOf(text: string): string {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' && frame !== null && 'type' in frame ? String(frame.type) : '?';
  } catch {
    return '?';
  }
}
