/** The observable values of an actor and of the exchange, with a schema for the value at each path. */
import * as v from 'valibot';
import { PEER_STATES } from '../../../src/calls/peer/table.ts';
import { CALL_STATES } from '../../../src/calls/direct-call/table.ts';
import { END_RESULTS, recordingStatus } from '../../../src/protocol/enumerations.ts';

const flag = v.boolean();
const count = v.number();
const words = v.array(v.string());
const result = v.picklist([...END_RESULTS, 'none']);

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

type Listener = 'onRinging' | (typeof CALL_LISTENERS)[number];
/** How often each listener was called. */
const told = Object.fromEntries(['onRinging', ...CALL_LISTENERS].map((name) => [`told.${name}`, count])) as {
  readonly [L in Listener as `told.${L}`]: typeof count;
};

/** The paths behind the name of an actor, or of a device. */
export const ACTOR_PATHS = {
  'call.state': v.picklist(CALL_STATES),
  'call.result': result,
  'call.outcome': v.picklist([...CALL_STATES, ...END_RESULTS, 'none']),
  'call.id': v.string(),
  'call.role': v.picklist(['caller', 'callee']),
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
  pc: v.picklist([...PEER_STATES, 'none']),
  pcs: count,
  calls: count,
  ws: v.picklist(['open', 'closed']),
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
  calls: count,
  devices: count,
  results: v.array(v.picklist(END_RESULTS)),
  /** The milliseconds that each ended call was connected. */
  durations: v.array(count),
  summaries: count,
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
