/** The requests and commands of the calling service, valid and hostile, of the largest permitted size. */
import { gzipSync } from 'node:zlib';
import goldenCommands from '../../../fixtures/wire/commands.json' with { type: 'json' };
import goldenRoomCommands from '../../../fixtures/wire/room-commands.json' with { type: 'json' };
import goldenLogs from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { ROUTE_BUDGETS } from '../../../sim/budgets/calling-budgets.ts';
import type { CallingRoute } from '../../../src/protocol/calling-api.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { hostileBodies } from './hostile-bodies.ts';

export type Form = readonly [what: string, body: string];

const summaryData = {
  end_result: 'completed',
  pdd: 1,
  setup_time: 1,
  reconnection_count: 0,
  network_type: 'wifi',
  candidate_type: 'host',
  audio: {
    codec: 'opus',
    mos_list: Array.from({ length: LIMITS.summaryScores }, () => 4),
    mos: 4,
    packet_loss_rate: 0,
    rtt: 1,
  },
  video: null,
  stats_interval: 1,
};
/** A debug log whose lines take long to mask. */
const lines = (part: string) => ({
  ...goldenLogs.debug,
  logs: Array.from({ length: LIMITS.logEntries }, () => ({
    ...goldenLogs.debug.logs[0],
    log_message: part.repeat(LIMITS.logMessageChars / part.length),
  })),
});

const ENDPOINTS = '/v1/rooms/x/participants/y/endpoints';
const bomb = gzipSync(Buffer.alloc(LIMITS.sdpBytes * 64))
  .toString('base64')
  .slice(0, LIMITS.compressedSdpChars);

/** A request of each route, with valid bodies of the largest permitted size. */
export const REQUESTS: Readonly<Record<CallingRoute, readonly [method: string, path: string, ...bodies: object[]]>> = {
  callingLogin: [
    'POST',
    '/v1/users/dave/login',
    { app_id: 'ringback-demo', user_id: 'dave', access_token: 'x'.repeat(4_096) },
  ],
  action: ['POST', '/v1/action/direct_call', goldenCommands[0] ?? {}],
  missedSignals: ['GET', `/v1/direct_calls/missed_signal?call_ids=${'x,'.repeat(5_000)}`],
  summary: ['POST', '/v1/direct_calls/x/summary', { version: 1, user_role: 'dc_caller', summary_data: summaryData }],
  putCustomItems: ['PUT', '/v1/direct_calls/x/custom_items', { custom_items: { a: 'b' }, mode: 'upsert' }],
  deleteCustomItems: ['DELETE', '/v1/direct_calls/x/custom_items', { keys: ['a'] }],
  callHistory: ['GET', `/v1/users/carol/calls?end_result=${'completed,'.repeat(1_000)}`],
  registerPushToken: ['POST', '/v1/users/carol/push/fcm_voip', { token: 'x'.repeat(4_096), is_unique: true }],
  unregisterPushTokens: ['DELETE', '/v1/users/carol/push/fcm_voip'],
  unregisterPushToken: ['DELETE', `/v1/users/carol/push/fcm_voip/${'x'.repeat(10_000)}`],
  statsLogs: ['POST', '/v1/sdk/logs', goldenLogs.stats],
  debugLogs: ['POST', '/v1/sdk/debug_logs', lines('a@'), lines('a.'), lines('postgres://'), lines('x-'), lines('+1')],
  createRoom: ['POST', '/v1/rooms', { type: 'small_room_for_video', custom_items: { a: 'b' } }],
  listRooms: ['GET', `/v1/rooms?room_ids=${'x,'.repeat(5_000)}`],
  getRoom: ['GET', '/v1/rooms/x'],
  deleteRoom: ['DELETE', '/v1/rooms/x'],
  enterRoom: ['POST', '/v1/rooms/x/participants', { is_audio_on: true, is_video_on: true, kick_siblings: true }],
  exitRoom: ['DELETE', '/v1/rooms/x/participants/y'],
  roomAlive: ['POST', '/v1/rooms/x/participants/y/alive', {}],
  roomAudio: ['PUT', '/v1/rooms/x/participants/y/audio', { on: true }],
  roomVideo: ['PUT', '/v1/rooms/x/participants/y/video', { on: true }],
  createEndpoint: ['POST', ENDPOINTS, { sdp: bomb, audio_attr: 'sendonly', video_attr: 'sendonly' }],
  putEndpoint: ['PUT', `${ENDPOINTS}/z`, { sdp: bomb }],
  releaseEndpoint: ['DELETE', `${ENDPOINTS}/z`, { attach_to: 'x' }],
  attachEndpoint: ['POST', `${ENDPOINTS}/z/attach`, { attach_to: 'x' }],
  endpointConnected: ['POST', `${ENDPOINTS}/z/connected`, {}],
  roomCustomItems: ['GET', '/v1/rooms/x/custom_items'],
  putRoomCustomItems: ['PUT', '/v1/rooms/x/custom_items', { custom_items: { a: 'b' }, mode: 'upsert' }],
  deleteRoomCustomItems: ['DELETE', '/v1/rooms/x/custom_items', { keys: ['a'] }],
  sendInvitation: ['POST', '/v1/rooms/x/invitation', { invitee_id: 'dave' }],
  cancelInvitation: ['DELETE', '/v1/rooms/x/invitation', { invitee_id: 'dave' }],
  answerInvitation: ['PUT', '/v1/rooms/x/invitation', { action: 'receive', inviter_id: 'dave' }],
};

/** Returns a JSON schema that permits only the values of this body. */
const schemaOf = (body: object) => ({
  properties: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, { const: value as unknown }])),
});

/** Returns the hostile forms of a body and of its parts, and the body itself. */
export function formsOf(body: object, most: number): Form[] {
  const parts = Object.entries(body).flatMap(([name, part]) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return [];
    const rest = JSON.stringify({ ...body, [name]: null });
    const room = most - rest.length;
    return formsOf(part, room).map(([what, text]): Form => [
      `${what} of ${name}`,
      rest.replace(`"${name}":null`, () => `"${name}":${text}`),
    ]);
  });
  return [['as it should be', JSON.stringify(body)], ...hostileBodies(schemaOf(body), most), ...parts];
}

/** Returns the hostile forms of the first body of a route, and its other bodies unchanged. */
export function formsOfRoute(name: CallingRoute): readonly Form[] {
  const [, , first, ...others] = REQUESTS[name];
  const { maxBytes } = ROUTE_BUDGETS[name];
  const whole = others.map((body): Form => ['as it should be', JSON.stringify(body)]);
  const forms = [...(first ? formsOf(first, maxBytes) : []), ...whole];
  return forms.filter(([, text]) => Buffer.byteLength(text) <= maxBytes);
}

/** Returns the golden command of a type, for this call. */
export function commandOf(type: string, mine: string) {
  const frame = [...goldenCommands, ...goldenRoomCommands].find((one) => one.type === type);
  if (!frame) throw new Error(`there is no golden command ${type}`);
  const own = 'call_id' in frame.payload ? { call_id: mine } : {};
  return { ...frame, payload: { ...frame.payload, ...own, ...('sdp' in frame.payload ? { sdp: bomb } : {}) } };
}
