import { MicOff, Pin } from 'lucide-react';
import { useCallback } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Picture } from '../../../ui/people/picture.tsx';
import type { RoomPerson } from '../room-state.ts';
import { personName } from '../room-words.ts';
import type { RoomVisit } from '../visit/room-visit.ts';
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
  const attach = useAttach(visit, speakers, person);
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
        <video
          ref={attach}
          autoPlay
          playsInline
          muted={isMe}
          hidden={!showsPicture}
          aria-label={isMe ? m.call_self_view() : m.room_picture_of({ name })}
          data-mirrored={(isMe && !isSharing) || undefined}
        />
      ) : (
        !isMe && <audio ref={attach} autoPlay />
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
  const attach = useAttach(visit, speakers, person);
  return <audio ref={attach} autoPlay data-participant={person.participantId} />;
}

/** Returns the function that connects an element with a participant. Only remote voices are measured. */
function useAttach(visit: RoomVisit, speakers: Speakers, { participantId, isMe }: RoomPerson) {
  return useCallback(
    (element: HTMLMediaElement | null) => {
      if (element === null) return undefined;
      const stopWatching = isMe ? () => {} : speakers.watch(participantId, element);
      const stopShowing = visit.show(participantId, element);
      return () => {
        stopWatching();
        stopShowing();
      };
    },
    [visit, speakers, participantId, isMe],
  );
}

/** Plays the mix of a large room with sound alone. */
export function Mix({ visit }: Pick<TileProps, 'visit'>) {
  const attach = useCallback((element: HTMLAudioElement) => visit.playMix(element), [visit]);
  return <audio ref={attach} autoPlay />;
}
