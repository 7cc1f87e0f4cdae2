/** What goes wrong between a client and the exchange, as its script says. */
import type { Fault, StruckFault } from './format/tree.ts';

/** What becomes of a message; undefined where nothing special does. */
export type Fate = 'drop' | { readonly delayMs: number } | { readonly refuseWith: number } | undefined;

/** `up` is from the client to the exchange. */
export type Direction = 'up' | 'down';

/** The faults one client meets: each counts this client's messages alone. */
export class MessageFaults {
  readonly #faults: readonly { readonly struck: StruckFault; met: number }[];

  constructor(faults: readonly StruckFault[]) {
    this.#faults = faults.map((struck) => ({ struck, met: 0 }));
  }

  /** What becomes of the next message of this name: the first fault that strikes it decides. */
  fateOf(direction: Direction, name: string): Fate {
    for (const one of this.#faults) {
      const { fault, first, nth } = one.struck;
      if (!concerns(fault, direction, name)) continue;
      one.met += 1;
      if (first !== undefined && one.met > first) continue;
      if (nth !== undefined && one.met !== nth) continue;
      return fateBy(fault);
    }
    return undefined;
  }
}

function concerns(fault: Fault, direction: Direction, name: string): boolean {
  if (fault.cmd !== name) return false;
  if (fault.kind === 'refuse' || fault.from !== undefined) return direction === 'up';
  return fault.to === undefined || direction === 'down';
}

function fateBy(fault: Fault): Fate {
  switch (fault.kind) {
    case 'drop':
      return 'drop';
    case 'delay':
      return { delayMs: fault.by };
    case 'refuse':
      return { refuseWith: fault.code };
    default:
      return fault satisfies never;
  }
}
