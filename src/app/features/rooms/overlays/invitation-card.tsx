import { DoorOpen, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useFocusReturn } from '../../../../ui/layers/use-focus-return.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Picture } from '../../../ui/people/picture.tsx';
import { useUi } from '../../../ui/use-ui.ts';
import { displayName } from '../../calling/call-state.ts';
import { type ReceivedInvitation, isLive, useCalls, useRooms } from '../../../../react/index.ts';
import { isTyping } from '../../calling/overlays/is-typing.ts';
import styles from '../../calling/overlays/incoming-call/incoming-call-card.module.css';
import { TYPE_WORDS, roomName } from '../room-words.ts';
import { useMovePrice } from '../use-move-price.ts';

interface InvitationCardProps {
  invitation: ReceivedInvitation;
  /** The number of further invitations, which are shown after this one. */
  more: number;
}

/**
 * Shows an invitation into a room. An invitation of the other user of the present call moves the call: the room is then
 * entered at once, with the devices of the call. The card takes the focus unless the user is typing.
 */
export function InvitationCard({ invitation, more }: InvitationCardProps) {
  const rooms = useRooms();
  const { toasts } = useUi();
  const navigate = useNavigate();
  const { active } = useCalls();
  const title = useId();
  const text = useId();
  const priceText = useId();
  const acceptButton = useRef<HTMLButtonElement>(null);
  useFocusReturn();
  useEffect(() => {
    if (!isTyping(document.activeElement)) acceptButton.current?.focus();
  }, []);

  const { inviter, key, room } = invitation;
  const isMove = isLive(active) && active.party.userId === inviter.userId;
  const name = displayName(inviter);
  const price = useMovePrice();
  const { Icon, name: typeName } = TYPE_WORDS[room.type];

  async function accept(): Promise<void> {
    const devices = { microphone: active?.microphoneOn ?? true, camera: active?.cameraOn ?? true };
    if (!(await rooms.accept(key))) return toasts.show(m.invite_gone());
    const path = `/rooms/${encodeURIComponent(room.roomId)}`;
    void navigate(path, isMove ? { state: { enter: devices } } : {});
  }

  return (
    <section
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={`${text} ${priceText}`}
      className={styles.card}
    >
      <span className={styles.who}>
        <span className={styles.avatar}>
          <Picture url={inviter.profileUrl} shape="round" eager />
        </span>
        <span className={styles.words}>
          <strong id={title}>{name}</strong>
          <span id={text}>
            <Icon aria-hidden="true" size={16} />
            {isMove ? m.invite_move() : m.invite_into({ room: roomName(room), type: typeName() })}
          </span>
          {isMove && price !== null && <small id={priceText}>{price}</small>}
          {more > 0 && <small>{m.invite_more({ count: more })}</small>}
        </span>
      </span>
      <span className={styles.actions}>
        <button type="button" className={styles.decline} onClick={() => rooms.decline(key)}>
          <X aria-hidden="true" size={18} />
          {isMove ? m.invite_stay() : m.invite_decline()}
        </button>
        <button ref={acceptButton} type="button" className={styles.accept} onClick={() => void accept()}>
          <DoorOpen aria-hidden="true" size={18} />
          {isMove ? m.invite_move_go() : m.invite_accept()}
        </button>
      </span>
      <span className="visually-hidden" aria-live="assertive">
        {m.invite_announce({ name, room: roomName(room) })}
      </span>
    </section>
  );
}
