import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { CallError } from '../../../src/protocol/errors.ts';
import { CALL_LISTENERS } from '../format/paths.ts';
import { ActionImpossible } from '../run/world.ts';
import type { Untimed } from '../../../src/trace/events.ts';

/**
 * The calls that a user dialed or received, the current one among them, and the events that the library emitted for
 * them.
 */
export class FollowedCalls {
  /** The codes of refusals. */
  readonly errors: number[] = [];
  /** The listeners that were called, in order. */
  readonly told: string[] = [];
  reconnected = 0;
  /** The id of the last recording that was started. */
  recordingId = '';
  readonly #person: string;
  readonly #note: (event: Untimed) => void;
  readonly #calls: DirectCall[] = [];

  constructor(person: string, note: (event: Untimed) => void) {
    this.#person = person;
    this.#note = note;
  }

  /** The current call: the last that was dialed or rang. Undefined before the first. */
  get last(): DirectCall | undefined {
    return this.#calls.at(-1);
  }

  /** Returns the current call. @throws ActionImpossible when there is none. */
  get inHand(): DirectCall {
    if (!this.last) throw new ActionImpossible(`${this.#person} has no call`);
    return this.last;
  }

  /** Makes the previous call the current one: the one that was put on hold. Returns whether there is one. */
  former(): boolean {
    const hasOther = this.#calls.length > 1;
    const [last] = this.#calls.splice(-1);
    if (last) this.#calls.unshift(last);
    return hasOther;
  }

  rang(call: DirectCall): void {
    this.follow(call);
    this.#tell('onRinging');
  }

  follow(call: DirectCall): void {
    this.#calls.push(call);
    for (const name of CALL_LISTENERS) {
      call[name] = () => {
        if (name === 'onReconnected') this.reconnected += 1;
        this.#tell(name);
      };
    }
  }

  refused({ code, message }: CallError): void {
    this.errors.push(code);
    this.#note({ kind: 'error', device: this.#person, code, message });
  }

  #tell(name: string): void {
    this.told.push(name);
    this.#note({ kind: 'told', device: this.#person, name });
  }
}
