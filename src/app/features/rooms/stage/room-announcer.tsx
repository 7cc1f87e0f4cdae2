import { m } from '../../../core/i18n/generated/messages.js';
import { displayName } from '../../calling/call-state.ts';
import type { RoomNews, VisitState } from '../../../../react/index.ts';
import { roomName } from '../room-words.ts';

/** Announces each change of the room to screen readers, without the seconds of its timer. */
export function RoomAnnouncer({ state: { facts, news, stage } }: { state: VisitState }) {
  const isReconnecting = stage.name === 'inside' && stage.isReconnecting;
  const entered = stage.name === 'inside' && facts !== null ? m.room_entered({ name: roomName(facts) }) : '';
  return (
    <>
      <p className="visually-hidden" role="status">
        {news === null ? entered : newsText(news)}
      </p>
      <p className="visually-hidden" aria-live="assertive">
        {isReconnecting ? m.room_reconnecting() : ''}
      </p>
    </>
  );
}

/** Returns the text of an event in the room. */
export function newsText({ what, party }: RoomNews): string {
  const name = party === null ? '' : displayName(party);
  switch (what) {
    case 'entered':
      return m.room_news_entered({ name });
    case 'exited':
      return m.room_news_exited({ name });
    case 'accepted':
      return m.room_news_accepted({ name });
    case 'declined':
      return m.room_news_declined({ name });
    case 'reconnected':
      return m.room_news_reconnected();
    case 'shareFailed':
      return m.room_news_share_failed();
    case 'deleteFailed':
      return m.room_news_delete_failed();
    default:
      return what satisfies never;
  }
}
