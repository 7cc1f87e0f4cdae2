/**
 * The wire of one device. Each message is noted, and matching faults are applied, before the library or the network
 * receives it.
 */
import type { FetchAnswer, FetchPort, FetchRequest } from '../../../src/calls/platform/fetch.ts';
import type { Socket, SocketEvents, SocketPort } from '../../../src/calls/platform/socket.ts';
import { Lane } from './lane.ts';
import { type Fate, type Rule, textOf, type Transit } from '../../../sim/virtual/transit.ts';

/** The fault rules of a world, and the observer of each message. */
export interface Wiring {
  readonly rules: ReadonlySet<Rule>;
  /** How many times faster the clock of the scenario runs. Delays are divided by it. */
  readonly timeScale: number;
  readonly noted: (message: Transit, fate: Fate) => void;
}

/** Wraps the sockets of the device with the rules. */
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
            // A message refused on its way is answered from there.
            lost: (answer) => {
              if (answer !== undefined && !isClosed) events.received(answer);
            },
          }),
        close: (code) => socket.close(code),
      };
    },
  };
}

/** Wraps the requests of the device with the rules. */
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

/** The end of the way of a message. */
interface End {
  /** Absent for a request, which has a connection of its own. */
  readonly lane?: Lane;
  arrive(text: string): void;
  /** Called when the message does not arrive, with its answer if any. */
  lost?(answer?: string): void;
}

/** Carries a message according to its fate. */
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
