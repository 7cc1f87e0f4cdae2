import { MicOff, Pin } from 'lucide-react';
import { type RefCallback, useCallback } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Picture } from '../../../ui/people/picture.tsx';
import { ParticipantAudio, ParticipantVideo, type RoomPerson, type RoomVisit } from '../../../../react/index.ts';
import { personName } from '../room-words.ts';
import type { Speakers } from './speakers.ts';
import styles from './tile.module.css';

interface TileProps {
  person: RoomPerson;
  visit: RoomVisit;
  speakers: Speakers;
  /** Whether the participants of the room see each other. */
  hasVideo: boolean;
  isSpeaking: boolean;
  /** Whether this user shares the screen, which is not mirrored and not cropped. */
  isSharing: boolean;
  /** Whether the user has chosen this participant for the stage. */
  isPinned: boolean;
  look: 'grid' | 'stage' | 'strip';
  /** Shows the participant on the stage, or no longer. */
  onPin(): void;
}

/** Shows one participant, and plays the sound of a remote one. */
export function Tile({ person, visit, speakers, hasVideo, isSpeaking, isSharing, isPinned, look, onPin }: TileProps) {
  const { participantId, isMe } = person;
  const media = { ref: useMeasure(speakers, person), visit, participantId };
  const showsPicture = hasVideo && (person.cameraOn || (isMe && isSharing));
  const name = personName(person);
  return (
    <div
      className={styles.tile}
      data-look={look}
      data-speaking={(isSpeaking && person.microphoneOn) || undefined}
      data-participant={participantId}
    >
      {!showsPicture && (
        <span className={styles.face}>
          <Picture url={person.profileUrl} shape="round" eager />
        </span>
      )}
      {hasVideo ? (
        <ParticipantVideo
          {...media}
          muted={isMe}
          hidden={!showsPicture}
          aria-label={isMe ? m.call_self_view() : m.room_picture_of({ name })}
          data-mirrored={(isMe && !isSharing) || undefined}
        />
      ) : (
        !isMe && <ParticipantAudio {...media} />
      )}
      {!person.isConnected && !isMe && <p className={styles.connecting}>{m.call_connecting()}</p>}
      <p className={styles.name}>
        {!person.microphoneOn && (
          <>
            <MicOff aria-hidden="true" size={16} />
            <span className="visually-hidden">{m.room_muted()}</span>
          </>
        )}
        <span>{name}</span>
      </p>
      <button
        type="button"
        className={styles.pin}
        aria-pressed={isPinned}
        aria-label={m.room_pin({ name })}
        title={m.room_pin({ name })}
        onClick={onPin}
      >
        <Pin aria-hidden="true" size={18} />
      </button>
    </div>
  );
}

type SoundProps = Pick<TileProps, 'person' | 'visit' | 'speakers'>;

/** Plays the sound of a participant who is not on the page. The exchange then sends no picture of the participant. */
export function Sound({ person, visit, speakers }: SoundProps) {
  const { participantId } = person;
  const measure = useMeasure(speakers, person);
  return (
    <ParticipantAudio ref={measure} visit={visit} participantId={participantId} data-participant={participantId} />
  );
}

/** Returns the ref that measures the voice of a remote participant in an element. */
function useMeasure(speakers: Speakers, { participantId, isMe }: RoomPerson): RefCallback<HTMLMediaElement> {
  return useCallback(
    (element) => (element === null || isMe ? undefined : speakers.watch(participantId, element)),
    [speakers, participantId, isMe],
  );
}
