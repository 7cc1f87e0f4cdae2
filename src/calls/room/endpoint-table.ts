/**
 * The life of one media endpoint of a room (calling library §4, media endpoint), as data.
 *
 *     idle ── offering ── established ── connected
 *                ▲  │          │             │
 *                │  └──────────┴─────────────┴── disconnected ── reconnecting ──┐
 *                └──────────────────────────────────────────────────────────────┘
 *     any ── releasing ── closed          any ── closed
 */
import type { Machine, Row, Table } from '../machine/machine.ts';

export const ENDPOINT_STATES = [
  'idle',
  'offering',
  'established',
  'connected',
  'disconnected',
  'reconnecting',
  'releasing',
  'closed',
] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

export const ENDPOINT_EVENTS = [
  'begun',
  'requestSucceeded',
  'requestFailed',
  'peerConnected',
  'iceFailed',
  'connectionDropped',
  'reconnectDue',
  'attachRequested',
  'releaseRequested',
  'released',
  'exitRequested',
] as const;
export type EndpointEvent = (typeof ENDPOINT_EVENTS)[number];

export type EndpointEffect =
  | 'offer'
  | 'applyAnswer'
  | 'applyAttaches'
  | 'sendConnected'
  | 'notifyConnected'
  | 'notifyLost'
  | 'dropConnection'
  | 'countReconnect'
  | 'keepAttach'
  | 'sendAttach'
  | 'sendRelease'
  | 'close';

/** The role of an endpoint. A master sends this participant's media, a viewer receives another's (§3). */
export type EndpointRole = 'master' | 'viewer';

export type EndpointTimer = 'connect' | 'reconnect';

export type EndpointRow = Row<EndpointState, EndpointEvent, EndpointEffect, EndpointRole>;

const LIVE: readonly EndpointState[] = ['idle', 'offering', 'established', 'connected', 'disconnected', 'reconnecting'];

const rows: readonly EndpointRow[] = [
  { ids: ['EP-01'], from: 'idle', on: 'begun', to: 'offering', effects: ['offer'] },
  {
    ids: ['EP-02', 'EP-13'],
    from: 'offering',
    on: 'requestSucceeded',
    to: 'established',
    effects: ['applyAnswer', 'applyAttaches'],
  },
  { ids: ['EP-03'], from: 'offering', on: 'requestFailed', to: 'disconnected' },
  { ids: ['EP-04'], from: 'offering', on: 'iceFailed', to: 'disconnected' },
  {
    ids: ['EP-05', 'EP-14'],
    from: 'established',
    on: 'peerConnected',
    to: 'connected',
    effects: ['sendConnected', 'notifyConnected'],
  },
  { ids: ['EP-06'], from: 'established', on: 'iceFailed', to: 'disconnected' },
  // The answer to the offer cannot be applied, so the endpoint never connects.
  { ids: ['EP-06'], from: 'established', on: 'requestFailed', to: 'disconnected' },
  { ids: ['EP-07'], from: 'connected', on: 'iceFailed', to: 'disconnected', effects: ['notifyLost'] },
  { ids: ['EP-08'], from: 'disconnected', on: 'connectionDropped', to: 'reconnecting' },
  // The host left the room in its listener of the loss.
  { ids: ['EP-11', 'EP-12'], from: ['releasing', 'closed'], on: 'connectionDropped' },
  {
    ids: ['EP-09', 'EP-10'],
    from: 'reconnecting',
    on: 'reconnectDue',
    to: 'offering',
    effects: ['countReconnect', 'offer'],
  },

  // Without an id at the exchange, an attach waits for the next establishment.
  {
    ids: ['EP-13'],
    from: ['idle', 'offering', 'disconnected', 'reconnecting'],
    on: 'attachRequested',
    effects: ['keepAttach'],
  },
  { ids: ['EP-13'], from: ['established', 'connected'], on: 'attachRequested', effects: ['sendAttach'] },

  { ids: ['EP-11'], from: LIVE, on: 'releaseRequested', to: 'releasing', effects: ['sendRelease'] },
  { ids: ['EP-11'], from: 'releasing', on: 'released', to: 'closed' },
  { ids: ['EP-12'], from: [...LIVE, 'releasing'], on: 'exitRequested', to: 'closed' },
];

export const ENDPOINT_MACHINE: Machine<
  EndpointState,
  EndpointEvent,
  EndpointEffect,
  EndpointTimer,
  EndpointRole,
  EndpointRow
> = {
  initial: 'idle',
  rows,
  entry: { disconnected: ['dropConnection'], closed: ['close'] },
  timers: {
    // The exchange has released an endpoint that has not connected by then (ADR 0027).
    connect: { ids: ['EP-06'], during: ['established'], repeats: false, raises: 'iceFailed' },
    reconnect: { ids: ['EP-09'], during: ['reconnecting'], repeats: false, raises: 'reconnectDue' },
  },
};

export const ENDPOINT_TABLE: Table<
  EndpointState,
  EndpointEvent,
  EndpointEffect,
  EndpointTimer,
  EndpointRole,
  EndpointRow
> = {
  ...ENDPOINT_MACHINE,
  name: 'Media endpoint',
  states: ENDPOINT_STATES,
  events: ENDPOINT_EVENTS,
  final: ['closed'],
};
