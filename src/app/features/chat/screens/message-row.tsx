import { Check, CheckCheck, CircleAlert, Clock3, Coins, RotateCw, Trash2 } from 'lucide-react';
import { memo } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Companion } from '../../../../protocol/product/chat.ts';
import { depositPath } from '../../gifts/deposit-path.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Picture } from '../../../ui/people/picture.tsx';
import { refusalCode, refusalText } from '../../../core/product/refusal-text.ts';
import { useChat } from '../outbox.ts';
import { MessageBody, UnsentBody } from './message-body.tsx';
import styles from './message-row.module.css';
import type { Status, ThreadRow } from './thread-rows.ts';
import { clockTime, dayTitle } from './times.ts';

interface MessageRowProps {
  row: ThreadRow;
  companion: Companion;
  now: number;
  uId: string;
}

/** Renders one message. Above it are the start of a day and the mark of unread messages, if any. */
export const MessageRow = memo(
  function MessageRow({ row, companion, now }: MessageRowProps) {
    const { message, unsent, isMine, isFirst, isLast, at, status } = row;
    const name = companion.nickname || companion.u_id;
    return (
      <div className={styles.row} data-first={isFirst || undefined}>
        {row.isNewDay && <p className={styles.day}>{dayTitle(at, now)}</p>}
        {row.unread !== null && <p className={styles.unread}>{m.chat_unread_mark({ count: row.unread })}</p>}
        {message?.type === 'system' ? (
          <p className={styles.note}>
            <MessageBody message={message} isMine={isMine} companion={companion} />
          </p>
        ) : (
          <div className={styles.line} data-mine={isMine || undefined}>
            {!isMine && (
              <span className={styles.face}>{isLast && <Picture url={companion.profile_url} shape="round" />}</span>
            )}
            <div
              className={styles.bubble}
              data-type={message?.type ?? unsent?.said.type}
              data-last={isLast || undefined}
            >
              <span className="visually-hidden">{isMine ? m.chat_said_by_me() : m.chat_said_by({ name })}</span>
              {message !== null && <MessageBody message={message} isMine={isMine} companion={companion} />}
              {unsent !== null && <UnsentBody unsent={unsent} />}
              <span className={styles.meta}>
                <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time>
                {status !== null && <StatusMark status={status} />}
              </span>
            </div>
          </div>
        )}
        {unsent !== null && status === 'failed' && <Failed clientId={unsent.clientId} error={unsent.error} />}
      </div>
    );
  },
  // Each new message creates all rows again, and most of them are unchanged.
  (a, b) => a.companion === b.companion && a.uId === b.uId && sameRow(a, b),
);

function sameRow({ row: a, now: then }: MessageRowProps, { row: b, now }: MessageRowProps): boolean {
  return (
    a.message === b.message &&
    a.unsent === b.unsent &&
    a.status === b.status &&
    a.isFirst === b.isFirst &&
    a.isLast === b.isLast &&
    a.isNewDay === b.isNewDay &&
    a.unread === b.unread &&
    // Only the title of a day changes with time.
    (!a.isNewDay || then === now)
  );
}

const marks: Record<Status, { icon: typeof Check; text(): string }> = {
  waiting: { icon: Clock3, text: m.chat_status_waiting },
  failed: { icon: CircleAlert, text: m.chat_status_failed },
  sent: { icon: Check, text: m.chat_status_sent },
  delivered: { icon: CheckCheck, text: m.chat_status_delivered },
  read: { icon: CheckCheck, text: m.chat_status_read },
};

function StatusMark({ status }: { status: Status }) {
  const { icon: Icon, text } = marks[status];
  return (
    <span className={styles.status} data-status={status}>
      <Icon aria-hidden="true" size={15} />
      <span>{text()}</span>
    </span>
  );
}

/** Shows why a message was not sent, and what the user can do. */
function Failed({ clientId, error }: { clientId: string; error: unknown }) {
  const { outbox } = useChat();
  const { pathname } = useLocation();
  return (
    <div className={styles.failed} role="alert">
      <span>{error === null ? m.chat_failed() : refusalText(error)}</span>
      {refusalCode(error) === 'insufficient_coins' && (
        <Link to={depositPath(pathname)}>
          <Coins aria-hidden="true" size={16} />
          {m.gifts_recharge()}
        </Link>
      )}
      <button type="button" onClick={() => outbox.retry(clientId)}>
        <RotateCw aria-hidden="true" size={16} />
        {m.chat_resend()}
      </button>
      <button type="button" onClick={() => outbox.discard(clientId)}>
        <Trash2 aria-hidden="true" size={16} />
        {m.chat_discard()}
      </button>
    </div>
  );
}
