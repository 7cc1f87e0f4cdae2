/** The faults of the messages between a client and the exchange, as its script defines them. */
import type { Fault, StruckFault } from './format/tree.ts';

/** What happens to a message. Undefined: it is passed on unchanged. */
export type Fate = 'drop' | { readonly delayMs: number } | { readonly refuseWith: number } | undefined;

/** The direction of a message. `up` is from the client to the exchange. */
export type Direction = 'up' | 'down';

/** The faults for one client: each counts only this client's messages. */
export class MessageFaults {
  readonly #faults: readonly { readonly struck: StruckFault; met: number }[];

  constructor(faults: readonly StruckFault[]) {
    this.#faults = faults.map((struck) => ({ struck, met: 0 }));
  }

  /** Returns what happens to the next message of this name. The first fault that applies decides. */
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
