import type { Clock } from '../../src/common/clock.ts';
import * as v from 'valibot';
import { ASKS_FOR_A_CALL, CALLING_NOW, REPLIES, type ChatManner } from '../../fixtures/demo-bots.ts';
import { PRODUCT_API, type AskOf, type EndpointName, type ProductAnswer } from '../../src/protocol/product/api.ts';
import type { Message } from '../../src/protocol/product/chat.ts';
import { eventFrame } from '../../src/protocol/product/event-frames.ts';
import { productEvent } from '../../src/protocol/product/events.ts';
import type { Ids } from '../exchange/ports.ts';
import type { Log } from '../exchange/logging/log.ts';

/** The product as a signed-in user. */
export interface ProductAsUser {
  ask<Name extends EndpointName>(name: Name, asked: AskOf<Name>): Promise<ProductAnswer<Name>>;
  /** Receives the events of the user, frame by frame. Returns the function that stops. */
  listen(receive: (frame: string) => void): Promise<() => void>;
}

export interface BotOptions {
  readonly uId: string;
  readonly manner: ChatManner;
  readonly product: ProductAsUser;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Pick<Log, 'warn'>;
  /** Whether a person is signed in as this user. The bot then does nothing. */
  readonly isTaken: () => boolean;
  /** Starts a video call to a user. */
  readonly dial: (uId: string) => void;
}

/** The delays from the message to its reading, then to the first key, then to the answer. Milliseconds. */
const PACE: Readonly<
  Record<ChatManner, { readonly read: number; readonly think: number; readonly type: number } | null>
> = {
  quick: { read: 800, think: 700, type: 2_000 },
  slow: { read: 4_000, think: 20_000, type: 6_000 },
  reads: { read: 2_000, think: Infinity, type: Infinity },
  away: null,
};

const HAN = /\p{Script=Han}/u;

/** A simulated user who answers messages. It reads, types and writes by the same requests as a page. */
export class Bot {
  readonly #options: BotOptions;
  readonly #timers = new Set<ReturnType<Clock['after']>>();
  /** The number of answers in each channel. */
  readonly #answered = new Map<string, number>();
  #stop: (() => void) | undefined;
  #isGone = false;

  constructor(options: BotOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const stop = await this.#options.product.listen((frame) => this.#receive(frame));
    if (this.#isGone) stop();
    else this.#stop = stop;
  }

  close(): void {
    this.#isGone = true;
    this.#stop?.();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #receive(frame: string): void {
    const { uId } = this.#options;
    const read = v.safeParse(eventFrame, JSON.parse(frame));
    const event = read.success ? v.safeParse(productEvent, read.output.event) : undefined;
    if (!event?.success || event.output.type !== 'message') return;
    const { message } = event.output;
    if (message.from !== uId && message.type !== 'system') this.#answer(message);
  }

  #answer(message: Message): void {
    const { manner, product, ids, dial } = this.#options;
    const pace = PACE[manner];
    if (pace === null) return;
    const params = { channel_url: message.channel_url };
    this.#after(pace.read, () => product.ask('readMessages', { params, body: { seq: message.seq } }));
    // The message of an ended call needs no answer.
    if (pace.think === Infinity || message.type === 'call') return;
    this.#after(pace.read + pace.think, () => product.ask('typing', { params, body: { typing: true } }));
    this.#after(pace.read + pace.think + pace.type, async () => {
      const { text, isCall } = this.#replyTo(message);
      await product.ask('sendMessage', { params, body: { type: 'text', client_id: ids.uuid(), text } });
      if (isCall) dial(message.from);
    });
  }

  #replyTo(message: Message): { text: string; isCall: boolean } {
    const text = message.type === 'text' ? message.data.text : '';
    const language = text === '' || HAN.test(text) ? 'zh-Hant' : 'en';
    if (ASKS_FOR_A_CALL.test(text)) return { text: CALLING_NOW[language], isCall: true };
    const count = this.#answered.get(message.from) ?? 0;
    this.#answered.set(message.from, count + 1);
    const lines = REPLIES[language];
    return { text: lines[count % lines.length] ?? lines[0], isCall: false };
  }

  #after(ms: number, act: () => Promise<unknown>): void {
    const { clock, isTaken, log, uId } = this.#options;
    const timer = clock.after(ms, () => {
      this.#timers.delete(timer);
      if (isTaken()) return;
      act().catch((error: unknown) => log.warn('a simulated user could not answer', { user: uId, error }));
    });
    this.#timers.add(timer);
  }
}

/** Makes requests of the product over HTTP, as a page does. */
export function askerOf(
  send: (method: string, path: string, body: unknown) => Promise<{ readonly status: number; readonly body: unknown }>,
): ProductAsUser['ask'] {
  return async <Name extends EndpointName>(name: Name, asked: AskOf<Name>) => {
    const { method, path, answer } = PRODUCT_API[name];
    const { params = {}, body } = asked as { params?: Readonly<Record<string, string>>; body?: unknown };
    const asPath = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
    const response = await send(method, asPath, body);
    if (response.status !== 200)
      throw new Error(`${name} failed with status ${response.status}: ${JSON.stringify(response.body)}`);
    return v.parse(answer, response.body);
  };
}
