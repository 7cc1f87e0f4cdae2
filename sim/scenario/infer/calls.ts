/** The calls of a recording, as far as they have come: who is in each, and what each side knows. */
import type { Command } from './facts.ts';

/** One side of a call at one device. */
export interface Leg {
  readonly device: string;
  /** What is on, as this side last said: at first by its dial or its accept. */
  readonly on: { audio: boolean; video: boolean };
  /** What this side has told since the call was established. */
  readonly told: Set<'audio' | 'video'>;
  /** What is known here of the other side. */
  readonly remote: { audio: boolean; video: boolean };
  holds: boolean;
  connectedAt?: number;
  /** When the call was over here, and by what: an own command, what the exchange told, an accept that it refused. */
  over?: { readonly at: number; readonly how: 'own' | 'told' | 'refused' };
}

export interface CallStory {
  readonly id: string;
  readonly dial: Command;
  /** The user who is called. */
  readonly callee: string;
  readonly legs: Map<string, Leg>;
  /** A device of the callee said that it rings. */
  rang?: true;
  /** The accept that was taken. */
  accept?: Command;
  /** The command that ended it. */
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

  /** The calls that are not over for this device, but for one. */
  othersOf(device: string, id: string): CallStory[] {
    return this.all.filter((call) => {
      const leg = call.legs.get(device);
      return call.id !== id && leg !== undefined && leg.over === undefined;
    });
  }
}

/** The leg of a device, made where there is none. */
export function legOf(call: CallStory, device: string, on = { audio: true, video: true }): Leg {
  const known = call.legs.get(device);
  if (known) return known;
  const leg: Leg = {
    device,
    on: { ...on },
    told: new Set(),
    remote: { audio: true, video: true },
    holds: false,
  };
  call.legs.set(device, leg);
  return leg;
}

/** Whether anyone holds the call. */
export const isHeld = (call: CallStory): boolean => [...call.legs.values()].some(({ holds }) => holds);
