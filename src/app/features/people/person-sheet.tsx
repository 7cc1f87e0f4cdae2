import { BadgeCheck, MapPin, Phone, Sparkles, Video } from 'lucide-react';
import type { Person } from '../../../protocol/product/people.ts';
import type { CallKind } from '../../../react/index.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../ui/kit/button.tsx';
import { CoinPrice } from '../../ui/money/coin-price.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Picture } from '../../ui/people/picture.tsx';
import { PresenceChip } from '../../ui/people/presence-chip.tsx';
import { useCalling } from '../calling/use-calling.ts';
import styles from './person-sheet.module.css';

interface PersonSheetProps {
  person: Person;
  now: number;
  onClose(): void;
}

/** Shows more of one user, with the buttons of a voice and a video call. */
export function PersonSheet({ person, now, onClose }: PersonSheetProps) {
  const { dialer } = useCalling();
  const name = person.nickname || person.u_id;

  function call(kind: CallKind): void {
    void dialer.dial({ userId: person.u_id, nickname: person.nickname, profileUrl: person.profile_url }, kind);
  }

  return (
    <Modal label={name} onClose={onClose}>
      <div className={styles.photo}>
        <Picture url={person.profile_url} shape="portrait" eager />
        <div className={styles.words}>
          <PresenceChip of={person} now={now} />
          <h2>
            {name} <span>{person.age}</span>
          </h2>
          <p>
            <MapPin aria-hidden="true" size={16} />
            {person.city}
            {person.price > 0 && <CoinPrice price={person.price} />}
          </p>
        </div>
      </div>
      <div className={styles.below}>
        <Badges person={person} now={now} />
        <div className={styles.actions}>
          <Button onClick={() => call('voice')}>
            <Phone aria-hidden="true" size={20} />
            {m.person_voice()}
          </Button>
          {person.accepts_video && (
            <Button look="primary" onClick={() => call('video')}>
              <Video aria-hidden="true" size={20} />
              {m.person_video()}
            </Button>
          )}
        </div>
        <Hint person={person} />
        <LinkButton
          to={
            person.gender_type === 'woman'
              ? `/woman-info/${encodeURIComponent(person.u_id)}`
              : `/man-info?id=${encodeURIComponent(person.u_id)}`
          }
          onClick={onClose}
        >
          {m.person_profile()}
        </LinkButton>
      </div>
    </Modal>
  );
}

function Badges({ person, now }: { person: Person; now: number }) {
  const joinedLately = isNew(person, now);
  if (!person.verified && !joinedLately) return null;
  return (
    <ul className={styles.badges}>
      {person.verified && (
        <li>
          <BadgeCheck aria-hidden="true" size={18} />
          {m.person_verified()}
        </li>
      )}
      {joinedLately && (
        <li>
          <Sparkles aria-hidden="true" size={18} />
          {m.person_new()}
        </li>
      )}
    </ul>
  );
}

function Hint({ person }: { person: Person }) {
  const hints = [
    person.presence === 'offline' && m.person_offline_hint(),
    person.presence === 'in_call' && m.person_in_call_hint(),
    !person.accepts_video && m.person_no_video(),
  ].filter((hint) => hint !== false);
  return hints.length === 0 ? null : <p className={styles.hint}>{hints.join(' · ')}</p>;
}

const NEW_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/** Returns true for a user who has joined recently. */
function isNew(person: Pick<Person, 'joined_at'>, now: number): boolean {
  return now - person.joined_at <= NEW_FOR_MS;
}
