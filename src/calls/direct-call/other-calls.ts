import type { Logger } from '../logging/log.ts';
import type { CallRegistry } from './call-registry.ts';
import { DirectCall } from './direct-call.ts';

/** The rule about a user's other calls (§5): a call that becomes active holds them or ends them. */
export class OtherCalls {
  readonly #registry: CallRegistry;
  readonly #log: Pick<Logger, 'debug'>;

  constructor(registry: CallRegistry, log: Pick<Logger, 'debug'>) {
    this.#registry = registry;
    this.#log = log;
  }

  /** Holds or ends every call but this one. A call that still rings is left to ring when the others are held. */
  makeRoom(call: DirectCall | null, hold: boolean): void {
    for (const other of this.#registry.all()) {
      if (other === call || other.isEnded) continue;
      if (!hold) other.end();
      else if (other.isOngoing && !DirectCall.leg(other).hold.isHeldHere) {
        other.hold().catch((error: unknown) => this.#log.debug('the hold was refused', { error }));
      }
    }
  }

  /** Is a call other than this one under way and not on hold? */
  isActiveBeside(call: DirectCall): boolean {
    return this.#registry.all().some((other) => other !== call && other.isOngoing && !other.isOnHold);
  }

  endBeside(call: DirectCall): void {
    for (const other of this.#registry.all()) if (other !== call) other.end();
  }
}
