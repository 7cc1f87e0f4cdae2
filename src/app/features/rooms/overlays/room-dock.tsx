import { Maximize2, PhoneOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useStore } from '../../../../ui/store/use-store.ts';
import { usePorts } from '../../../core/hooks/areas.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { RoomAudio, type RoomVisit, hasMix, hasVideo, useVisit } from '../../../../react/index.ts';
import { roomName } from '../room-words.ts';
import { MicrophoneToggle } from '../stage/microphone-toggle.tsx';
import { StayTimer } from '../stage/room-bar.tsx';
import { browserMeter, createSpeakers } from '../stage/speakers.ts';
import { Sound } from '../stage/tile.tsx';
import styles from './room-dock.module.css';

/** Shows the room that the user is in while another screen is open. The user still hears the room. */
export function RoomDock({ visit }: { visit: RoomVisit }) {
  const { clock } = usePorts();
  const state = useVisit(visit);
  const [speakers] = useState(() => createSpeakers(clock, browserMeter()));
  const { speaking } = useStore(speakers.state);
  const { facts, people, stage } = state;
  const name = facts === null ? m.rooms_title() : roomName(facts);
  const isReconnecting = stage.name === 'inside' && stage.isReconnecting;
  return (
    <section className={styles.dock} aria-label={m.room_dock({ name })} data-speaking={speaking.size > 0 || undefined}>
      <span className={styles.words}>
        <strong>{name}</strong>
        <span>
          {isReconnecting ? m.room_reconnecting() : <StayTimer stage={stage} />} ·{' '}
          {m.room_people_count({ count: people.length })}
        </span>
      </span>
      <span className={styles.controls}>
        <MicrophoneToggle visit={visit} state={state} />
        <Link
          to={`/rooms/${encodeURIComponent(visit.roomId)}`}
          aria-label={m.room_dock_open()}
          title={m.room_dock_open()}
        >
          <Maximize2 aria-hidden="true" />
        </Link>
        <button
          type="button"
          className={styles.leave}
          aria-label={m.room_leave()}
          title={m.room_leave()}
          onClick={visit.leave}
        >
          <PhoneOff aria-hidden="true" />
        </button>
      </span>
      {people
        .filter(({ isMe }) => !isMe)
        .map((person) => (
          <Sound key={person.participantId} person={person} visit={visit} speakers={speakers} />
        ))}
      {facts !== null && hasMix(facts.type) && !hasVideo(facts.type) && <RoomAudio visit={visit} />}
    </section>
  );
}
