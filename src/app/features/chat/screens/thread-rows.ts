import type { Message } from '../../../../protocol/product/chat.ts';
import type { Unsent } from '../outbox.ts';
import type { ReadyThread } from './thread.ts';

/** What a message of one's own tells of its way. */
export type Status = 'waiting' | 'failed' | 'sent' | 'delivered' | 'read';

/** One message of a chat, with what stands above it. */
export interface ThreadRow {
  /** Stays the same when what was written here comes back from the server. */
  readonly key: string;
  /** One of the two is there. */
  readonly message: Message | null;
  readonly unsent: Unsent | null;
  readonly at: number;
  readonly isMine: boolean;
  /** The first or the last of several that one person said within a few minutes. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Of one's own messages alone. */
  readonly status: Status | null;
  /** A day begins with it. */
  readonly isNewDay: boolean;
  /** How many are not read, where it is the first of them. */
  readonly unread: number | null;
}

/** What one person says within this time belongs together. */
const TOGETHER_MS = 5 * 60_000;

type Parts = Pick<ReadyThread, 'messages' | 'unsent' | 'readWhenOpened' | 'channel'>;

/** The rows of a chat, oldest first. @param dayOf - the day of a moment, as the reader's calendar has it. */
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
