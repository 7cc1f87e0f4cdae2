import type { Transaction } from 'kysely';
import type * as v from 'valibot';
import type { Message, newMessage } from '../../../src/protocol/product/chat.ts';
import { SHARED_BUDGETS } from '../../budgets/product-budgets.ts';
import { limitsBy } from '../../budgets/rate-limits.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { keepBoth } from '../accounts/hold-account.ts';
import type { Me } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { refuseTooMany, Refusal } from '../refusal.ts';
import type { Channels } from './channels.ts';
import { type Appended, type MessageContent, messageOf } from './chat.ts';

type Needs = Pick<
  ProductParts,
  'database' | 'clock' | 'rateLimits' | 'accounts' | 'blocks' | 'chat' | 'charges' | 'wallets' | 'media'
>;

type NewMessage = v.InferOutput<typeof newMessage>;
/** The messages that users write themselves. */
type Written = Extract<MessageContent, { type: 'text' | 'photo' | 'voice' }>;

/** The sender counts messages, since a message that is sent again is not a new one. */
const MESSAGES = limitsBy('message', SHARED_BUDGETS.message, 'account');

/** The sending of messages that users write: the permission, the cost, and that each is sent once. */
export class MessageSender {
  readonly #parts: Needs;
  readonly #channels: Channels;

  constructor(parts: Needs, channels: Channels) {
    this.#parts = parts;
    this.#channels = channels;
  }

  /**
   * Sends a message. One that was sent before is returned as it is.
   *
   * @throws Refusal `not_found`, `blocked`, `invalid`, `insufficient_coins`, or that of the rate limit.
   */
  async send({ uId, genderType }: Me, channelUrl: string, body: NewMessage): Promise<Message> {
    const { database, clock, rateLimits, accounts, chat, wallets } = this.#parts;
    const { companion } = await this.#channels.member(uId, channelUrl);
    const { client_id: clientId } = body;
    const known = await this.#sentBefore(uId, clientId, channelUrl);
    if (known) return known;
    await this.refuseUnreachable(uId, companion);
    await refuseTooMany(rateLimits, MESSAGES, uId);
    const content = await this.#contentOf(uId, body);
    const isCharged = genderType === 'man' && (await accounts.find(companion))?.genderType === 'woman';
    const appended = await database.transact(async (transaction) => {
      // Either account may have been closed since the checks above.
      await keepBoth(database, transaction, { uId, other: companion, gone: noSuchUser() });
      // Of two messages with one name, the second waits for the first.
      await database.lock(transaction, `message ${JSON.stringify([uId, clientId])}`);
      const meanwhile = await this.#sentBefore(uId, clientId, channelUrl, transaction);
      if (meanwhile) return meanwhile;
      const at = clock.wallTime();
      const written = await chat.append(transaction, { ...content, from: uId, to: companion, at, clientId });
      return { ...written, cost: isCharged ? await this.#charge(transaction, content.type, written) : 0 };
    });
    if (!('message' in appended)) return appended;
    await chat.publish(appended);
    if (appended.cost > 0) await wallets.publish(uId, companion);
    return appended.message;
  }

  /** @throws Refusal `not_found` when the other user is gone or suspended, `blocked` when one has blocked the other. */
  async refuseUnreachable(uId: string, other: string): Promise<void> {
    const { accounts, blocks } = this.#parts;
    const companion = await accounts.find(other);
    if (!companion || companion.isSuspended) throw noSuchUser();
    if (await blocks.isBlocked(uId, other)) throw new Refusal('blocked', 'One of the two users has blocked the other.');
  }

  /**
   * Charges a man's message to a woman in the transaction of the message. @returns the coins. @throws Refusal
   * `insufficient_coins`.
   */
  #charge(
    transaction: Transaction<Tables>,
    kind: Written['type'],
    { message: { channel_url, seq, from, at }, to, sent: count }: Appended,
  ): Promise<number> {
    return this.#parts.charges.message(transaction, {
      man: from,
      woman: to,
      channelUrl: channel_url,
      kind,
      sent: count,
      messageId: `${channel_url}.${seq}`,
      at,
    });
  }

  async #contentOf(uId: string, body: NewMessage): Promise<Written> {
    const { media } = this.#parts;
    if (body.type === 'text') return { type: 'text', data: { text: body.text } };
    const [file] = await media.ofOwner(uId, [body.media_id]);
    if (file?.kind !== body.type) {
      throw new Refusal('invalid', `media_id must be a ${body.type} that this user has uploaded.`, {
        field: 'media_id',
      });
    }
    const { width, height } = file;
    const url = media.plainUrl(file.media_id);
    return body.type === 'photo'
      ? { type: 'photo', data: { url, width: width ?? 0, height: height ?? 0 } }
      : { type: 'voice', data: { url, duration_ms: body.duration_ms } };
  }

  async #sentBefore(
    uId: string,
    clientId: string,
    channelUrl: string,
    from: Database['db'] = this.#parts.database.db,
  ): Promise<Message | undefined> {
    const row = await from
      .selectFrom('ringback_messages')
      .where('sender', '=', uId)
      .where('client_id', '=', clientId)
      .selectAll()
      .executeTakeFirst();
    if (row && row.channel_url !== channelUrl) {
      throw new Refusal('invalid', 'This user has used the client_id in another channel.', { field: 'client_id' });
    }
    return row && messageOf(row, this.#parts.media);
  }
}

export const noSuchUser = (): Refusal => new Refusal('not_found', 'No user with this id can be messaged.');
