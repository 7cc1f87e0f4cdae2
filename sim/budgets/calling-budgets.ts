/** The cost limits of each request and each command to the calling service. */
import type { CallingApi, CallingRoute } from '../../src/protocol/calling-api.ts';
import { LIMITS, ROOM_LIMITS } from '../../src/protocol/limits.ts';
import type { CommandType } from '../../src/protocol/messages/commands.ts';
import type { RoomCommandType } from '../../src/protocol/messages/rooms.ts';
import type { InputBudget, Kept, RateLimit } from './input-budget.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KIB = 1024;

const address = (points: number, seconds: number): RateLimit => ({ by: 'address', points, seconds });

/** Returns limits of `points` in a window for each device, and ten times as many for all devices of its user. */
const device = (points: number, seconds: number): readonly [byDevice: RateLimit, byAccount: RateLimit] => [
  { by: 'device', points, seconds },
  { by: 'account', points: 10 * points, seconds },
];

const request = <const L extends readonly RateLimit[], const K extends readonly Kept[]>(
  maxBytes: number,
  limits: L,
  ...keeps: K
) => ({ sender: 'user', maxBytes, limits, keeps }) as const satisfies InputBudget;

const FORGOTTEN = 'until the call is deleted';

const ENDPOINTS = {
  what: 'endpoints of a participant',
  most: ROOM_LIMITS.roomSizes.large_room_for_video,
  for: 'until the participant leaves',
} as const satisfies Kept;
const INVITATIONS = [
  { what: 'invitations of a user', most: 100, for: { seconds: 300 } },
  { what: 'invitations of a user to another', most: 10, for: { seconds: 300 } },
] as const satisfies readonly Kept[];
const HISTORY = 'for a year, in the history of the call';

/** The sender in the row of an endpoint. The budget of an owner is that of any user. */
type SenderFor<Access> = Access extends 'owner' ? 'user' : Access;

/** The requests by HTTP. A command by HTTP also counts against the budget of all commands. */
export const ROUTE_BUDGETS = {
  /** Counts only failures of clients without a session. They count by victim and by address together. */
  callingLogin: {
    sender: 'anybody',
    maxBytes: 16 * KIB,
    limits: [
      address(600, MINUTE),
      { by: 'account', points: 120, seconds: 30 },
      { by: 'target and address', points: 30, seconds: 10 * MINUTE, of: 'failures' },
    ],
    target: 'userId',
    keeps: [{ what: 'sessions of the calling service', most: 256, for: { seconds: DAY } }],
  },
  action: { sender: 'visitor', maxBytes: LIMITS.frameBytes, limits: [address(6_000, MINUTE)], keeps: [] },
  missedSignals: request(0, device(120, MINUTE)),
  summary: request(512 * KIB, device(120, 30), {
    what: 'summaries of a call',
    most: 17,
    for: HISTORY,
  }),
  putCustomItems: request(32 * KIB, device(120, 30), {
    what: 'custom items of a call',
    most: LIMITS.customItems,
    for: HISTORY,
  }),
  deleteCustomItems: request(32 * KIB, device(120, 30)),
  callHistory: request(0, device(120, MINUTE)),
  registerPushToken: request(16 * KIB, device(60, MINUTE), {
    what: 'push tokens of a type',
    most: 32,
    for: 'until the account is closed',
  }),
  unregisterPushTokens: request(0, device(60, MINUTE)),
  unregisterPushToken: request(0, device(60, MINUTE)),
  statsLogs: request(16 * KIB, device(600, MINUTE), {
    what: 'statistics of all calls',
    most: 2_000,
    for: 'until newer ones replace them',
  }),
  /**
   * Five hundred lines of a thousand characters fit. Parsing twice as much JSON would block the event loop for too
   * long.
   */
  debugLogs: request(640 * KIB, device(60, MINUTE), {
    what: 'lines of logs of all clients',
    most: 5_000,
    for: 'until newer ones replace them',
  }),
  createRoom: request(32 * KIB, device(60, MINUTE), {
    what: 'open rooms of a user',
    most: ROOM_LIMITS.roomsPerUser,
    for: 'until deletion',
  }),
  listRooms: request(0, device(120, MINUTE)),
  getRoom: request(0, device(600, MINUTE)),
  deleteRoom: request(0, device(60, MINUTE)),
  enterRoom: request(16 * KIB, device(120, MINUTE), { what: 'stays in rooms', most: null, for: 'for a year' }),
  exitRoom: request(0, device(120, MINUTE)),
  roomAlive: request(16 * KIB, device(120, MINUTE)),
  roomAudio: request(16 * KIB, device(600, MINUTE)),
  roomVideo: request(16 * KIB, device(600, MINUTE)),
  createEndpoint: request(LIMITS.frameBytes, device(600, MINUTE), ENDPOINTS),
  putEndpoint: request(LIMITS.frameBytes, device(600, MINUTE)),
  releaseEndpoint: request(16 * KIB, device(600, MINUTE)),
  attachEndpoint: request(16 * KIB, device(600, MINUTE)),
  endpointConnected: request(16 * KIB, device(600, MINUTE)),
  roomCustomItems: request(0, device(120, MINUTE)),
  putRoomCustomItems: request(32 * KIB, device(120, 30), {
    what: 'custom items of a room',
    most: LIMITS.customItems,
    for: 'until deletion',
  }),
  deleteRoomCustomItems: request(32 * KIB, device(120, 30)),
  sendInvitation: request(16 * KIB, device(60, MINUTE), ...INVITATIONS),
  cancelInvitation: request(16 * KIB, device(60, MINUTE)),
  answerInvitation: {
    sender: 'visitor',
    maxBytes: 16 * KIB,
    limits: [address(600, MINUTE), ...device(120, MINUTE)],
    keeps: [],
  },
} as const satisfies {
  readonly [Name in CallingRoute]: InputBudget & { readonly sender: SenderFor<CallingApi[Name]['access']> };
};

