import { ArrowLeft, LogIn, VideoOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../../ui/kit/button.tsx';
import { Switch } from '../../../../ui/kit/choices.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Picture } from '../../../ui/people/picture.tsx';
import { displayName } from '../../calling/call-state.ts';
import {
  type EntryDevices,
  type EntryRefusal,
  type RoomFacts,
  type RoomVisit,
  type VisitState,
  hasVideo,
  isLive,
  useCalls,
  useInvitations,
  usePresentVisit,
  useRooms,
} from '../../../../react/index.ts';
import { DeviceCheck } from '../../devices/device-check.tsx';
import { Faces } from '../faces.tsx';
import { TYPE_WORDS, roomName } from '../room-words.ts';
import { CAPACITY } from '../room-name.ts';
import styles from './lobby.module.css';

interface LobbyProps {
  visit: RoomVisit;
  state: VisitState;
  onEnter(devices: EntryDevices): void;
}

/** Shows a room before the user enters: who is inside, and the devices with their choice. */
export function Lobby({ visit, state: { facts, stage }, onEnter }: LobbyProps) {
  const rooms = useRooms();
  const invitation = useInvitations().find(({ room }) => room.roomId === visit.roomId);
  const [devices, setDevices] = useState<EntryDevices>({ microphone: true, camera: true });
  if (facts === null || stage.name !== 'lobby') return null;
  const isVideo = hasVideo(facts.type);

  function enter(): void {
    // The inviter learns of the answer. An invitation that is gone does not prevent the entry.
    if (invitation !== undefined) void rooms.accept(invitation.key);
    onEnter({ ...devices, camera: devices.camera && isVideo });
  }

  return (
    <main className={styles.lobby}>
      <Head facts={facts} />
      <section className={styles.devices} aria-label={m.room_devices()}>
        {isVideo && !devices.camera && (
          <p className={styles.off}>
            <VideoOff aria-hidden="true" />
            {m.room_camera_off_hint()}
          </p>
        )}
        {/* Without the camera, the check opens the microphone alone. */}
        <DeviceCheck key={String(isVideo && devices.camera)} camera={isVideo && devices.camera} />
      </section>
      <section className={styles.enter} aria-label={m.room_enter()}>
        {invitation !== undefined && (
          <div className={styles.invited}>
            <span className={styles.face}>
              <Picture url={invitation.inviter.profileUrl} shape="round" />
            </span>
            <p>{m.room_invited_by({ name: displayName(invitation.inviter) })}</p>
            <Button onClick={() => rooms.decline(invitation.key)}>{m.invite_decline()}</Button>
          </div>
        )}
        <Inside facts={facts} />
        <div className={styles.switches}>
          <Switch
            label={m.control_microphone()}
            hint={m.room_microphone_hint()}
            checked={devices.microphone}
            onChange={(microphone) => setDevices((now) => ({ ...now, microphone }))}
          />
          {isVideo && (
            <Switch
              label={m.control_camera()}
              hint={m.room_camera_hint()}
              checked={devices.camera}
              onChange={(camera) => setDevices((now) => ({ ...now, camera }))}
            />
          )}
        </div>
        <Warnings roomId={visit.roomId} />
        <p role="alert" className={styles.refusal}>
          {stage.refusal !== null && REFUSALS[stage.refusal]()}
        </p>
        <Button look="primary" onClick={enter}>
          <LogIn aria-hidden="true" size={20} />
          {stage.refusal === null ? m.room_enter() : m.room_enter_again()}
        </Button>
      </section>
    </main>
  );
}

const REFUSALS: Readonly<Record<EntryRefusal, () => string>> = {
  full: m.room_full,
  alreadyInside: m.room_already_inside,
  failed: m.room_enter_failed,
};

function Head({ facts }: { facts: RoomFacts }) {
  return (
    <header className={styles.head}>
      <Link to="/rooms" className={styles.back} aria-label={m.room_to_list()} title={m.room_to_list()}>
        <ArrowLeft aria-hidden="true" />
      </Link>
      <div>
        <h1>{roomName(facts)}</h1>
        <p>{TYPE_WORDS[facts.type].name()}</p>
      </div>
    </header>
  );
}

/** The most pictures of users in the lobby. */
const FACES = 4;

/** Shows who is in the room. */
function Inside({ facts: { people, type } }: { facts: RoomFacts }) {
  const [first, second] = people.map(displayName);
  const count = people.length;
  return (
    <div className={styles.inside}>
      <Faces people={people} most={FACES} />
      <p role="status">
        {first === undefined
          ? m.room_nobody()
          : second === undefined
            ? m.room_inside_one({ name: first })
            : count === 2
              ? m.room_inside_two({ name: first, other: second })
              : m.room_inside_many({ name: first, other: second, count: count - 2 })}
      </p>
      <p className={styles.count}>{m.rooms_people({ count, most: CAPACITY[type] })}</p>
    </div>
  );
}

/** States what else ends when the user enters. */
function Warnings({ roomId }: { roomId: string }) {
  const { active } = useCalls();
  const present = usePresentVisit();
  const leaves = present !== null && present.roomId !== roomId;
  const facts = present?.state.get().facts ?? null;
  if (!leaves && !isLive(active)) return null;
  return (
    <p className={styles.warning}>
      {leaves ? m.room_leaves_other({ name: facts === null ? m.rooms_unnamed() : roomName(facts) }) : m.room_in_call()}
    </p>
  );
}
