import { ChevronDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Message } from '../../../../protocol/product/chat.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { useSession, useTicks } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import { MessageRow } from './message-row.tsx';
import styles from './message-list.module.css';
import { messageSummary } from './message-summary.ts';
import type { Thread } from './thread.ts';
import type { ReadyThread } from './thread-state.ts';
import { type ThreadRow, threadRows } from './thread-rows.ts';
import { dayOf } from './times.ts';

/**
 * The distances in pixels: older messages are requested near the start, and the list follows new messages near the end.
 */
const NEAR_START = 600;
const NEAR_END = 48;

/**
 * Lists the messages, latest at the bottom. Renders only those near the view, and keeps the position when older ones
 * load.
 */
export function MessageList({ thread, state }: { thread: Thread; state: ReadyThread }) {
  const { user } = useSession();
  const { minutes } = useTicks();
  const uId = useStore(user.user).uId ?? '';
  const now = useStore(minutes);
  const { messages, unsent, readWhenOpened, channel } = state;
  const rows = useMemo(
    () => threadRows({ messages, unsent, readWhenOpened, channel }, uId, dayOf),
    [messages, unsent, readWhenOpened, channel, uId],
  );
  const { list, isAtEnd, leftAt, isPrepended, followScroll } = useScrolling(thread, state, rows);
  const newOnes = messages.filter(({ seq, from }) => from !== uId && seq > leftAt);
  const name = channel.companion.nickname || channel.companion.u_id;

  return (
    <div className={styles.frame}>
      {/* The rows are not announced, since they change with scrolling. A separate element announces new messages. */}
      <div
        className={styles.scroll}
        role="log"
        aria-live="off"
        aria-label={m.chat_messages_label({ name })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
        tabIndex={0}
      >
        <div className={styles.spacer}>
          {state.isLoadingOlder && <p className={styles.older}>{m.chat_loading_older()}</p>}
        </div>
        <Virtualizer
          ref={list}
          data={rows}
          shift={isPrepended}
          as="ul"
          item="li"
          bufferSize={400}
          onScroll={followScroll}
        >
          {(row) => <MessageRow key={row.key} row={row} companion={state.channel.companion} now={now} uId={uId} />}
        </Virtualizer>
      </div>
      {!isAtEnd && (
        <JumpButton
          count={newOnes.length}
          onJump={() => list.current?.scrollToIndex(rows.length - 1, { align: 'end' })}
        />
      )}
      <Announcement latest={messages.at(-1)} uId={uId} name={name} />
    </div>
  );
}

/**
 * Follows the position of the list. Opens it at the first unread message, keeps its end in view, and marks messages at
 * the end as read.
 */
function useScrolling(thread: Thread, state: ReadyThread, rows: readonly ThreadRow[]) {
  const list = useRef<VirtualizerHandle>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  /** The `seq` of the last message when the user left the end. Later messages are counted. */
  const [leftAt, setLeftAt] = useState(0);
  const firstSeq = state.messages[0]?.seq ?? 0;
  const lastSeq = state.messages.at(-1)?.seq ?? 0;
  const before = useRef({ firstSeq, unsent: state.unsent.length, hasOpened: false });
  const isPrepended = firstSeq < before.current.firstSeq;

  useLayoutEffect(() => {
    const { hasOpened, unsent: unsentBefore } = before.current;
    const unreadAt = rows.findIndex((row) => row.unread !== null);
    if (!hasOpened && unreadAt >= 0) list.current?.scrollToIndex(unreadAt, { align: 'center' });
    else if (!hasOpened || (isAtEnd && !isPrepended) || state.unsent.length > unsentBefore) {
      list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
    }
    before.current = { firstSeq, unsent: state.unsent.length, hasOpened: rows.length > 0 };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows follow from these; `isAtEnd` must not trigger it
  }, [firstSeq, lastSeq, state.unsent.length, state.isTyping]);

  useEffect(() => {
    const look = (): void => {
      if (isAtEnd && document.visibilityState === 'visible') thread.markRead();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [isAtEnd, thread, lastSeq]);

  function followScroll(offset: number): void {
    const handle = list.current;
    if (handle === null) return;
    const isNow = offset + handle.viewportSize >= handle.scrollSize - NEAR_END;
    if (isNow !== isAtEnd) {
      setIsAtEnd(isNow);
      if (!isNow) setLeftAt(lastSeq);
    }
    if (offset < NEAR_START) thread.loadOlder();
  }

  return { list, isAtEnd, leftAt, isPrepended, followScroll };
}

/** Announces a message of the other user that arrived after the chat was opened. */
function Announcement({ latest, uId, name }: { latest: Message | undefined; uId: string; name: string }) {
  const [openedAt] = useState(latest?.seq ?? 0);
  return (
    <p className="visually-hidden" aria-live="polite">
      {latest !== undefined &&
        latest.from !== uId &&
        latest.seq > openedAt &&
        m.chat_announce({ name, text: messageSummary(latest, uId) })}
    </p>
  );
}

/** Scrolls to the last message. Shows the number of new messages, if any. */
function JumpButton({ count, onJump }: { count: number; onJump(): void }) {
  return (
    <button
      type="button"
      className={styles.jump}
      aria-label={count > 0 ? m.chat_jump_new({ count }) : m.chat_jump()}
      onClick={onJump}
    >
      <ChevronDown aria-hidden="true" />
      {count > 0 && <span aria-hidden="true">{formatNumber(count)}</span>}
    </button>
  );
}