/** The limits that all commands of a device share, over the realtime channel and HTTP. */
export const CALLING_SHARED_BUDGETS = {
  /** A device on the realtime channel. */
  callingChannel: {
    sender: 'user',
    maxBytes: LIMITS.frameBytes,
    limits: [],
    keeps: [{ what: 'devices of a user on the channel', most: 16, for: 'until the session ends' }],
  },
  /** A command of any type. The exchange closes the socket of a device above this limit with 1008. */
  command: {
    sender: 'party',
    maxBytes: LIMITS.frameBytes,
    limits: [
      { by: 'device', points: 400, seconds: 4 },
      { by: 'account', points: 10_000, seconds: 10 },
      { by: 'device', points: 256 * KIB, seconds: 8, of: 'bytes' },
    ],
    keeps: [{ what: 'answers of a device', most: 128, for: 'until a request 5 to 20 minutes later' }],
  },
} as const satisfies Record<string, InputBudget>;

/** The signals that a side of a call receives. */
export const SIGNALS = { what: 'signals of a leg', most: 500, for: FORGOTTEN } as const satisfies Kept;

/** A command of a device in a call. The exchange keeps nothing of it after the call. */
const inCall: InputBudget = { sender: 'party', maxBytes: LIMITS.frameBytes, limits: [], keeps: [] };
/** A command that becomes a signal to the other side. */
const passedOn: InputBudget = { ...inCall, keeps: [SIGNALS] };

export const DIAL_BUDGET = {
  sender: 'user',
  maxBytes: LIMITS.frameBytes,
  limits: [{ by: 'account', points: 60, seconds: 15 }],
  keeps: [
    { what: 'live calls of a caller', most: 100, for: FORGOTTEN },
    { what: 'rows of the ledger', most: null, for: 'permanently' },
  ],
} as const satisfies InputBudget;

/** Invitations into rooms. One user can invite enough others at once to fill a large room. */
export const INVITATION_BUDGET = {
  sender: 'user',
  maxBytes: LIMITS.frameBytes,
  limits: [{ by: 'account', points: 100, seconds: MINUTE }],
  keeps: INVITATIONS,
} as const satisfies InputBudget;

/** A command of a device in a room. */
const inRoom: InputBudget = { sender: 'party', maxBytes: LIMITS.frameBytes, limits: [], keeps: [] };
/** A command about a room that any user may send. */
const byUser: InputBudget = { ...inRoom, sender: 'user' };

/** The commands by their types. Each also counts against the budget of all commands. */
export const COMMAND_BUDGETS: Readonly<Record<CommandType | RoomCommandType, InputBudget>> = {
  dial: DIAL_BUDGET,
  dial_rcv: { ...passedOn, sender: 'visitor' },
  accept: passedOn,
  cancel: passedOn,
  decline: passedOn,
  end: passedOn,
  timeout: passedOn,
  connection_lost: passedOn,
  no_answer: passedOn,
  hold: passedOn,
  offer: passedOn,
  answer: passedOn,
  candidate: passedOn,
  remove_candidates: passedOn,
  alive: inCall,
  connected: passedOn,
  audio: passedOn,
  video: passedOn,
  recording: passedOn,
  unended_calls: { ...inCall, sender: 'user' },
  heartbeat: { ...inCall, sender: 'user' },
  room_create: { ...byUser, keeps: ROUTE_BUDGETS.createRoom.keeps },
  room_get: byUser,
  room_enter: { ...byUser, keeps: ROUTE_BUDGETS.enterRoom.keeps },
  room_exit: inRoom,
  room_delete: inRoom,
  room_alive: inRoom,
  room_audio: inRoom,
  room_video: inRoom,
  endpoint_create: { ...inRoom, keeps: [ENDPOINTS] },
  endpoint_put: inRoom,
  endpoint_release: inRoom,
  endpoint_attach: inRoom,
  endpoint_detach: inRoom,
  endpoint_connected: inRoom,
  invitation_send: INVITATION_BUDGET,
  invitation_cancel: byUser,
  invitation_accept: byUser,
  invitation_decline: byUser,
  invitation_receive: byUser,
  room_custom_items_get: byUser,
  room_custom_items_update: { ...byUser, keeps: ROUTE_BUDGETS.putRoomCustomItems.keeps },
  room_custom_items_delete: byUser,
};
