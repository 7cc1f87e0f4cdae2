import { sql, type Transaction } from 'kysely';
import type { CallEvent } from '../../exchange/calls/call-event.ts';
import type { CallingService } from '../calling-service.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { ProductParts } from '../parts.ts';
import { findSides } from '../people/sides.ts';
import { pairOf } from './chat.ts';

type Dependencies = Pick<ProductParts, 'database' | 'chat' | 'log'>;
type Ended = Extract<CallEvent, { kind: 'ended' }>;

/** The number of messages among which an earlier note of the same call is looked for. */
const LATEST = 50;

/**
 * Writes every call that has ended into the chat of its two users, in the order of the ends, with its result and
 * duration. Two nodes of a cluster may both see the end of a call that moved, and one of them writes it.
 */
export class CallNotes {
  readonly #parts: Dependencies;
  readonly #isInCluster: boolean;
  readonly #stop: () => void;
  /** The last write for each pair of users: the notes of one chat are in the order of the ends. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(parts: Dependencies, calling: Pick<CallingService, 'subscribe'>, isInCluster: boolean) {
    this.#parts = parts;
    this.#isInCluster = isInCluster;
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
    const { database, chat } = this.#parts;
    if (caller === callee) return;
    const { endResult: end_result, duration: duration_ms, endedAt } = record;
    const appended = await database.transact(async (transaction) => {
      // The exchange also knows users without an account. A call between blocked users is not written.
      const sides = await findSides(transaction, caller, callee);
      if (!sides || sides.isBlocked) return null;
      if (this.#isInCluster && (await this.#isWritten(transaction, { callId, caller, callee }))) return null;
      return chat.append(transaction, {
        from: caller,
        to: callee,
        type: 'call',
        data: { call_id: callId, is_video_call: isVideoCall, end_result, duration_ms },
        at: endedAt,
      });
    });
    if (appended) await chat.publish(appended);
  }

  /** Returns whether another node has written the call. Other writes of the call wait until the transaction ends. */
  async #isWritten(
    transaction: Transaction<Tables>,
    { callId, caller, callee }: Pick<Ended, 'callId' | 'caller' | 'callee'>,
  ): Promise<boolean> {
    await this.#parts.database.lock(transaction, `note of ${callId}`);
    const note = await transaction
      .selectFrom('ringback_messages as message')
      .innerJoin('ringback_channels as channel', 'channel.channel_url', 'message.channel_url')
      .where('channel.pair', '=', pairOf(caller, callee))
      .where('message.seq', '>', sql<number>`channel.last_seq - ${LATEST}`)
      .where('message.type', '=', 'call')
      .where('message.data', 'like', `%${JSON.stringify(callId)}%`)
      .select('message.seq')
      .executeTakeFirst();
    return note !== undefined;
  }
}
