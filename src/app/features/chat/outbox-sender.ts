import type { Message, NewMessage } from '../../../protocol/product/chat.ts';
import type { Clock, Timer } from '../../../common/clock.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { Connectivity } from '../../../common/connectivity.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { ProductError } from '../../core/product/product-error.ts';
import type { Unsent } from './unsent.ts';

/** A sender of messages, one at a time. */
export interface OutboxSender {
  /** Sends the waiting messages while the network is available. */
  flush(): void;
  /** Stops sending. The answer to a request under way has no effect. */
  stop(): void;
}

interface Dependencies {
  readonly product: Pick<ProductClient, 'ask'>;
  readonly connectivity: Pick<Connectivity, 'isOnline'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns the first waiting message. Undefined without one. */
  next(): Unsent | undefined;
  /** Handles a message that the server has accepted. */
  onSent(one: Unsent, message: Message): void;
  /** Handles a message that the server refuses. The sender does not retry it. */
  onRefused(one: Unsent, error: unknown): void;
}

const RETRY_MS = 3_000;

export function createOutboxSender(outside: Dependencies): OutboxSender {
  const { clock, next, product } = outside;
  /** Increases with each stop, so that a late answer has no effect. */
  let generation = 0;
  let isSending = false;
  let retry: Timer | undefined;

  async function send(): Promise<void> {
    if (isSending || !outside.connectivity.isOnline()) return;
    const mine = generation;
    isSending = true;
    retry?.cancel();
    retry = undefined;
    for (let one = next(); one !== undefined; one = next()) {
      try {
        const message = await product.ask('sendMessage', {
          params: { channel_url: one.channelUrl },
          body: await bodyOf(one, product),
        });
        if (mine !== generation) return;
        outside.onSent(one, message);
      } catch (error) {
        if (mine !== generation) return;
        const wait = waitAfter(error);
        if (wait !== null) {
          retry = clock.after(wait, flush);
          break;
        }
        outside.logger.warn('a message was refused', error);
        outside.onRefused(one, error);
      }
    }
    isSending = false;
  }

  function flush(): void {
    void send();
  }

  return {
    flush,
    stop() {
      generation += 1;
      isSending = false;
      retry?.cancel();
      retry = undefined;
    },
  };
}

/** Uploads the file of a message, and returns the body of its request. */
async function bodyOf({ clientId: client_id, said }: Unsent, product: Pick<ProductClient, 'ask'>): Promise<NewMessage> {
  if (said.type === 'text') return { client_id, type: 'text', text: said.text };
  const { media_id } = await product.ask('uploadMedia', { query: { for: 'chat' }, body: said.file });
  if (said.type === 'photo') return { client_id, type: 'photo', media_id };
  return { client_id, type: 'voice', media_id, duration_ms: Math.round(said.durationMs) };
}

/** Returns the milliseconds until the next attempt. Returns null when another attempt would also fail. */
function waitAfter(error: unknown): number | null {
  if (!(error instanceof ProductError)) return null;
  if (error.kind === 'unreachable' || (error.status ?? 0) >= 500) return RETRY_MS;
  if (error.refusal?.code === 'too_many') return (error.refusal.retry_after ?? 1) * 1_000;
  return null;
}
