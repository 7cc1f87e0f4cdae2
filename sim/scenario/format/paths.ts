/** The observable values of an actor and of the exchange, with a schema for the value at each path. */
import * as v from 'valibot';
import { PEER_STATES } from '../../../src/calls/peer/table.ts';
import type { CallState } from '../../../src/calls/direct-call/table.ts';
import { ENDPOINT_STATES } from '../../../src/calls/room/endpoint-table.ts';
import type { RoomEventMap } from '../../../src/calls/room/room.ts';
import { ROOM_SESSION_STATES } from '../../../src/calls/room/room-table.ts';
import { END_RESULTS, type EndResult, recordingStatus } from '../../../src/protocol/enumerations.ts';
import { participantState, roomType } from '../../../src/protocol/room-entities.ts';
import { about } from '../../format/about.ts';

const flag = v.boolean();
const count = v.number();
const words = v.array(v.string());
/** A flag of each other user in a room, by user id. */
const flags = v.record(v.string(), flag);

/** The states of a call, and its results, with their meanings. */
const CALL_STATE_MEANINGS = {
  idle: 'the call was not dialled yet',
  dialing: 'the caller waits for an answer',
  ringing: 'the device of the callee rings',
  accepting: 'the callee has accepted, and waits for the exchange',
  established: 'the call was accepted, and media is not connected yet',
  connected: 'media is connected',
  reconnecting: 'media is lost, and the library reconnects',
  ended: 'the call is over',
  aborted: 'the caller has ended the call before the exchange knew it',
  closing: 'the end of the call is sent',
  ending: 'the end waits for the exchange',
  canceled: 'the caller has canceled the call',
} as const satisfies Readonly<Record<CallState, string>>;

const RESULT_MEANINGS = {
  completed: 'the call was connected, and a user ended it',
  no_answer: 'the callee did not answer in time',
  canceled:
    'the caller ended the call before it was accepted. If the accept reached the exchange first, the callee and the exchange have not_connected',
  declined: 'the callee declined',
  other_device_accepted: 'another device of the callee accepted',
  connection_lost: 'media was lost and did not come back',
  timed_out: 'the call was accepted, and did not connect in time',
  dial_failed: 'the exchange refused the dial',
  accept_failed: 'the exchange refused the accept',
  not_connected: 'the call was accepted, and ended before it connected',
  unknown: 'another reason, for example a call that the exchange does not know',
} as const satisfies Readonly<Record<EndResult, string>>;

const NO_RESULT = { none: 'the call is not over' } as const;

/** Returns the schema of a value that is one of these, with the meaning of each. */
const oneOf = <const T extends Readonly<Record<string, string>>>(meanings: T, description: string) =>
  about(v.picklist(Object.keys(meanings) as (keyof T & string)[]), description, { meanings });

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
const told = Object.fromEntries(
  LISTENERS.map((name) => [`told.${name}`, about(count, `How often the library called \`${name}\` of the host.`)]),
) as { readonly [L in Listener as `told.${L}`]: typeof count };

const ofCall = {
  'call.state': oneOf(CALL_STATE_MEANINGS, 'The state of the call.'),
  'call.result': oneOf({ ...NO_RESULT, ...RESULT_MEANINGS }, 'The result of the call.'),
  'call.outcome': oneOf(
    { ...NO_RESULT, ...CALL_STATE_MEANINGS, ...RESULT_MEANINGS },
    'The result of the call if there is one, else its state.',
  ),
  'call.id': about(v.string(), 'The id that the exchange has assigned.'),
  'call.role': oneOf({ caller: 'the user has dialled', callee: 'the user was called' }, 'The role of the user.'),
  'call.remote': about(v.string(), 'The user at the other end.'),
  'call.localAudio': about(flag, 'Whether the own microphone is on.'),
  'call.localVideo': about(flag, 'Whether the own camera is on.'),
  'call.remoteAudio': about(flag, 'Whether the microphone of the other user is on.'),
  'call.remoteVideo': about(flag, 'Whether the camera of the other user is on.'),
  'call.onHold': about(flag, 'Whether either user has put the call on hold.'),
  'call.recording': about(recordingStatus, 'Whether this device records.'),
  'call.remoteRecording': about(recordingStatus, 'Whether the other device records.'),
  'call.sharing': about(flag, 'Whether this device shares its screen.'),
  'call.duration': about(count, 'The milliseconds for which the call was connected.'),
  'call.startedAt': about(count, 'The milliseconds since the epoch at the beginning of the call.'),
  'call.endedAt': about(v.nullable(count), 'The milliseconds since the epoch at the end. Null while the call is live.'),
  'call.items': about(v.record(v.string(), v.string()), 'The custom items of the call.'),
  'call.endedBy': about(v.string(), 'The user id of the user who ended the call; `none` without one.'),
  'call.reconnected': about(count, 'How often the calls of this device have reconnected.'),
};

