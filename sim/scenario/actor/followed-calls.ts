import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { CallError } from '../../../src/protocol/errors.ts';
import { CALL_LISTENERS } from '../format/paths.ts';
import { ActionImpossible } from '../run/world.ts';
import type { Untimed } from '../trace/trace.ts';

/** The calls a person dialled or was called with, one of them in hand, and what the library told of them. */
export class FollowedCalls {
  /** The codes of what was refused. */
  readonly errors: number[] = [];
  /** The listeners that were called, in order. */
  readonly told: string[] = [];
  reconnected = 0;
  /** The recording that was started last. */
  recordingId = '';
  readonly #person: string;
  readonly #note: (event: Untimed) => void;
  readonly #calls: DirectCall[] = [];

  constructor(person: string, note: (event: Untimed) => void) {
    this.#person = person;
    this.#note = note;
  }

  /** The call in hand: the last that was dialled or rang. Undefined before the first. */
  get last(): DirectCall | undefined {
    return this.#calls.at(-1);
  }

  /** The call in hand. @throws ActionImpossible where there is none. */
  get inHand(): DirectCall {
    if (!this.last) throw new ActionImpossible(`${this.#person} has no call`);
    return this.last;
  }

  /** Takes the call before in hand: the one that was put on hold. Returns whether there is one. */
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
