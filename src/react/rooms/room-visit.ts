import type { Clock } from '../../common/clock.ts';
import { type ReadableStore, type Store, createStore } from '../../common/store.ts';
import { missingDevices } from '../library/missing-devices.ts';
import type { LibraryRoom } from '../library/room-library.ts';
import { createViews } from './views.ts';
import type { Logger } from '../session/session-ports.ts';
import { type EntryRefusal, type VisitState, factsOf, hasMix, hasVideo, isStay, personOf } from './room-state.ts';
import { followRoom } from './follow-room.ts';
import type { RoomAccess } from './room-access.ts';
import { type RoomControls, createRoomControls } from './room-controls.ts';
import { ROOM_DELETED, codeOf, createRoomLoader } from './room-loader.ts';

/** The devices with which the user enters. */
export interface EntryDevices {
  /** True sends the microphone from the start. */
  readonly microphone: boolean;
  /** True sends the camera from the start. Rooms with sound alone ignore it. */
  readonly camera: boolean;
}

/** One visit of a room: its lobby, the stay, and the end of the stay. */
export interface RoomVisit extends RoomControls {
  /** The id of the room. */
  readonly roomId: string;
  /** The state of the visit. */
  readonly state: ReadableStore<VisitState>;
  /** Reads the room, as soon as the calling service is connected. Starts the service after a failure. */
  load(): void;
  /** Enters the room. Never rejects: a refusal is part of the state. */
  enter(devices: EntryDevices): Promise<void>;
  /** Leaves the room, or ends the entry. */
  leave(): void;
  /**
   * Plays a participant in an element, until the returned function is called. A remote participant without a video
   * element sends no picture.
   */
  show(participantId: string, element: HTMLMediaElement): () => void;
  /** Plays the mix of a large room in an element from when the room is read, until the returned function is called. */
  playMix(element: HTMLAudioElement): () => void;
  /** Leaves the room, and stops following it. */
  dispose(): void;
}

/** The dependencies of a visit. */
export interface VisitPorts {
  readonly access: RoomAccess;
  /** Called when the user enters the room. */
  entering(visit: RoomVisit): void;
  readonly clock: Pick<Clock, 'after' | 'wallTime'>;
  readonly logger: Logger;
}

const ROOM_MAX_PARTICIPANTS = 1_400_120;
/** The key of the mix among the ids of participants. */
const MIX = 'mix';

const PARTICIPANT_ALREADY_IN_ROOM = 1_800_700;

const BEFORE: VisitState = {
  stage: { name: 'loading' },
  facts: null,
  people: [],
  microphoneOn: true,
  cameraOn: true,
  sharingScreen: false,
  missing: {},
  busy: [],
  news: null,
};

/** Creates the visit of a room. The caller loads it. */
export function createRoomVisit(roomId: string, ports: VisitPorts): RoomVisit {
  const { clock, logger } = ports;
  const state = createStore(BEFORE);
  const views = createViews(logger);
  let room: LibraryRoom | undefined;
  let unfollow = (): void => {};
  /** The element for the mix. It may be set before the room is known. */
  let mix: HTMLAudioElement | null = null;

  function playMix(): void {
    if (room !== undefined && hasMix(room.roomType) && !hasVideo(room.roomType)) room.setAudioForLargeRoom(mix);
  }

  function found(read: LibraryRoom): void {
    unfollow();
    room = read;
    unfollow = followRoom(read, { state, clock, refresh: () => refresh(state, read) });
    refresh(state, read);
    if (mix !== null) playMix();
    const isGone = read.state === 'deleted';
    state.update((now) => ({ ...now, stage: isGone ? { name: 'missing' } : { name: 'lobby', refusal: null } }));
  }

  const loader = createRoomLoader(roomId, ports, state, found, (read) => refresh(state, read));

  async function enter({ microphone, camera }: EntryDevices): Promise<void> {
    const { stage } = state.get();
    if (room === undefined || isStay(stage)) return;
    const entered = room;
    loader.pause();
    ports.entering(visit);
    state.update((now) => ({ ...now, stage: { name: 'entering' }, microphoneOn: microphone, cameraOn: camera }));
    try {
      const withCamera = camera && hasVideo(entered.roomType);
      await entered.enter({ audioEnabled: microphone, videoEnabled: withCamera });
      // The user may have left during the request.
      if (state.get().stage.name !== 'entering') return entered.exit();
      state.update((now) => ({
        ...now,
        stage: { name: 'inside', since: clock.wallTime(), isReconnecting: false },
      }));
      refresh(state, entered);
    } catch (error) {
      logger.warn('the room was not entered', error);
      const refusal = refusalOf(error);
      if (state.get().stage.name !== 'entering') return;
      const back: VisitState['stage'] = refusal === 'missing' ? { name: 'missing' } : { name: 'lobby', refusal };
      if (refusal !== 'missing') loader.resume();
      state.update((now) => ({ ...now, stage: back, people: [] }));
    }
  }

  function leave(): void {
    const { stage } = state.get();
    if (!isStay(stage)) return;
    const durationMs = stage.name === 'inside' ? clock.wallTime() - stage.since : 0;
    state.update((now) => ({ ...now, stage: { name: 'over', reason: 'left', durationMs }, people: [] }));
    // During the request there is nothing to leave yet: `enter` leaves afterwards.
    if (stage.name === 'inside') exit(room, logger);
  }

  const visit: RoomVisit = {
    ...createRoomControls(() => room, state, logger),
    roomId,
    state,
    load: loader.load,
    enter,
    leave,
    show(participantId, element) {
      const all = [room?.localParticipant, ...(room?.remoteParticipants ?? [])];
      const participant = all.find((one) => one?.participantId === participantId);
      return views.show(participantId, element, (shown) => participant?.setMediaView(shown) ?? Promise.resolve());
    },
    playMix(element) {
      return views.show(MIX, element, async (shown) => {
        mix = shown;
        playMix();
      });
    },
    dispose() {
      leave();
      loader.stop();
      unfollow();
    },
  };
  return visit;
}

/** Copies the participants and the facts of the room into the state. */
function refresh(state: Store<VisitState>, room: LibraryRoom): void {
  const me = room.localParticipant;
  const others = me === undefined ? [] : room.remoteParticipants;
  state.update((now) => ({
    ...now,
    facts: factsOf(room),
    people: me === undefined ? [] : [personOf(me, true), ...others.map((one) => personOf(one, false))],
    sharingScreen: me?.isScreenShareEnabled ?? false,
    missing: me === undefined ? {} : missingDevices(me.missingDevices),
  }));
}

function exit(room: LibraryRoom | undefined, logger: Logger): void {
  try {
    room?.exit();
  } catch (error) {
    logger.warn('the exit from the room was not reported', error);
  }
}

function refusalOf(error: unknown): EntryRefusal | 'missing' {
  switch (codeOf(error)) {
    case ROOM_DELETED:
      return 'missing';
    case ROOM_MAX_PARTICIPANTS:
      return 'full';
    case PARTICIPANT_ALREADY_IN_ROOM:
      return 'alreadyInside';
    default:
      return 'failed';
  }
}
