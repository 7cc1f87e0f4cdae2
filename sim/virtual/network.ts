import type { VirtualClock } from './clock.ts';
import type { ExchangeDoor } from './exchange-door.ts';
import { NetworkAttachment } from './network-attachment.ts';
import {
  type Arrival,
  type Carrier,
  type Fate,
  LATENCY_MS,
  type Rule,
  textOf,
  type TraceLine,
  type Transit,
} from './transit.ts';

/** A message that waits until others have passed. */
interface Waiting {
  readonly rule: Rule;
  readonly message: Transit;
  readonly go: () => void;
  behind: number;
}

/** The network of a world: any number of devices and one exchange, in one process and on one clock. */
export class VirtualNetwork implements Carrier {
  readonly clock: VirtualClock;
  readonly door: ExchangeDoor;
  /** Every message sent, in order. */
  readonly trace: TraceLine[] = [];
  readonly #start: number;
  readonly #rules = new Set<Rule>();
  readonly #waiting = new Set<Waiting>();

  constructor(clock: VirtualClock, door: ExchangeDoor) {
    this.clock = clock;
    this.door = door;
    this.#start = clock.now();
  }

  /** Connects a device. */
  attach(device: string): NetworkAttachment {
    return new NetworkAttachment(this, device);
  }

  /** Adds a rule. The first rule that applies to a message decides. Returns a function that removes the rule. */
  rule(rule: Rule): () => void {
    this.#rules.add(rule);
    return () => {
      this.#rules.delete(rule);
      for (const waiting of this.#waiting) if (waiting.rule === rule) this.#go(waiting);
    };
  }

  /** Loses the next `times` messages of a type in a direction. Returns a function that removes the rule. */
  drop(type: string, direction: Transit['direction'], times = 1): () => void {
    let left = times;
    return this.rule((message) => {
      if (message.type !== type || message.direction !== direction || left === 0) return undefined;
      left -= 1;
      return 'drop';
    });
  }

  carry(message: Transit, { arrive, lost, answered, lane }: Arrival): void {
    const [fate, rule] = this.#fateOf(message);
    this.trace.push({ ...message, at: this.clock.now() - this.#start, dropped: fate === 'drop', fate });
    const later = (ms: number, run: () => void) => void this.clock.after(LATENCY_MS + ms, run);
    const behind = (ms: number, run: () => void) => {
      const now = this.clock.now();
      later((lane?.arrival(now + ms) ?? now + ms) - now, run);
    };
    const usual = () => behind(0, () => arrive(message.text));
    if (fate === undefined) usual();
    else if (fate === 'drop') later(0, () => lost?.());
    else if ('delayMs' in fate) (fate.inOrder ? behind : later)(fate.delayMs, () => arrive(message.text));
    else if ('text' in fate) behind(0, () => arrive(fate.text));
    else if ('answer' in fate) later(0, () => (answered ? answered(fate.answer) : arrive(textOf(fate.answer))));
    else if ('copies' in fate) for (let copy = 0; copy < fate.copies; copy += 1) usual();
    else if ('againAfterMs' in fate) {
      usual();
      later(fate.againAfterMs, () => arrive(message.text));
    } else if (rule) this.#waiting.add({ rule, message, go: usual, behind: fate.behind + 1 });
    this.#letPass(message);
  }

  /** Counts a message that has passed, and releases those that waited for it. */
  #letPass({ device, direction, via }: Transit): void {
    for (const waiting of this.#waiting) {
      const { message } = waiting;
      if (message.device !== device || message.direction !== direction || message.via !== via) continue;
      waiting.behind -= 1;
      if (waiting.behind === 0) this.#go(waiting);
    }
  }

  #go(waiting: Waiting): void {
    if (this.#waiting.delete(waiting)) waiting.go();
  }

  #fateOf(message: Transit): readonly [Fate, Rule?] {
    for (const rule of this.#rules) {
      const fate = rule(message);
      if (fate !== undefined) return [fate, rule];
    }
    return [undefined];
  }
}
