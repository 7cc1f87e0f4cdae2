import * as v from 'valibot';
import { FRAMES_PER_MESSAGE, eventFrame, eventsOpened } from '../../../protocol/product/event-frames.ts';
import type { EventOf, ProductEvent } from '../../../protocol/product/events.ts';
import { type KeptSocketPorts, createReconnectingSocket } from '../presence/reconnecting-socket.ts';
import { type ReadableStore, createStore } from '../store/store.ts';

type EventType = ProductEvent['type'];
type Resync = { readonly type: 'resync' };
type Heard<Type extends EventType | 'resync'> = Type extends EventType ? EventOf<Type> : Resync;
type Listener = (event: ProductEvent | Resync) => void;

/** The live events of the product (`/ws/events`), on one socket that is kept while somebody is signed in. */
export interface EventClient {
  /** The socket is open. */
  readonly isOpen: ReadableStore<boolean>;
  /**
   * Tells the listener of every event of this type, until the undo that it returns. `resync` comes when events may have been
   * lost, and at the start: what was read before then is to be asked for again.
   */
  on<Type extends EventType | 'resync'>(type: Type, listener: (event: Heard<Type>) => void): () => void;
  start(): void;
  /** Closes the socket and forgets how far it came: the next user has events of their own. */
  stop(): void;
}

/** What an event is; null for one that is not understood. */
export type ReadEvent = (value: unknown) => ProductEvent | null;

interface Dependencies extends KeptSocketPorts {
  wsUrl: string;
  token(): string | null;
  /** Asks whether the session still stands; resolves to whether the user is still signed in. */
  checkSession(): Promise<boolean>;
  readEvent: ReadEvent;
}

export function createEventClient(outside: Dependencies): EventClient {
  const { logger } = outside;
  const isOpen = createStore(false);
  const listeners = new Map<EventType | 'resync', Set<Listener>>();
  /** The last event that is known, as the server numbers them. */
  let known: { stream: string; seq: number } | null = null;

  function tell(event: ProductEvent | Resync): void {
    for (const listener of [...(listeners.get(event.type) ?? [])]) {
      try {
        listener(event);
      } catch (error) {
        logger.error(`a listener of ${event.type} failed`, error);
      }
    }
  }

  function read(data: unknown): void {
    const body = decoded(data);
    const frames: readonly unknown[] = Array.isArray(body) ? body : [body];
    const areRead = frames.slice(0, FRAMES_PER_MESSAGE).map(readFrame);
    // Its text is left out: a user may have written it.
    if (areRead.length === 0 || areRead.includes(false)) logger.warn('an event was not understood', lengthOf(data));
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
    on<Type extends EventType | 'resync'>(type: Type, listener: (event: Heard<Type>) => void) {
      // Only events of its own type come to it.
      const kept = listener as Listener;
      const those = listeners.get(type) ?? new Set();
      listeners.set(type, those.add(kept));
      return () => those.delete(kept);
    },
    start: socket.open,
    stop() {
      socket.close();
      known = null;
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

const lengthOf = (data: unknown): string => (typeof data === 'string' ? `${data.length} letters` : 'no text');
