import * as v from 'valibot';
import { FRAMES_PER_MESSAGE, eventFrame, eventsOpened } from '../../../protocol/product/event-frames.ts';
import type { EventOf, ProductEvent } from '../../../protocol/product/events.ts';
import type { Logger } from '../ports/ports.ts';
import { type ReconnectingSocketPorts, createReconnectingSocket } from '../presence/reconnecting-socket.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';

type EventType = ProductEvent['type'];
type Resync = { readonly type: 'resync' };
type Heard<Type extends EventType | 'resync'> = Type extends EventType ? EventOf<Type> : Resync;
type Listener = (event: ProductEvent | Resync) => void;

/** The live events of the product (`/ws/events`), on one socket that stays open while a user is signed in. */
export interface EventClient {
  /** True while the socket is open. */
  readonly isOpen: ReadableStore<boolean>;
  /**
   * Calls the listener for every event of this type. Returns the function that unsubscribes it. `resync` is emitted at
   * the start and when events may have been lost. The listener must then request again what it read before.
   */
  on<Type extends EventType | 'resync'>(type: Type, listener: (event: Heard<Type>) => void): () => void;
  start(): void;
  /** Closes the socket and forgets the last sequence number. The next user has another stream of events. */
  stop(): void;
}

/** A function that parses an event. It returns null for an event that it does not understand. */
export type ReadEvent = (value: unknown) => ProductEvent | null;

interface Dependencies extends ReconnectingSocketPorts {
  wsUrl: string;
  token(): string | null;
  /** Asks the server whether the session is still valid. Resolves to whether the user is still signed in. */
  checkSession(): Promise<boolean>;
  readEvent: ReadEvent;
}

/** Creates the client of live events. The caller starts it. */
export function createEventClient(outside: Dependencies): EventClient {
  const { logger } = outside;
  const isOpen = createStore(false);
  const { on, tell } = createListeners(logger);
  /** The stream and the sequence number of the last event. Null before the server opens the stream. */
  let known: { stream: string; seq: number } | null = null;

  function read(data: unknown): void {
    const body = decoded(data);
    const frames: readonly unknown[] = Array.isArray(body) ? body : [body];
    const areRead = frames.slice(0, FRAMES_PER_MESSAGE).map(readFrame);
    // The text of the event is not logged, because a user may have written it.
    if (areRead.length === 0 || areRead.includes(false)) logger.warn('an event could not be read', lengthOf(data));
  }

  /** Returns whether the frame is understood. */
  function readFrame(body: unknown): boolean {
    const opened = v.safeParse(eventsOpened, body);
    if (opened.success) {
      const { stream, seq, resumed } = opened.output;
      known = { stream, seq };
      if (!resumed) tell({ type: 'resync' });
      return true;
    }
    const frame = v.safeParse(eventFrame, body);
    if (frame.success && known !== null) known = { ...known, seq: frame.output.seq };
    const event = frame.success ? outside.readEvent(frame.output.event) : null;
    if (event === null) return false;
    tell(event);
    return true;
  }

  const socket = createReconnectingSocket(
    {
      address() {
        const token = outside.token();
        if (token === null) return null;
        const after = known === null ? '' : `?after=${encodeURIComponent(`${known.stream}.${known.seq}`)}`;
        return { url: `${outside.wsUrl}/ws/events${after}`, protocols: [token] };
      },
      shouldRetry: () => outside.token() !== null,
      checkSession: outside.checkSession,
      onOpen: () => isOpen.set(true),
      onMessage: read,
      onClose: () => isOpen.set(false),
    },
    outside,
  );

  return {
    isOpen,
    on,
    start: socket.open,
    stop() {
      socket.close();
      known = null;
    },
  };
}

interface Listeners extends Pick<EventClient, 'on'> {
  /** Calls the listeners of an event. The failure of one is logged, and does not stop the others. */
  tell(event: ProductEvent | Resync): void;
}

function createListeners(logger: Logger): Listeners {
  const listeners = new Map<EventType | 'resync', Set<Listener>>();
  return {
    on<Type extends EventType | 'resync'>(type: Type, listener: (event: Heard<Type>) => void) {
      // A listener is called only with events of its own type, so the cast is safe.
      const kept = listener as Listener;
      const those = listeners.get(type) ?? new Set();
      listeners.set(type, those.add(kept));
      return () => those.delete(kept);
    },
    tell(event) {
      for (const listener of [...(listeners.get(event.type) ?? [])]) {
        try {
          listener(event);
        } catch (error) {
          logger.error(`a listener of ${event.type} failed`, error);
        }
      }
    },
  };
}

function decoded(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

const lengthOf = (data: unknown): string => (typeof data === 'string' ? `${data.length} characters` : 'no text');
