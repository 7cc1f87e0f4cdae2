/** The calls of a recording so far: the participants of each, and what each side knows. */
import type { Command, Payload } from './facts.ts';

/** One side of a call at one device. */
export interface Leg {
  readonly device: string;
  /** The media that this side has on, by its last message. At first by its dial or its accept. */
  readonly on: { audio: boolean; video: boolean };
  /** The media states that this side has sent since the call was established. */
  readonly reportedMedia: Set<'audio' | 'video'>;
  /** The media states of the other side, as this side knows them. */
  readonly remote: { audio: boolean; video: boolean };
  holds: boolean;
  /** Whether this side has sent an offer or an answer. */
  isDescribed?: true;
  connectedAt?: number;
  /**
   * When the call was over on this side, and the cause: its own command, a signal of the exchange, or a refused
   * accept.
   */
  over?: { readonly at: number; readonly how: 'own' | 'notified' | 'refused' };
}

export interface CallStory {
  readonly id: string;
  readonly dial: Command;
  /** The user who is called. */
  readonly callee: string;
  readonly legs: Map<string, Leg>;
  /** Whether a device of the callee reported ringing. */
  rang?: true;
  /** The accept that succeeded. */
  accept?: Command;
  /** The command that ended the call. */
  ending?: Command;
}

export class Calls {
  readonly #calls = new Map<string, CallStory>();

  get all(): readonly CallStory[] {
    return [...this.#calls.values()];
  }

  get(id: string): CallStory | undefined {
    return this.#calls.get(id);
  }

  add(call: CallStory): void {
    this.#calls.set(call.id, call);
  }

  /** Returns the calls that are not over for this device, except one. */
  othersOf(device: string, id: string): CallStory[] {
    return this.all.filter((call) => {
      const leg = call.legs.get(device);
      return call.id !== id && leg !== undefined && leg.over === undefined;
    });
  }
}

/** Returns the leg of a device. Creates it if there is none. */
export function legOf(call: CallStory, device: string, on = { audio: true, video: true }): Leg {
  const known = call.legs.get(device);
  if (known) return known;
  const leg: Leg = {
    device,
    on: { ...on },
    reportedMedia: new Set(),
    remote: { audio: true, video: true },
    holds: false,
  };
  call.legs.set(device, leg);
  return leg;
}

/** Returns the media that the constraints of a dial or an accept turn on. */
export function wantedMedia(constraints: unknown): { audio: boolean; video: boolean } {
  const { audio, video } = (typeof constraints === 'object' && constraints !== null ? constraints : {}) as Payload;
  return { audio: audio !== false, video: video !== false };
}

/** Returns whether a side holds the call. */
export const isHeld = (call: CallStory): boolean => [...call.legs.values()].some(({ holds }) => holds);
