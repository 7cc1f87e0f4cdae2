import type { Logger } from '../logging/log.ts';
import type { CallRegistry } from './call-registry.ts';
import { DirectCall } from './direct-call.ts';

const isHeldHere = (call: DirectCall): boolean => DirectCall.leg(call).hold.isHeldHere;

/** The rule about a user's other calls (§5): a dialled or accepted call holds or ends them. */
export class OtherCalls {
  readonly #registry: CallRegistry;
  readonly #log: Pick<Logger, 'debug'>;
  /** Calls that cannot be held yet, each with the calls for which it is held once it is established. */
  readonly #due = new WeakMap<DirectCall, Set<DirectCall>>();

  constructor(registry: CallRegistry, log: Pick<Logger, 'debug'>) {
    this.#registry = registry;
    this.#log = log;
  }

  /**
   * Holds or ends every other call. A ringing call cannot be held and rings on. A call that dials or is being accepted
   * is held as soon as it is established.
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

  /** Holds a newly established call, when one of the calls that it must yield to lives and is not held. */
  established(call: DirectCall): void {
    const others = [...(this.#due.get(call) ?? [])];
    this.#due.delete(call);
    if (others.some((other) => !other.isEnded && !isHeldHere(other))) this.#hold(call);
  }

  /**
   * Returns whether another call is active and not held here. A call that only its other side holds counts: that side
   * may resume at any time.
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
