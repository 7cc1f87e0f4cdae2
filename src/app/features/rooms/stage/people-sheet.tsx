import { AudioLines, Mic, MicOff, UserPlus, Video, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Modal } from '../../../ui/modal.tsx';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { displayName } from '../../calling/call-state.ts';
import { type RoomVisit, type VisitState, hasVideo } from '../../../../react/index.ts';
import { CAPACITY } from '../room-name.ts';
import { ShareLink } from './share-link.tsx';
import styles from './sheets.module.css';
import type { Speakers } from './speakers.ts';

interface PeopleSheetProps {
  visit: RoomVisit;
  state: VisitState;
  speakers: Speakers;
  onInvite(): void;
  onClose(): void;
}

/** Lists the participants with their devices. */
export function PeopleSheet({ visit, state: { people, facts }, speakers, onInvite, onClose }: PeopleSheetProps) {
  const { speaking } = useStore(speakers.state);
  const isVideo = facts !== null && hasVideo(facts.type);
  return (
    <Modal label={m.room_people()} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>
          {facts === null ? m.room_people() : m.room_people_of({ count: people.length, most: CAPACITY[facts.type] })}
        </h2>
        <ul className={styles.people}>
          {people.map((person) => {
            const name = displayName(person);
            const isSpeaking = person.microphoneOn && speaking.has(person.participantId);
            return (
              <li key={person.participantId} className={styles.person}>
                <Avatar url={person.profileUrl} size={40} />
                <span className={styles.words}>
                  <strong>{person.isMe ? m.room_me_named({ name }) : name}</strong>
                  {!person.isConnected && <small>{m.call_connecting()}</small>}
                </span>
                <span className={styles.states}>
                  {isSpeaking && <State icon={<AudioLines className={styles.speaking} />} text={m.room_speaking()} />}
                  {person.microphoneOn ? (
                    <State icon={<Mic />} text={m.room_unmuted()} />
                  ) : (
                    <State icon={<MicOff data-off />} text={m.room_muted()} />
                  )}
                  {isVideo &&
                    (person.cameraOn ? (
                      <State icon={<Video />} text={m.room_camera_on()} />
                    ) : (
                      <State icon={<VideoOff data-off />} text={m.room_camera_off()} />
                    ))}
                </span>
              </li>
            );
          })}
        </ul>
        <div className={styles.actions}>
          <Button look="primary" onClick={onInvite}>
            <UserPlus aria-hidden="true" size={20} />
            {m.invite_title()}
          </Button>
          <ShareLink roomId={visit.roomId} />
        </div>
      </div>
    </Modal>
  );
}

function State({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span title={text}>
      <span aria-hidden="true">{icon}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
