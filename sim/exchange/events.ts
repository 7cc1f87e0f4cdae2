import type { UserPayload } from '../../src/protocol/entities.ts';
import type { RoomType } from '../../src/protocol/room-entities.ts';
import type { BegunCall, CallEvent } from './calls/call-event.ts';
import type { Log } from './logging/log.ts';

/** The presence of a user may have changed. */
interface PresenceEvent {
  readonly kind: 'presence';
  readonly userId: string;
  /** True when it changed at another node of the cluster. */
  readonly isElsewhere?: boolean;
}

/** A call that rings on no device yet. A device that connects during the call rings. */
export interface UnreachedEvent {
  readonly kind: 'unreached';
  readonly callId: string;
  readonly calleeId: string;
  readonly caller: UserPayload;
  readonly isVideoCall: boolean;
}

/** A user was invited into a room, and has no connected device. A device that connects meanwhile rings. */
export interface InvitedEvent {
  readonly kind: 'invited';
  readonly roomId: string;
  readonly roomType: RoomType;
  readonly inviter: UserPayload;
  readonly inviteeId: string;
}

/** A command was refused, or failed. */
interface RefusedEvent {
  readonly kind: 'refused';
  /** The code of the reply. */
  readonly code: number;
}

/** This exchange has adopted a call with media from another node of its cluster, which died. */
export interface AdoptedEvent extends BegunCall {
  readonly kind: 'adopted';
}

/** Another node of the cluster owns the call now. This exchange has forgotten the call, which goes on there. */
interface LetGoEvent {
  readonly kind: 'let_go';
  readonly callId: string;
}

/** An event of the exchange, which it emits to its host. */
export type ExchangeEvent =
  | CallEvent
  | PresenceEvent
  | UnreachedEvent
  | InvitedEvent
  | RefusedEvent
  | AdoptedEvent
  | LetGoEvent;

export type ExchangeListener = (event: ExchangeEvent) => void;

/** The stream of all events of an exchange. */
export class ExchangeEvents {
  readonly #log: Pick<Log, 'error'>;
  readonly #listeners = new Set<ExchangeListener>();

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  /** Calls the listener at each event, at the moment it happens. Returns the function that removes it. */
  subscribe(listener: ExchangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Emits an event to the listeners. A listener that throws affects neither the exchange nor the other listeners. */
  emit(event: ExchangeEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        if (event.kind === 'presence') this.#log.error('a listener to presence failed', { user: event.userId, error });
        else if (event.kind === 'refused')
          this.#log.error('a listener to refusals failed', { code: event.code, error });
        else if (event.kind === 'invited')
          this.#log.error('a listener to invitations failed', { room: event.roomId, error });
        else this.#log.error('a listener to calls failed', { call: event.callId, error });
      }
    }
  }
}

/** Returns a listener that forwards the events of calls alone. */
export const callEvents =
  (listener: (event: CallEvent) => void): ExchangeListener =>
  (event) => {
    switch (event.kind) {
      case 'presence':
      case 'refused':
      case 'unreached':
      case 'invited':
      case 'adopted':
      case 'let_go':
        return;
      default:
        listener(event);
    }
  };
