/** The answers of the exchange to actions that the library performs without a result for its host. */
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { PATHS } from '../../../src/protocol/http.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { COMMANDS_OF, isAnsweredOnWire } from '../format/actions.ts';

/** What became of an action. */
export type Answer =
  | { readonly kind: 'done' }
  /** The exchange refused it. */
  | { readonly kind: 'refused'; readonly code: number }
  /** The library gave it up, for example without a network. */
  | { readonly kind: 'given up'; readonly code: number }
  /** The call ended before the exchange answered. */
  | { readonly kind: 'overtaken' };

/** The codes of refusals that say that the call is over, or that another device has it. */
const LATE: readonly number[] = [ErrorCode.ERR_CALL_DOES_NOT_EXIST, ErrorCode.ERR_INVALID_CALL_STATUS];

/** Returns whether a refusal says only that the call had changed before the action arrived. */
export const cameLate = (code: number): boolean => LATE.includes(code);

/** Returns whether a reply to one action may look like a reply to another one. A refusal does not name its call. */
export const haveSameReplies = (one: string, other: string): boolean =>
  isAnsweredOnWire(one) &&
  isAnsweredOnWire(other) &&
  COMMANDS_OF[one].some((command) => COMMANDS_OF[other].some((another) => another === command));

/** What the library logs when an accept fails. */
const ACCEPT_REFUSED = 'the accept was refused';

/** Returns a reader of the events that follow an action. Undefined for an action that needs no reading. */
export function answerReader(action: string, device: string): ((event: TraceEvent) => Answer | undefined) | undefined {
  return isAnsweredOnWire(action) ? new AnswerReader(device, action).read : undefined;
}

class AnswerReader {
  readonly #device: string;
  readonly #isAccept: boolean;
  readonly #acks: ReadonlySet<string>;
  /** The code with which the library logged the refusal of an accept. It may come without a reply. */
  #code: number | undefined;

  constructor(device: string, action: keyof typeof COMMANDS_OF) {
    this.#device = device;
    this.#isAccept = action === 'accept';
    this.#acks = new Set(COMMANDS_OF[action].map((type) => `${type}_ack`));
  }

  /** Reads the next event. Returns the answer when this event decides it. */
  readonly read = (event: TraceEvent): Answer | undefined => {
    if (!('device' in event) || event.device !== this.#device) return undefined;
    switch (event.kind) {
      case 'message':
        return event.direction === 'down' && event.fate !== 'dropped'
          ? this.#replied(event.cmd, event.error)
          : undefined;
      case 'http': {
        if (event.direction === 'up' || event.fate === 'dropped' || !event.request.endsWith(PATHS.action))
          return undefined;
        const { type, error } = event.body as { type?: unknown; error?: { code?: unknown } };
        return this.#replied(String(type), typeof error?.code === 'number' ? error.code : undefined);
      }
      case 'error':
        if (event.message.includes(ACCEPT_REFUSED)) this.#code = event.code;
        return undefined;
      case 'state':
        return event.machine === 'call' ? this.#moved(event.from, event.to) : undefined;
      default:
        return undefined;
    }
  };

  #replied(type: string, error: number | undefined): Answer | undefined {
    if (!this.#acks.has(type)) return undefined;
    if (error !== undefined) return { kind: 'refused', code: error };
    // The call is established when the library has read the reply, or the first offer.
    return this.#isAccept ? undefined : { kind: 'done' };
  }

  #moved(from: string, to: string): Answer | undefined {
    if (this.#isAccept && from === 'accepting') {
      if (to === 'established') return { kind: 'done' };
      return this.#code === undefined ? { kind: 'overtaken' } : { kind: 'given up', code: this.#code };
    }
    // The library sends nothing about a call that the exchange does not know yet.
    return !this.#isAccept && from === 'aborted' ? { kind: 'done' } : undefined;
  }
}
