import type { CallEvent } from '../../exchange/calls/call-event.ts';
import type { CallingService } from '../calling-service.ts';
import type { ProductParts } from '../parts.ts';

type Dependencies = Pick<ProductParts, 'database' | 'accounts' | 'blocks' | 'chat' | 'log'>;
type Ended = Extract<CallEvent, { kind: 'ended' }>;

/**
 * Writes every call that has ended into the chat of its two users, in the order of the ends, with its result and
 * duration.
 */
export class CallNotes {
  readonly #parts: Dependencies;
  readonly #stop: () => void;
  /** The last write for each pair of users: the notes of one chat are in the order of the ends. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(parts: Dependencies, calling: Pick<CallingService, 'subscribe'>) {
    this.#parts = parts;
    this.#stop = calling.subscribe((event) => {
      if (event.kind !== 'ended') return;
      this.#writeAfterOthers(event);
    });
  }

  /** Resolves when every call that has ended is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  dispose(): void {
    this.#stop();
  }

  #writeAfterOthers(event: Ended): void {
    const chat = JSON.stringify([event.caller, event.callee].toSorted());
    const written = (this.#writes.get(chat) ?? Promise.resolve())
      .then(() => this.#write(event))
      .catch((error: unknown) => this.#parts.log.error('a call was not written into its chat', { error }))
      .finally(() => {
        if (this.#writes.get(chat) === written) this.#writes.delete(chat);
      });
    this.#writes.set(chat, written);
  }

  async #write({ callId, caller, callee, isVideoCall, record }: Ended): Promise<void> {
    const { database, accounts, blocks, chat } = this.#parts;
    // The exchange also knows users without an account. A call between blocked users is not written.
    const known = await accounts.both(caller, callee);
    if (caller === callee || known.includes(undefined) || (await blocks.isBlocked(caller, callee))) return;
    const { endResult: end_result, duration: duration_ms, endedAt } = record;
    const appended = await database.transact((transaction) =>
      chat.append(transaction, {
        from: caller,
        to: callee,
        type: 'call',
        data: { call_id: callId, is_video_call: isVideoCall, end_result, duration_ms },
        at: endedAt,
      }),
    );
    await chat.publish(appended);
  }
}
