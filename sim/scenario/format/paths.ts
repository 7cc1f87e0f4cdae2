/** The observable values of an actor and of the exchange, with a schema for the value at each path. */
import * as v from 'valibot';
import { PEER_STATES } from '../../../src/calls/peer/table.ts';
import { CALL_STATES } from '../../../src/calls/direct-call/table.ts';
import { ENDPOINT_STATES } from '../../../src/calls/room/endpoint-table.ts';
import type { RoomEventMap } from '../../../src/calls/room/room.ts';
import { ROOM_SESSION_STATES } from '../../../src/calls/room/room-table.ts';
import { END_RESULTS, recordingStatus } from '../../../src/protocol/enumerations.ts';
import { participantState, roomState, roomType } from '../../../src/protocol/room-entities.ts';

const flag = v.boolean();
const count = v.number();
const words = v.array(v.string());
const result = v.picklist([...END_RESULTS, 'none']);
/** A flag of each other user in a room, by user id. */
const flags = v.record(v.string(), flag);

/** The events of a call that hosts get, by the names of their listeners. */
export const CALL_LISTENERS = [
  'onEstablished',
  'onConnected',
  'onReconnecting',
  'onReconnected',
  'onEnded',
  'onRemoteAudioSettingsChanged',
  'onRemoteVideoSettingsChanged',
  'onCustomItemsUpdated',
  'onCustomItemsDeleted',
  'onRemoteRecordingStatusChanged',
  'onUserHoldStatusChanged',
  'onScreenShareStopped',
  'onCalleeDialReceived',
] as const;

/** The events of a room that hosts get. */
export const ROOM_LISTENERS = [
  'remoteParticipantEntered',
  'remoteParticipantExited',
  'remoteParticipantStreamStarted',
  'remoteAudioSettingsChanged',
  'remoteVideoSettingsChanged',
  'localParticipantDisconnected',
  'localParticipantReconnected',
  'localScreenShareStopped',
  'localMissingDevicesChanged',
  'customItemsUpdated',
  'customItemsDeleted',
  'deleted',
  'invitationAccepted',
  'invitationDeclined',
  'invitationCanceled',
  'error',
] as const satisfies readonly (keyof RoomEventMap)[];

const LISTENERS = ['onRinging', ...CALL_LISTENERS, 'onInvitationReceived', ...ROOM_LISTENERS] as const;
type Listener = (typeof LISTENERS)[number];
/** How often each listener was called. */
const told = Object.fromEntries(LISTENERS.map((name) => [`told.${name}`, count])) as {
  readonly [L in Listener as `told.${L}`]: typeof count;
};

/** The paths behind the name of an actor, or of a device. */
export const ACTOR_PATHS = {
  'call.state': v.picklist(CALL_STATES),
  'call.result': result,
  'call.outcome': v.picklist([...CALL_STATES, ...END_RESULTS, 'none']),
  'call.id': v.string(),
  'call.role': v.picklist(['caller', 'callee']),
  /** The user at the other end. */
  'call.remote': v.string(),
  'call.localAudio': flag,
  'call.localVideo': flag,
  'call.remoteAudio': flag,
  'call.remoteVideo': flag,
  'call.onHold': flag,
  'call.recording': recordingStatus,
  'call.remoteRecording': recordingStatus,
  'call.sharing': flag,
  /** Milliseconds connected. */
  'call.duration': count,
  /** Milliseconds since the epoch. Null while the call is live. */
  'call.startedAt': count,
  'call.endedAt': v.nullable(count),
  'call.items': v.record(v.string(), v.string()),
  'call.endedBy': v.string(),
  'call.reconnected': count,
  /** The state of the room for all, and that of the session of this device. */
  'room.state': roomState,
  'room.session': v.picklist(ROOM_SESSION_STATES),
  'room.entered': flag,
  'room.id': v.string(),
  'room.type': roomType,
  /** The state of this device's participant. */
  'room.me': v.picklist([...participantState.options, 'none']),
  /** The user ids in the order of entry: of all participants, and of the others. */
  'room.participants': words,
  'room.remotes': words,
  /** The number of participants with media, this device's included. */
  'room.connected': count,
  'room.localAudio': flag,
  'room.localVideo': flag,
  'room.remoteAudio': flags,
  'room.remoteVideo': flags,
  'room.states': v.record(v.string(), participantState),
  /** The devices whose sound this device plays, and those whose moving pictures it shows, in alphabetical order. */
  'room.heard': words,
  'room.seen': words,
  'room.sharing': flag,
  /** The lines of the pictures that the camera is asked for. 0 without a camera. */
  'room.height': count,
  'room.missing': words,
  'room.items': v.record(v.string(), v.string()),
  /** The ids of the rooms on the last page of a list, and whether there are others after and before it. */
  rooms: words,
  'rooms.next': flag,
  'rooms.previous': flag,
  /** The user ids of inviters without an answer, the oldest first. */
  invitations: words,
  /** The state of the media endpoint that changed last. */
  endpoint: v.picklist([...ENDPOINT_STATES, 'none']),
  pc: v.picklist([...PEER_STATES, 'none']),
  pcs: count,
  calls: count,
  ws: v.picklist(['open', 'closed']),
  /** The node at the other end of the channel. */
  node: v.string(),
  sound: v.picklist(['dialing', 'ringing', 'reconnecting', 'reconnected', 'none']),
  /** Hertz of the tone that the current call receives, to the nearest ten. 0 for none. */
  'audio.tone': count,
  /** The pictures per second that the current call receives, and whether the number of each counts up. */
  'video.fps': count,
  'video.marker': v.picklist(['advancing', 'none']),
  errors: v.array(v.number()),
  user: v.string(),
  tracks: count,
  page: v.picklist(['active', 'passive', 'hidden', 'frozen', 'terminated']),
  told: words,
  ...told,
} as const;

/** The paths behind `server`. */
export const SERVER_PATHS = {
  /** The nodes that run. */
  nodes: count,
  /** The names of the nodes that have a live call: one for each of their calls, in the order of the names. */
  owners: words,
  calls: count,
  devices: count,
  results: v.array(v.picklist(END_RESULTS)),
  /** The milliseconds that each ended call was connected. */
  durations: v.array(count),
  summaries: count,
  /** The rooms with participants or invitations. */
  rooms: count,
  /** The user ids of the participants of all rooms, in the order of entry. */
  participants: words,
  /** The participants with media, the media endpoints, and the invitations without an answer, of all rooms. */
  connected: count,
  endpoints: count,
  invitations: count,
} as const;

export type ActorPath = keyof typeof ACTOR_PATHS;
export type ServerPath = keyof typeof SERVER_PATHS;

/** The value at each path of an actor, and of the exchange. */
export type ActorValues = { readonly [P in ActorPath]: v.InferOutput<(typeof ACTOR_PATHS)[P]> };
export type ServerValues = { readonly [P in ServerPath]: v.InferOutput<(typeof SERVER_PATHS)[P]> };

/** Returns the actor or the device at the front of a path: bob.phone of bob.phone.call.state. */
export function actorIn(path: string, names: readonly string[]): string {
  const parts = path.split('.');
  const two = parts.slice(0, 2).join('.');
  return names.includes(two) ? two : (parts[0] ?? '');
}
