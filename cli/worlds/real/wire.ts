/** The wire of one device. Each message passes the engine of message faults before the library or the network gets it. */
import type { Clock } from '../../../src/common/clock.ts';
import type { FetchAnswer, FetchPort, FetchRequest } from '../../../src/calls/platform/fetch.ts';
import type { Socket, SocketEvents, SocketPort } from '../../../src/calls/platform/socket.ts';
import { FaultEngine, type FaultEngineOptions, Lane } from '../../../sim/faults/fault-engine.ts';
import { type Answer, type Message, textOf, typeOf } from '../../../sim/faults/message.ts';

export type Wire = Pick<FaultEngine, 'carry'>;

/**
 * Creates the engine of message faults of a real world.
 * @param timeScale - how many times faster the clock of the scenario runs. Delays are divided by it.
 */
export function realFaults(
  clock: Pick<Clock, 'now' | 'after'>,
  timeScale: number,
  noted: FaultEngineOptions['noted'],
): FaultEngine {
  return new FaultEngine({
    clock: {
      now: () => clock.now() * timeScale,
      after: (ms, run) => void clock.after(ms / timeScale, run),
    },
    ...(noted ? { noted } : {}),
  });
}

/** Wraps the sockets of the device with the faults. */
export function wiredSockets(device: string, inner: SocketPort, wire: Wire): SocketPort {
  return {
    open(url, events: SocketEvents): Socket {
      let isClosed = false;
      const lanes = { up: new Lane(), down: new Lane() };
      const message = (direction: Message['direction'], text: string): Message => ({
        device,
        direction,
        via: 'socket',
        type: typeOf(text),
        text,
      });
      const received = (text: string) => {
        if (!isClosed) events.received(text);
      };
      const deliver = (text: string) => wire.carry(message('down', text), { lane: lanes.down, arrive: received });
      const socket = inner.open(url, {
        opened: () => events.opened(),
        received: deliver,
        closed(code, status) {
          isClosed = true;
          events.closed(code, status);
        },
      });
      return {
        send: (text) =>
          wire.carry(message('up', text), {
            lane: lanes.up,
            arrive: (sent) => socket.send(sent),
            // A message refused on its way is answered from there. The answer is a message too.
            answered: (answer) => deliver(textOf(answer)),
          }),
        close: (code) => socket.close(code),
      };
    },
  };
}

/** Wraps the requests of the device with the faults. */
export function wiredFetch(device: string, inner: FetchPort, wire: Wire): FetchPort {
  const passed = (message: Message, { signal }: FetchRequest) =>
    new Promise<string | Answer>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError')));
      wire.carry(message, {
        arrive: resolve,
        answered: resolve,
        lost: () => reject(new TypeError('fetch failed')),
      });
    });
  return async (url, request): Promise<FetchAnswer> => {
    const message = { device, via: 'http', type: `${request.method} ${new URL(url).pathname}` } as const;
    const sent = await passed({ ...message, direction: 'up', text: request.body ?? '' }, request);
    const { status, redirected, text } =
      typeof sent === 'string'
        ? await inner(url, request.body === undefined ? request : { ...request, body: sent })
        : fetched(sent);
    const arrived = await passed({ ...message, direction: 'down', text: await text() }, request);
    return fetched(typeof arrived === 'string' ? { status, redirected, body: arrived } : arrived);
  };
}

const fetched = (answer: Answer): FetchAnswer => ({
  status: answer.status,
  redirected: answer.redirected ?? false,
  text: () => Promise.resolve(textOf(answer)),
});