const ofRoom = {
  'room.state': oneOf({ open: 'it exists', deleted: 'it was deleted' }, 'The state of the room for all users.'),
  'room.session': about(v.picklist(ROOM_SESSION_STATES), 'The state of this device in the room.'),
  'room.entered': about(flag, 'Whether this device is in the room.'),
  'room.id': about(v.string(), 'The id that the exchange has assigned.'),
  'room.type': about(roomType, 'The type of the room.'),
  'room.me': about(
    v.picklist([...participantState.options, 'none']),
    "The state of this device's participant; `none` before the first entry.",
  ),
  'room.participants': about(words, 'The user ids of all participants, in the order of entry.'),
  'room.remotes': about(words, 'The user ids of the other participants, in the order of entry.'),
  'room.connected': about(count, 'The number of participants with media, with this device.'),
  'room.localAudio': about(flag, 'Whether the own microphone is on.'),
  'room.localVideo': about(flag, 'Whether the own camera is on.'),
  'room.remoteAudio': about(
    flags,
    'Whether the microphones of the others are on, by user id: `{ bob: false }`. The second participant of a user is `bob 2`.',
  ),
  'room.remoteVideo': about(flags, 'Whether the cameras of the others are on, by user id.'),
  'room.states': about(
    v.record(v.string(), participantState),
    'The states of the other participants, by user id: `{ bob: connected }`.',
  ),
  'room.heard': about(
    words,
    'The devices whose sound this device plays, also in a mix, in alphabetical order: `[bob.phone, carol]`.',
  ),
  'room.seen': about(words, 'The devices whose moving pictures this device shows, in alphabetical order.'),
  'room.sharing': about(flag, 'Whether this device shares its screen.'),
  'room.height': about(count, 'The lines of the picture that the camera is asked for. 0 without a camera.'),
  'room.missing': about(words, 'The kinds of missing devices: `[audio]`, `[video]`.'),
  'room.items': about(v.record(v.string(), v.string()), 'The custom items of the room.'),
  rooms: about(words, 'The ids of the rooms on the last page of a list.'),
  'rooms.next': about(flag, 'Whether there is a page after the last one.'),
  'rooms.previous': about(flag, 'Whether there is a page before the last one.'),
  invitations: about(words, 'The user ids of inviters without an answer, the oldest first.'),
  endpoint: about(v.picklist([...ENDPOINT_STATES, 'none']), 'The state of the media endpoint that changed last.'),
};

/** The paths behind the name of an actor, or of a device. */
export const ACTOR_PATHS = {
  ...ofCall,
  ...ofRoom,
  pc: about(v.picklist([...PEER_STATES, 'none']), 'The state of the peer connection.'),
  pcs: about(count, 'The number of open peer connections.'),
  calls: about(count, 'The number of live calls.'),
  ws: about(v.picklist(['open', 'closed']), 'The realtime channel.'),
  node: about(v.string(), 'The node at the other end of the channel: `node-1`. None with one node.'),
  sound: about(v.picklist(['dialing', 'ringing', 'reconnecting', 'reconnected', 'none']), 'The sound that loops.'),
  'audio.tone': about(
    count,
    'The hertz of the tone that the current call receives, to the nearest ten. 0 without one. The first device of the head sends 440, the next 660, 880.',
  ),
  'video.fps': about(
    count,
    'The pictures per second that the current call receives. Black pictures count. `video.marker` says whether pictures move.',
  ),
  'video.marker': oneOf(
    { advancing: 'the pictures move', none: 'there is no picture, or it is frozen or black' },
    'The received picture of the current call.',
  ),
  errors: about(v.array(v.number()), 'The codes of the errors that the host got, in order.'),
  user: about(v.string(), 'The user id of the signed-in user; `none` without one.'),
  tracks: about(count, 'The number of open tracks of microphone, camera and screen.'),
  page: about(v.picklist(['active', 'passive', 'hidden', 'frozen', 'terminated']), 'The state of the page.'),
  told: about(words, 'The names of the functions of the host that the library called, in order.'),
  ...told,
} as const;

/** The paths behind `server`. */
export const SERVER_PATHS = {
  nodes: about(count, 'The number of nodes that run.'),
  owners: about(
    words,
    'The names of the nodes that have a live call: one for each of their calls, in the order of the names.',
  ),
  calls: about(count, 'The number of live calls.'),
  devices: about(count, 'The number of devices with a channel.'),
  results: about(v.array(v.picklist(END_RESULTS)), 'The results of the ended calls, in order.'),
  durations: about(v.array(count), 'The milliseconds that each ended call was connected.'),
  summaries: about(
    count,
    'The number of call summaries that devices have sent, also those that a fault has lost or refused.',
  ),
  rooms: about(count, 'The number of rooms with participants or invitations.'),
  participants: about(words, 'The user ids of the participants of all rooms, in the order of entry.'),
  connected: about(count, 'The number of participants with media, of all rooms.'),
  endpoints: about(count, 'The number of media endpoints of all rooms.'),
  invitations: about(count, 'The number of invitations without an answer, of all rooms.'),
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
