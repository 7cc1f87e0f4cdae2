import type { Logger } from '../logging/log.ts';
import type { CallRegistry } from './call-registry.ts';
import { DirectCall } from './direct-call.ts';

const isHeldHere = (call: DirectCall): boolean => DirectCall.leg(call).hold.isHeldHere;

/** The rule about a user's other calls (§5): a call that is dialled or accepted holds them or ends them. */
export class OtherCalls {
  readonly #registry: CallRegistry;
  readonly #log: Pick<Logger, 'debug'>;
  /** Calls that cannot be held yet, each with the calls that it has to make room for once it is established. */
  readonly #due = new WeakMap<DirectCall, Set<DirectCall>>();

  constructor(registry: CallRegistry, log: Pick<Logger, 'debug'>) {
    this.#registry = registry;
    this.#log = log;
  }

  /**
   * Holds or ends every call but this one. Of the calls that cannot be held yet, one that rings rings on, and one that
   * dials or is being accepted is held as soon as it is established.
   */
  holdOrEndOthers(call: DirectCall, hold: boolean): void {
    this.#due.delete(call);
    for (const other of this.#registry.all()) {
      if (other === call || other.isEnded) continue;
      if (!hold) other.end();
      else if (!other.isOngoing) this.#due.set(other, (this.#due.get(other) ?? new Set()).add(call));
      else if (!isHeldHere(other)) this.#hold(other);
    }
  }

  /** Holds a call that has just been established, where one of those it has to make room for lives and is not held. */
  established(call: DirectCall): void {
    const others = [...(this.#due.get(call) ?? [])];
    this.#due.delete(call);
    if (others.some((other) => !other.isEnded && !isHeldHere(other))) this.#hold(call);
  }

  /**
   * Tells whether a call other than this one is under way and not held here. One that only its other side holds counts:
   * that side may let go at any time.
   */
  isActiveBeside(call: DirectCall): boolean {
    return this.#registry.all().some((other) => other !== call && other.isOngoing && !isHeldHere(other));
  }

  endBeside(call: DirectCall): void {
    for (const other of this.#registry.all()) if (other !== call) other.end();
  }

  #hold(call: DirectCall): void {
    call.hold().catch((error: unknown) => this.#log.debug('the hold was refused', { error }));
  }
}
