import type { Message } from '../../../../protocol/product/chat.ts';
import type { Unsent } from '../unsent.ts';
import type { ReadyThread } from './thread-state.ts';

/** The delivery status of a message of the signed-in user. */
export type Status = 'waiting' | 'failed' | 'sent' | 'delivered' | 'read';

/** One message of a chat, with what is shown above it. */
export interface ThreadRow {
  /** The key of the row. It stays the same when an unsent message returns from the server. */
  readonly key: string;
  /** Exactly one of `message` and `unsent` is set. */
  readonly message: Message | null;
  readonly unsent: Unsent | null;
  readonly at: number;
  readonly isMine: boolean;
  /** The first or the last message of a group that one user sent within a few minutes. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Null for messages of the other user. */
  readonly status: Status | null;
  /** True when the message is the first one of its day. */
  readonly isNewDay: boolean;
  /** The number of unread messages, at the first unread message. Null at the others. */
  readonly unread: number | null;
}

/** Messages of one user within this time form a group. */
const TOGETHER_MS = 5 * 60_000;

type Parts = Pick<ReadyThread, 'messages' | 'unsent' | 'readWhenOpened' | 'channel'>;

/**
 * Returns the rows of a chat, oldest first.
 * @param dayOf - returns the day of a time in the time zone of the device.
 */
export function threadRows(parts: Parts, uId: string, dayOf: (at: number) => string): ThreadRow[] {
  const { messages, channel } = parts;
  const known = new Set(messages.map(({ client_id }) => client_id));
  const all = [
    ...messages.map((message) => ({ message, unsent: null, at: message.at, from: message.from })),
    ...parts.unsent
      .filter(({ clientId }) => !known.has(clientId))
      .map((unsent) => ({ message: null, unsent, at: unsent.at, from: uId })),
  ];
  const unread = unreadOf(parts, uId);
  const isTogether = (one: Said | undefined, next: Said | undefined): boolean =>
    one !== undefined &&
    next !== undefined &&
    one.from === next.from &&
    next.at - one.at < TOGETHER_MS &&
    dayOf(one.at) === dayOf(next.at) &&
    next.message?.seq !== unread.first;

  return all.map((one, index): ThreadRow => {
    const { message, unsent, at, from } = one;
    const before = all[index - 1];
    const isMine = from === uId;
    return {
      key:
        message === null
          ? unsent.clientId
          : isMine && message.client_id !== null
            ? message.client_id
            : `${message.seq}`,
      message,
      unsent,
      at,
      isMine,
      isFirst: !isTogether(before, one),
      isLast: !isTogether(one, all[index + 1]),
      status: message === null ? unsent.state : isMine ? statusOf(message, channel) : null,
      isNewDay: before === undefined || dayOf(before.at) !== dayOf(at),
      unread: message !== null && message.seq === unread.first ? unread.count : null,
    };
  });
}

interface Said {
  readonly at: number;
  readonly from: string;
  readonly message: Message | null;
}

function unreadOf({ messages, readWhenOpened }: Parts, uId: string): { first: number | null; count: number } {
  if (readWhenOpened === null) return { first: null, count: 0 };
  const unread = messages.filter(({ from, seq }) => from !== uId && seq > readWhenOpened);
  return { first: unread[0]?.seq ?? null, count: unread.length };
}

function statusOf({ seq }: Message, { companion_read_seq, companion_delivered_seq }: Parts['channel']): Status {
  if (seq <= companion_read_seq) return 'read';
  return seq <= companion_delivered_seq ? 'delivered' : 'sent';
}
