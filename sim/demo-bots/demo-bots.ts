import type { Clock } from '../../src/common/clock.ts';
import { DEMO_BOTS } from '../../fixtures/demo-bots.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Ids, Link } from '../exchange/ports.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Product } from '../product/product.ts';
import { askerOf, Bot } from './bot.ts';

export interface DemoBotsOptions {
  readonly product: Pick<Product, 'http' | 'socket' | 'isHere'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Log;
  /** Returns whether the bots of this node answer. One node of a cluster does. Default: they answer. */
  readonly answers?: () => boolean;
  /** Makes a simulated user start a video call to another user. */
  readonly dial: (uId: string, calleeId: string) => void;
}

/**
 * The simulated users of the demo world who answer messages. They sign in as a page does, and need the login of demo
 * mode.
 */
export class DemoBots {
  readonly #options: DemoBotsOptions;
  readonly #bots = new Map<string, Bot>();
  #isClosed = false;

  constructor(options: DemoBotsOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    await Promise.all(Object.keys(DEMO_BOTS).map((uId) => this.#start(uId)));
  }

  close(): void {
    this.#isClosed = true;
    for (const bot of this.#bots.values()) bot.close();
  }

  async #start(uId: string): Promise<void> {
    const { answers = () => true, product, clock, ids, log, dial } = this.#options;
    const manner = DEMO_BOTS[uId]?.chat ?? 'away';
    if (manner === 'away') return;
    const token = await signIn(product, uId);
    const reconnect = () => this.#reconnect(uId);
    const bot = new Bot({
      uId,
      manner,
      clock,
      ids,
      log,
      isTaken: () => !answers() || product.isHere(uId),
      dial: (calleeId) => dial(uId, calleeId),
      product: {
        ask: askerOf((method, path, body) => product.http(requestOf(method, path, body, token))),
        async listen(receive) {
          const link: Link = { send: receive, close: reconnect };
          const socket = await product.socket('/ws/events', token, null, link);
          if ('status' in socket) throw new Error(`${uId} cannot listen: ${socket.message}`);
          return () => socket.closed();
        },
      },
    });
    this.#bots.set(uId, bot);
    await bot.open();
  }

  /** Signs a simulated user in again when the session has ended, as a page would. */
  #reconnect(uId: string): void {
    this.#bots.get(uId)?.close();
    if (this.#isClosed) return;
    this.#start(uId).catch((error: unknown) =>
      this.#options.log.warn('a simulated user could not sign in again', { user: uId, error }),
    );
  }
}

async function signIn(product: Pick<Product, 'http'>, uId: string): Promise<string> {
  const ask = askerOf((method, path, body) => product.http(requestOf(method, path, body)));
  return (await ask('login', { body: { user_id: uId } })).token;
}

const requestOf = (method: string, path: string, body: unknown, token?: string): HttpRequest => ({
  method,
  path,
  query: {},
  // A person who signs in as a simulated user sees the bot in the list of sessions.
  address: '',
  headers: { 'user-agent': 'RingbackDemo/1', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  body,
});
