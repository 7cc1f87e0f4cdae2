import type { EndpointState } from '../../../../src/calls/room/endpoint-table.ts';
import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { ROOM_TIMES } from '../../../../src/protocol/limits.ts';
import { ROOM_TYPES } from '../../../../src/protocol/room-entities.ts';
import { ROOM_EVENTS } from '../../../../src/protocol/messages/rooms.ts';
import {
  all,
  any,
  type Evidence,
  hasAll,
  messages,
  moved,
  moves,
  notified,
  noticesOf,
  raised,
  received,
  requested,
  sent,
  spaced,
  type Trace,
  valueAt,
} from '../predicates.ts';

const room = (from: string, to: string) => moved('room', from, to);
const endpoint = (from: string, to: string) => moved('endpoint', from, to);

/** How late a device makes a move after its cause arrived. Milliseconds. */
const PROMPT_MS = 10;

/** The device makes this move when it gets the message. */
const movedBy =
  (
    machine: 'room' | 'endpoint',
    from: string,
    to: string,
    cmd: string,
    isCause = (_payload: unknown): boolean => true,
  ) =>
  (trace: Trace, tolerance: (ms: number) => number): boolean =>
    moves(trace, machine).some(
      (move) =>
        move.from === from &&
        move.to === to &&
        messages(trace, 'down', cmd).some(
          ({ device, at, payload }) =>
            device === move.device && Math.abs(move.at - at) <= PROMPT_MS + tolerance(0) && isCause(payload),
        ),
    );

/** The keep-alive of the device was refused with this code, and its session ended. */
const refusedAlive =
  (code: number, to: string): Evidence =>
  (trace, tolerance) =>
    messages(trace, 'down', 'room_alive_ack').some(
      (reply) =>
        reply.error === code &&
        moves(trace, 'room').some(
          (move) =>
            move.device === reply.device &&
            move.from === 'entered' &&
            move.to === to &&
            Math.abs(move.at - reply.at) <= PROMPT_MS + tolerance(0),
        ),
    );

/** A device got the event, and its host the notice. */
const reported = (cmd: string, notice: string): Evidence => all(received(cmd), notified(notice));

/** The device sent the command once for several requests of its user. */
const onlyChanges =
  (cmd: 'room_audio' | 'room_video'): Evidence =>
  (trace) => {
    const devices = new Set(messages(trace, 'up', cmd).map(({ device }) => device));
    return [...devices].some((device) => {
      const values = messages(trace, 'up', cmd)
        .filter((message) => message.device === device)
        .map(({ payload }) => valueAt(payload, 'on'));
      return values.length > 1 && values.every((value, at) => at === 0 || value !== values[at - 1]);
    });
  };

/** The types of the rooms for which a device sent this command. */
const typesOf = (trace: Trace, cmd: string): Set<unknown> => {
  const types = new Map<unknown, unknown>();
  for (const { payload } of messages(trace, 'down', 'room_create_ack'))
    types.set(valueAt(payload, 'room.room_id'), valueAt(payload, 'room.room_type'));
  return new Set(messages(trace, 'up', cmd).map(({ payload }) => types.get(valueAt(payload, 'room_id'))));
};

/** The directions of the endpoints that devices made, as `audio video`, by the type of their room. */
const directionsIn = (trace: Trace, type: string): Set<string> => {
  const rooms = messages(trace, 'down', 'room_create_ack').flatMap(({ payload }) =>
    valueAt(payload, 'room.room_type') === type ? [valueAt(payload, 'room.room_id')] : [],
  );
  return new Set(
    messages(trace, 'up', 'endpoint_create').flatMap(({ payload }) =>
      rooms.includes(valueAt(payload, 'room_id'))
        ? [`${String(valueAt(payload, 'audio_attr'))} ${String(valueAt(payload, 'video_attr'))}`]
        : [],
    ),
  );
};

/** The directions of masters and viewers (§9). */
const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  small_room_for_audio_only: ['sendonly inactive', 'recvonly inactive'],
  large_room_for_audio_only: ['sendrecv inactive'],
  small_room_for_video: ['sendonly sendonly', 'recvonly recvonly'],
  large_room_for_video: ['sendrecv sendonly', 'inactive recvonly'],
};

