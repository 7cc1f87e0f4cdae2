/**
 * The session of this client in one room (calling library §4, room session), as data.
 *
 *     idle ── entering ── entered ── exiting ── idle
 *                            └── idle: kicked, or lost
 *     any ── deleted
 */
import type { Machine, Row, Table } from '../machine/machine.ts';

export const ROOM_SESSION_STATES = ['idle', 'entering', 'entered', 'exiting', 'deleted'] as const;
export type RoomSessionState = (typeof ROOM_SESSION_STATES)[number];

export const ROOM_SESSION_EVENTS = [
  'enterRequested',
  'enterSucceeded',
  'enterFailed',
  'exitRequested',
  'exitSettled',
  'aliveDue',
  'roomDeleted',
  'kicked',
  'connectionLost',
  'signedOut',
] as const;
export type RoomSessionEvent = (typeof ROOM_SESSION_EVENTS)[number];

export type RoomSessionEffect =
  | 'requestEnter'
  | 'startMedia'
  | 'endSession'
  | 'requestExit'
  | 'sendAlive'
  | 'notifyDeleted'
  | 'notifyKicked'
  | 'notifyLost';

export type RoomSessionTimer = 'alive';

/** The only role: every participant has the same rights (§6). */
export type RoomSessionRole = 'participant';

export type RoomSessionRow = Row<RoomSessionState, RoomSessionEvent, RoomSessionEffect, RoomSessionRole>;

const rows: readonly RoomSessionRow[] = [
  { ids: ['RM-31', 'RM-36'], from: 'idle', on: 'enterRequested', to: 'entering', effects: ['requestEnter'] },
  // The host enters again before the exchange has answered the exit. The request waits for that answer.
  { ids: ['RM-36'], from: 'exiting', on: 'enterRequested', to: 'entering', effects: ['requestEnter'] },
  { ids: ['RM-36'], from: 'entering', on: 'enterSucceeded', to: 'entered', effects: ['startMedia'] },
  { ids: ['RM-36'], from: 'entering', on: 'enterFailed', to: 'idle' },

  { ids: ['RM-05'], from: 'entered', on: 'exitRequested', to: 'exiting', effects: ['endSession', 'requestExit'] },
  { ids: ['RM-05'], from: 'exiting', on: 'exitSettled', to: 'idle' },
  { ids: ['RM-05'], from: ['idle', 'entering', 'entered', 'deleted'], on: 'exitSettled' },

  { ids: ['RM-09'], from: 'entered', on: 'aliveDue', effects: ['sendAlive'] },

  {
    ids: ['RM-06', 'RM-11', 'RM-22'],
    from: 'entered',
    on: 'roomDeleted',
    to: 'deleted',
    effects: ['endSession', 'notifyDeleted'],
  },
  {
    ids: ['RM-22'],
    from: ['idle', 'entering', 'exiting'],
    on: 'roomDeleted',
    to: 'deleted',
    effects: ['notifyDeleted'],
  },
  { ids: ['RM-08', 'RM-13'], from: 'entered', on: 'kicked', to: 'idle', effects: ['endSession', 'notifyKicked'] },
  {
    ids: ['RM-07', 'RM-10', 'RM-12'],
    from: 'entered',
    on: 'connectionLost',
    to: 'idle',
    effects: ['endSession', 'notifyLost'],
  },

  // The user of the session signs out: a participant leaves. An enter under way may have made one already.
  { ids: ['RM-05'], from: 'entered', on: 'signedOut', to: 'exiting', effects: ['endSession', 'requestExit'] },
  { ids: ['RM-05'], from: 'entering', on: 'signedOut', to: 'exiting', effects: ['requestExit'] },
  { ids: ['RM-05'], from: ['idle', 'exiting', 'deleted'], on: 'signedOut' },
];

/** The machine that a room runs. */
export const ROOM_SESSION_MACHINE: Machine<
  RoomSessionState,
  RoomSessionEvent,
  RoomSessionEffect,
  RoomSessionTimer,
  RoomSessionRole,
  RoomSessionRow
> = {
  initial: 'idle',
  rows,
  entry: {},
  timers: { alive: { ids: ['RM-09'], during: ['entered'], repeats: true, raises: 'aliveDue' } },
};

export const ROOM_SESSION_TABLE: Table<
  RoomSessionState,
  RoomSessionEvent,
  RoomSessionEffect,
  RoomSessionTimer,
  RoomSessionRole,
  RoomSessionRow
> = {
  ...ROOM_SESSION_MACHINE,
  name: 'Room session',
  states: ROOM_SESSION_STATES,
  events: ROOM_SESSION_EVENTS,
  final: ['deleted'],
};
