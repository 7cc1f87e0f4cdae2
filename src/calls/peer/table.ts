/**
 * The life of one peer connection (calling library §4, peer connection), as data.
 *
 *     idle ── offering ──┐
 *      │                 ├── connected ── reconnecting ── iceRestartOffering ──┐
 *      └──── answering ──┘       ▲                    └── iceRestartAnswering ─┤
 *                                └─────────────────────────────────────────────┘
 *     any ── closed
 */
import type { Machine, Row, Table } from '../machine/machine.ts';

export const PEER_STATES = [
  'idle',
  'offering',
  'answering',
  'connected',
  'reconnecting',
  'iceRestartOffering',
  'iceRestartAnswering',
  'closed',
] as const;
export type PeerState = (typeof PEER_STATES)[number];

export const PEER_EVENTS = [
  'offerRequested',
  'offerReceived',
  'answerReceived',
  'iceConnected',
  'iceDisconnected',
  'iceFailed',
  'closeRequested',
] as const;
export type PeerEventName = (typeof PEER_EVENTS)[number];

export type PeerEffect =
  | 'sendOffer'
  | 'sendRestartOffer'
  | 'answerOffer'
  | 'applyAnswer'
  | 'takeOfferAgain'
  | 'notifyConnected'
  | 'notifyLost'
  | 'close';

/**
 * The role of a peer connection. The initiator makes the first offer and every offer of an ICE restart. A disposable
 * connection has been replaced by another and waits for its close.
 */
export type PeerRole = 'initiator' | 'responder' | 'disposable';

export type PeerRow = Row<PeerState, PeerEventName, PeerEffect, PeerRole>;

const LASTING: readonly PeerRole[] = ['initiator', 'responder'];

const rows: readonly PeerRow[] = [
  { ids: ['PC-01'], from: 'idle', on: 'offerRequested', to: 'offering', effects: ['sendOffer'] },
  { ids: ['PC-02', 'PC-07'], from: 'idle', on: 'offerReceived', to: 'answering', effects: ['answerOffer'] },

  { ids: ['PC-04'], from: 'offering', on: 'answerReceived', effects: ['applyAnswer'] },
  { ids: ['PC-05'], from: 'offering', on: 'iceConnected', to: 'connected', effects: ['notifyConnected'] },
  { ids: ['PC-08'], from: 'answering', on: 'iceConnected', to: 'connected', effects: ['notifyConnected'] },

  // The other side detected the loss first and offers a restart. The state is reconnecting, in which the offer is
  // accepted.
  {
    ids: ['PC-10'],
    from: 'connected',
    on: 'offerReceived',
    to: 'reconnecting',
    effects: ['notifyLost', 'takeOfferAgain'],
  },
  {
    ids: ['PC-11'],
    from: 'connected',
    on: 'iceDisconnected',
    role: LASTING,
    to: 'reconnecting',
    effects: ['notifyLost'],
  },
  {
    ids: ['PC-12'],
    from: 'connected',
    on: 'iceFailed',
    role: 'initiator',
    to: 'iceRestartOffering',
    effects: ['notifyLost', 'sendRestartOffer'],
  },
  {
    ids: ['PC-13'],
    from: 'connected',
    on: 'iceFailed',
    role: 'responder',
    to: 'iceRestartAnswering',
    effects: ['notifyLost'],
  },
  { ids: ['PC-14'], from: 'connected', on: 'iceDisconnected', role: 'disposable', to: 'closed' },
  { ids: ['PC-14'], from: 'connected', on: 'iceFailed', role: 'disposable', to: 'closed' },

  {
    ids: ['PC-16', 'PC-21'],
    from: 'reconnecting',
    on: 'offerReceived',
    to: 'iceRestartAnswering',
    effects: ['answerOffer'],
  },
  { ids: ['PC-17'], from: 'reconnecting', on: 'iceConnected', to: 'connected', effects: ['notifyConnected'] },
  {
    ids: ['PC-18'],
    from: 'reconnecting',
    on: 'iceFailed',
    role: 'initiator',
    to: 'iceRestartOffering',
    effects: ['sendRestartOffer'],
  },
  { ids: ['PC-18'], from: 'reconnecting', on: 'iceFailed', role: 'responder', to: 'iceRestartAnswering' },

  { ids: ['PC-19'], from: 'iceRestartOffering', on: 'answerReceived', effects: ['applyAnswer'] },
  { ids: ['PC-20'], from: 'iceRestartOffering', on: 'iceConnected', to: 'connected', effects: ['notifyConnected'] },
  // ICE fails during a restart: the state stays and the initiator offers again (D06).
  { ids: ['PC-18'], from: 'iceRestartOffering', on: 'iceFailed', role: 'initiator', effects: ['sendRestartOffer'] },
  { ids: ['PC-18'], from: 'iceRestartOffering', on: 'iceDisconnected' },
  // The path recovered before the answer to the restart arrived. The answer is still applied.
  {
    ids: ['PC-19'],
    from: ['connected', 'reconnecting'],
    on: 'answerReceived',
    role: 'initiator',
    effects: ['applyAnswer'],
  },

  { ids: ['PC-21'], from: 'iceRestartAnswering', on: 'offerReceived', effects: ['answerOffer'] },
  { ids: ['PC-22'], from: 'iceRestartAnswering', on: 'iceConnected', to: 'connected', effects: ['notifyConnected'] },
  { ids: ['PC-18'], from: 'iceRestartAnswering', on: 'iceFailed', role: 'responder' },
  { ids: ['PC-18'], from: 'iceRestartAnswering', on: 'iceDisconnected' },

  { ids: ['PC-03'], from: 'idle', on: 'closeRequested', to: 'closed' },
  { ids: ['PC-06'], from: 'offering', on: 'closeRequested', to: 'closed' },
  { ids: ['PC-09'], from: 'answering', on: 'closeRequested', to: 'closed' },
  {
    ids: ['PC-15'],
    from: ['connected', 'reconnecting', 'iceRestartOffering', 'iceRestartAnswering'],
    on: 'closeRequested',
    to: 'closed',
  },
];

export const PEER_MACHINE: Machine<PeerState, PeerEventName, PeerEffect, never, PeerRole, PeerRow> = {
  initial: 'idle',
  rows,
  entry: { closed: ['close'] },
  timers: {},
};

export const PEER_TABLE: Table<PeerState, PeerEventName, PeerEffect, never, PeerRole, PeerRow> = {
  ...PEER_MACHINE,
  name: 'Peer connection',
  states: PEER_STATES,
  events: PEER_EVENTS,
  final: ['closed'],
};
