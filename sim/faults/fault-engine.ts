/**
 * The engine of message faults. It carries each message between a device and the exchange, and applies the rules of the
 * faults. Worlds differ only in their clock, their latency, and the two ends of a message's way.
 */
import { type Answer, type Fate, type Message, type MessageRule, textOf } from './message.ts';

/** The clock of a link, in milliseconds. */
export interface LinkClock {
  now(): number;
  after(ms: number, run: () => void): void;
}

export interface FaultEngineOptions {
  readonly clock: LinkClock;
  /** The time that each message takes, in milliseconds. Without latency and fault, it arrives at once. Default: 0. */
  readonly latencyMs?: number;
  /** Observes each message and its fate, before it is carried. */
  readonly noted?: (message: Message, fate: Fate) => void;
}

/** The end of a message's way. */
export interface Arrival {
  /** The direction of the connection that carries it. Absent for a request, which has a connection of its own. */
  readonly lane?: Lane;
  arrive(text: string): void;
  /** Called when the message never arrives. */
  lost?(): void;
  /** Called when another answer replaces the message or answers it. */
  answered?(answer: Answer): void;
}

/** One direction of one connection. Its messages keep their order: each one waits for delayed ones before it. */
export class Lane {
  readonly #queue: { isDue: boolean; readonly deliver: () => void }[] = [];
  /** The arrival of the last message, by the clock of the link. */
  #last = Number.NEGATIVE_INFINITY;

  /** Delivers after `ms` milliseconds, and after all earlier messages. At once when there is nothing to wait for. */
  pass(clock: LinkClock, ms: number, deliver: () => void): void {
    const now = clock.now();
    this.#last = Math.max(this.#last, now + ms);
    const wait = this.#last - now;
    if (wait <= 0 && this.#queue.length === 0) return deliver();
    const message = { isDue: wait <= 0, deliver };
    this.#queue.push(message);
    if (message.isDue) return undefined;
    // Timers of a real clock that are due together may run in any order.
    return clock.after(wait, () => {
      message.isDue = true;
      while (this.#queue[0]?.isDue) this.#queue.shift()?.deliver();
    });
  }
}

/** A message that waits until others have passed. */
interface Waiting {
  readonly rule: MessageRule;
  readonly message: Message;
  readonly release: () => void;
  behind: number;
}

export class FaultEngine {
  readonly #clock: LinkClock;
  readonly #latencyMs: number;
  readonly #noted: (message: Message, fate: Fate) => void;
  readonly #rules = new Set<MessageRule>();
  readonly #waiting = new Set<Waiting>();

  constructor({ clock, latencyMs = 0, noted = () => undefined }: FaultEngineOptions) {
    this.#clock = clock;
    this.#latencyMs = latencyMs;
    this.#noted = noted;
  }

  /** Adds a rule. The first rule that applies to a message decides. Returns a function that removes the rule. */
  add(rule: MessageRule): () => void {
    this.#rules.add(rule);
    return () => {
      this.#rules.delete(rule);
      for (const waiting of this.#waiting) if (waiting.rule === rule) this.#release(waiting);
    };
  }

  /** Removes every rule. */
  clear(): void {
    this.#rules.clear();
    for (const waiting of this.#waiting) this.#release(waiting);
  }

  /** Carries a message to its end, according to its fate. */
  carry(message: Message, { arrive, lost, answered, lane = new Lane() }: Arrival): void {
    const [fate, rule] = this.#fateOf(message);
    this.#noted(message, fate);
    const inOrder = (ms: number, run: () => void) => lane.pass(this.#clock, this.#latencyMs + ms, run);
    const normally = () => inOrder(0, () => arrive(message.text));
    if (fate === undefined) normally();
    else if (fate === 'drop') this.#later(0, () => lost?.());
    else if ('delayMs' in fate) {
      if (fate.inOrder) inOrder(fate.delayMs, () => arrive(message.text));
      else this.#later(fate.delayMs, () => arrive(message.text));
    } else if ('text' in fate) inOrder(0, () => arrive(fate.text));
    else if ('answer' in fate) {
      this.#later(0, () => (answered ? answered(fate.answer) : arrive(textOf(fate.answer))));
    } else if ('copies' in fate) for (let copy = 0; copy < fate.copies; copy += 1) normally();
    else if ('againAfterMs' in fate) {
      normally();
      this.#later(fate.againAfterMs, () => arrive(message.text));
    } else if (rule) this.#waiting.add({ rule, message, release: normally, behind: fate.behind + 1 });
    this.#countPassed(message);
  }

  /** Runs after the latency and `ms` milliseconds, whatever was sent before. */
  #later(ms: number, run: () => void): void {
    const wait = this.#latencyMs + ms;
    if (wait > 0) this.#clock.after(wait, run);
    else run();
  }

  /** Counts a message that has passed, and releases those that waited for it. */
  #countPassed({ device, direction, via }: Message): void {
    for (const waiting of this.#waiting) {
      const { message } = waiting;
      if (message.device !== device || message.direction !== direction || message.via !== via) continue;
      waiting.behind -= 1;
      if (waiting.behind === 0) this.#release(waiting);
    }
  }

  #release(waiting: Waiting): void {
    if (this.#waiting.delete(waiting)) waiting.release();
  }

  #fateOf(message: Message): readonly [Fate, MessageRule?] {
    for (const rule of this.#rules) {
      const fate = rule(message);
      if (fate !== undefined) return [fate, rule];
    }
    return [undefined];
  }
}
