import { MonitorUp, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import notices from '../../calling/overlays/call-view/parts/notices.module.css';
import { missingText } from '../../calling/overlays/call-view/missing-text.ts';
import { useCalling } from '../../calling/use-calling.ts';
import type { RoomVisit, VisitState } from '../../../../react/index.ts';
import styles from './room-stage.module.css';
import { newsText } from './room-announcer.tsx';

interface RoomNoticesProps {
  visit: RoomVisit;
  state: VisitState;
}

/** Shows what the user must know in the room, each notice with its action. */
export function RoomNotices({ visit, state }: RoomNoticesProps) {
  const { calling } = useCalling();
  const [isRetrying, setIsRetrying] = useState(false);
  const { missing, news, people, sharingScreen, stage } = state;
  const text = missingText(missing);

  async function retry(): Promise<void> {
    setIsRetrying(true);
    await calling.devices.retry(missing);
    setIsRetrying(false);
  }

  return (
    <div className={styles.notices}>
      {stage.name === 'inside' && stage.isReconnecting && (
        <p className={notices.reconnecting}>
          <span className={notices.spinner} aria-hidden="true" />
          {m.room_reconnecting()}
        </p>
      )}
      {text !== null && (
        <div className={notices.notice} data-look="warning">
          <span aria-hidden="true">
            <TriangleAlert />
          </span>
          <span>{text}</span>
          <button type="button" aria-disabled={isRetrying} onClick={() => void (isRetrying || retry())}>
            {isRetrying ? m.notice_retrying() : m.retry()}
          </button>
        </div>
      )}
      {sharingScreen && (
        <div className={notices.notice} data-look="glass">
          <span aria-hidden="true">
            <MonitorUp />
          </span>
          <span>{m.sharing_screen()}</span>
          <button type="button" onClick={() => void visit.toggleScreenShare()}>
            {m.sharing_stop()}
          </button>
        </div>
      )}
      {stage.name === 'inside' && people.length === 1 && <p className={notices.passing}>{m.room_alone()}</p>}
      {news !== null && (
        <p key={news.id} className={`${notices.passing} ${styles.news}`} aria-hidden="true">
          {newsText(news)}
        </p>
      )}
    </div>
  );
}