/** An endpoint of a device moves into a state, and one out of it within these milliseconds. */
const stays =
  (state: EndpointState, next: EndpointState, between: readonly [number, number]): Evidence =>
  (trace, tolerance) =>
    moves(trace, 'endpoint').some(
      (entry) =>
        entry.to === state &&
        moves(trace, 'endpoint').some(
          ({ device, from, to, at }) =>
            device === entry.device &&
            from === state &&
            to === next &&
            at - entry.at >= between[0] - tolerance(between[0]) &&
            at - entry.at <= between[1] + tolerance(between[1]),
        ),
    );

/** A step expected this, and its scenario passed. */
const expected =
  (words: RegExp): Evidence =>
  (trace) =>
    trace.some((event) => event.kind === 'step' && words.test(event.text));

/** A hidden page sends no picture. When it is visible again, it opens its channel anew and sends its picture. */
const pausedWhileHidden: Evidence = (trace) => {
  const [hidden, shown] = [true, false].map((on) =>
    trace.find((event) => event.kind === 'fault' && /^page .*hidden/.test(event.what) && event.on === on),
  );
  if (!hidden || !shown) return false;
  const between = trace.filter(({ at }) => at >= hidden.at && at < shown.at);
  const after = trace.filter(({ at }) => at >= shown.at);
  return (
    expected(/\.room\.seen":\[\]/)(between, () => 0) &&
    after.some((event) => event.kind === 'socket' && event.what === 'open') &&
    expected(/\.room\.seen":\["/)(after, () => 0)
  );
};

const MOST_NOISE_MS = ROOM_TIMES.endpointReconnectMs + ROOM_TIMES.endpointReconnectNoiseMs;
const PARTICIPANT = [
  'participant_id',
  'entered_at',
  'updated_at',
  'exited_at',
  'duration',
  'state',
  'user',
  'is_local_participant',
  'client_id',
  'is_audio_on',
  'is_video_on',
];

const INVITATION = /^\/v1\/rooms\/[^/]+\/invitation$/;

/** The requests about rooms over HTTP, by the id of their requirement. */
const REQUESTS = {
  'HTTP-03': ['POST', /^\/v1\/rooms$/],
  'HTTP-04': ['GET', /^\/v1\/rooms\/[^/?]+$/],
  'HTTP-05': ['GET', /^\/v1\/rooms(\?.*)?$/],
  'HTTP-06': ['DELETE', /^\/v1\/rooms\/[^/]+$/],
  'HTTP-07': ['POST', /^\/v1\/rooms\/[^/]+\/participants$/],
  'HTTP-08': ['DELETE', /^\/v1\/rooms\/[^/]+\/participants\/[^/]+$/],
  'HTTP-09': ['POST', /\/participants\/[^/]+\/alive$/],
  'HTTP-10': ['PUT', /\/participants\/[^/]+\/(audio|video)$/],
  'HTTP-11': ['POST', /\/participants\/[^/]+\/endpoints$/],
  'HTTP-14': ['POST', /\/endpoints\/[^/]+\/attach$/],
  'HTTP-15': ['POST', /\/endpoints\/[^/]+\/connected$/],
  'HTTP-16': ['PUT', /^\/v1\/rooms\/[^/]+\/custom_items$/],
  'HTTP-17': ['POST', INVITATION],
} as const;

/** The events of invitations (RM-23). */
const INVITATION_EVENTS = [
  'invitation_sent',
  'invitation_received',
  'invitation_accepted',
  'invitation_declined',
  'invitation_canceled',
];

/** The evidence for the requirements of rooms, their endpoints and their invitations. */
export const ROOMS: Readonly<Record<string, Evidence>> = {
  'RM-01': raised(ErrorCode.ERR_PARTICIPANT_ALREADY_IN_ROOM),
  'RM-02': raised(ErrorCode.ERR_ENTERING_ROOM_STILL_IN_PROGRESS),
  'RM-03': raised(ErrorCode.ERR_PARTICIPANT_NOT_IN_ROOM),
  'RM-04': raised(ErrorCode.ERR_EXITING_ROOM_STILL_IN_PROGRESS),
  'RM-05': all(room('entered', 'exiting'), room('exiting', 'idle'), sent('room_exit'), endpoint('connected', 'closed')),
  'RM-06': movedBy('room', 'entered', 'deleted', 'room_deleted'),
  'RM-07': all(room('entered', 'idle'), raised(ErrorCode.ERR_LOCAL_PARTICIPANT_LOST_CONNECTION)),
  'RM-08': all(room('entered', 'idle'), raised(ErrorCode.ERR_LOCAL_PARTICIPANT_KICKED_OUT)),
  'RM-09': spaced('room_alive', ROOM_TIMES.roomAliveIntervalMs),
  'RM-10': (trace, tolerance) =>
    moves(trace, 'room').some(
      ({ device, from, to, at }) =>
        from === 'entered' &&
        to === 'idle' &&
        messages(trace, 'up', 'room_alive').filter((message) => message.device === device).length >= 8 &&
        trace.some(
          (event) =>
            event.kind === 'error' &&
            event.device === device &&
            event.code === ErrorCode.ERR_LOCAL_PARTICIPANT_LOST_CONNECTION &&
            Math.abs(event.at - at) <= PROMPT_MS + tolerance(0),
        ),
    ),
  'RM-11': refusedAlive(ErrorCode.ERR_ROOM_DELETED, 'deleted'),
  'RM-12': refusedAlive(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT, 'idle'),
  'RM-13': all(
    movedBy(
      'room',
      'entered',
      'idle',
      'participant_disconnected',
      (payload) => valueAt(payload, 'reason') === 'sibling_kicked',
    ),
    raised(ErrorCode.ERR_LOCAL_PARTICIPANT_KICKED_OUT),
  ),
  'RM-14': reported('participant_entered', 'remoteParticipantEntered'),
  'RM-15': reported('participant_connected', 'remoteParticipantStreamStarted'),
  'RM-16': reported('participant_exited', 'remoteParticipantExited'),
  'RM-17': all(received('participant_disconnected', 'reason'), notified('remoteParticipantExited')),
  'RM-18': all(received('participant_audio_status_changed', 'on'), notified('remoteAudioSettingsChanged')),
  'RM-19': all(received('participant_video_status_changed', 'on'), notified('remoteVideoSettingsChanged')),
  'RM-20': reported('custom_items_update', 'customItemsUpdated'),
  'RM-21': reported('custom_items_delete', 'customItemsDeleted'),
  'RM-22': reported('room_deleted', 'deleted'),
  'RM-23': (trace, tolerance) => INVITATION_EVENTS.every((cmd) => received(cmd)(trace, tolerance)),
  'RM-24': (trace) =>
    messages(trace, 'down', 'room_deleted').some(({ device, payload, at }) => {
      const id = valueAt(payload, 'room_id');
      const isKnown = trace.some(
        (event) =>
          event.kind === 'message' &&
          event.device === device &&
          event.at <= at &&
          event.cmd !== 'room_deleted' &&
          JSON.stringify(event.payload)?.includes(`"${String(id)}"`),
      );
      return !isKnown && noticesOf(trace, device, 'deleted').length === 0;
    }),
  'RM-25': all(onlyChanges('room_audio'), onlyChanges('room_video')),
  'RM-26': all(expected(/\.room\.sharing":true/), notified('localScreenShareStopped')),
  'RM-28': all(
    expected(/\.room\.missing":\["audio"\]/),
    room('entering', 'entered'),
    endpoint('established', 'connected'),
  ),
  'RM-30': pausedWhileHidden,
  'RM-31': (trace) =>
    messages(trace, 'up', 'room_enter').some(({ payload }) => valueAt(payload, 'kick_siblings') === true),
  'RM-32': (trace) =>
    messages(trace, 'up', 'room_delete').some(
      ({ device, payload }) =>
        !messages(trace, 'down', 'room_create_ack').some(
          (made) => made.device === device && valueAt(made.payload, 'room.room_id') === valueAt(payload, 'room_id'),
        ),
    ),
  'RM-33': all(...[720, 540, 480, 360].map((lines) => expected(new RegExp(`\\.room\\.height":${lines}\\b`)))),
  'RM-34': all(raised(ErrorCode.INVALID_PARAMETER_VALUE), (trace) =>
    messages(trace, 'up', 'room_create').every(
      ({ payload }) => valueAt(payload, 'type') !== 'large_room_for_audio_only',
    ),
  ),
  'RM-35': (trace) =>
    trace.some((event) => event.kind === 'message' && event.direction === 'down' && event.cmd in ROOM_EVENTS),
  'RM-36': (trace) =>
    ['room_enter', 'room_exit', 'room_delete'].every((cmd) => typesOf(trace, cmd).size === ROOM_TYPES.length) &&
    requested('GET', REQUESTS['HTTP-05'][1])(trace, () => 0),
  'EP-01': endpoint('idle', 'offering'),
  'EP-02': movedBy('endpoint', 'offering', 'established', 'endpoint_create_ack'),
  'EP-03': (trace, tolerance) =>
    moves(trace, 'endpoint').some(
      ({ device, from, to, at }) =>
        from === 'offering' &&
        to === 'disconnected' &&
        trace.some(
          (event) =>
            'device' in event &&
            event.device === device &&
            Math.abs(event.at - at) <= PROMPT_MS + tolerance(0) &&
            ((event.kind === 'message' && event.cmd === 'endpoint_create_ack' && event.error !== undefined) ||
              event.kind === 'error'),
        ),
    ),
  'EP-05': all(endpoint('established', 'connected'), sent('endpoint_connected')),
  'EP-06': endpoint('established', 'disconnected'),
  'EP-07': endpoint('connected', 'disconnected'),
  'EP-08': stays('disconnected', 'reconnecting', [0, 0]),
  'EP-09': stays('reconnecting', 'offering', [ROOM_TIMES.endpointReconnectMs, MOST_NOISE_MS]),
  'EP-11': all(
    any(...['idle', 'offering', 'established', 'connected', 'reconnecting'].map((from) => endpoint(from, 'releasing'))),
    endpoint('releasing', 'closed'),
    sent('endpoint_release'),
  ),
  'EP-12': any(
    ...['idle', 'offering', 'established', 'connected', 'reconnecting'].map((from) => endpoint(from, 'closed')),
  ),
  'EP-13': all(sent('endpoint_attach', 'attach_to'), endpoint('established', 'connected')),
  'EP-14': all(endpoint('reconnecting', 'offering'), notified('localParticipantReconnected')),
  'EP-15': (trace, tolerance) => {
    const attaches = messages(trace, 'up', 'endpoint_attach');
    const first = ROOM_TIMES.attachRetryInitialMs;
    return attaches.some((one) =>
      attaches.some(
        (other) =>
          other.device === one.device &&
          valueAt(other.payload, 'endpoint_id') === valueAt(one.payload, 'endpoint_id') &&
          Math.abs(other.at - one.at - first) <= PROMPT_MS + tolerance(first),
      ),
    );
  },
  'EP-17': (trace) =>
    Object.entries(DIRECTIONS).every(([type, wanted]) => {
      const made = directionsIn(trace, type);
      return made.size === wanted.length && wanted.every((directions) => made.has(directions));
    }),
  'INV-01': all(sent('invitation_send'), sent('invitation_cancel')),
  'INV-02': all(
    any(sent('invitation_receive'), requested('PUT', INVITATION)),
    any(sent('invitation_accept'), sent('invitation_decline')),
  ),
  'ENT-01': received(
    'room_create_ack',
    'room.room_id',
    'room.state',
    'room.room_type',
    'room.custom_items',
    'room.created_at',
    'room.created_by',
    'room.current_participants',
  ),
  'ENT-04': (trace) =>
    messages(trace, 'down', 'room_enter_ack').some(({ payload }) => hasAll(valueAt(payload, 'me'), PARTICIPANT)),
  'ENT-08': received('invitation_sent', 'room', 'inviter', 'invitee', 'short_lived_token'),
  'CI-02': all(
    any(sent('room_custom_items_update'), sent('room_custom_items_delete')),
    any(received('custom_items_update'), received('custom_items_delete')),
  ),
  'RT-14': all(...['room_create', 'room_enter', 'room_alive', 'room_exit'].map((cmd) => sent(cmd))),
  'QRY-01': raised(ErrorCode.ERR_QUERY_IN_PROGRESS),
  ...Object.fromEntries(Object.entries(REQUESTS).map(([id, [method, path]]) => [id, requested(method, path)])),
};
