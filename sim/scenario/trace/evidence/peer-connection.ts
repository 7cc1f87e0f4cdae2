import { TIMES } from '../../../../src/protocol/limits.ts';
import {
  type Trace,
  type Evidence,
  peer,
  messages,
  sent,
  received,
  all,
  any,
  spaced,
  complaint,
  moves,
} from '../predicates.ts';

/**
 * Returns whether the message is sent in this direction while the connection is in this state, and the connection
 * works afterwards.
 */
const hasWithin = (trace: Trace, state: string, direction: 'up' | 'down', cmd: string): boolean =>
  moves(trace, 'peer').some(
    (entry) =>
      entry.to === state &&
      moves(trace, 'peer').some(
        (exit) =>
          exit.device === entry.device &&
          exit.from === state &&
          exit.to === 'connected' &&
          messages(trace, direction, cmd).some(
            ({ device, at }) => device === entry.device && at >= entry.at && at <= exit.at,
          ),
      ),
  );

/** The evidence for the requirements of a peer connection. */
export const PEER_CONNECTION: Readonly<Record<string, Evidence>> = {
  'PC-01': peer('idle', 'offering'),
  'PC-02': peer('idle', 'answering'),
  'PC-05': peer('offering', 'connected'),
  'PC-06': peer('offering', 'closed'),
  'PC-08': peer('answering', 'connected'),
  'PC-09': peer('answering', 'closed'),
  'PC-11': peer('connected', 'reconnecting'),
  'PC-15': peer('connected', 'closed'),
  'PC-17': peer('reconnecting', 'connected'),
  'PC-18': any(peer('reconnecting', 'iceRestartOffering'), peer('reconnecting', 'iceRestartAnswering')),
  'PC-20': peer('iceRestartOffering', 'connected'),
  'PC-22': peer('iceRestartAnswering', 'connected'),
  'PC-26': all(
    spaced('offer', TIMES.descriptionRetryInitialMs),
    spaced('offer', TIMES.descriptionRetryInitialMs + TIMES.descriptionRetryStepMs),
  ),
  'PC-03': peer('idle', 'closed'),
  'PC-04': all(received('answer', 'session'), peer('offering', 'connected')),
  'PC-07': all(received('offer', 'session'), sent('answer', 'session'), peer('answering', 'connected')),
  'PC-19': (trace) => hasWithin(trace, 'iceRestartOffering', 'down', 'answer'),
  'PC-21': (trace) => hasWithin(trace, 'iceRestartAnswering', 'up', 'answer'),
  'PC-24': complaint(/^peer connection: \w+ in \w+: |^an (answer|offer) (for|came)/),
  'PC-25': (trace, tolerance) =>
    moves(trace, 'peer').some(
      ({ from, to, device, at }) =>
        from === 'connected' &&
        to === 'closed' &&
        moves(trace, 'peer').some(
          (other) =>
            other.device === device &&
            other.to === 'connected' &&
            Math.abs(at - other.at - TIMES.peerConnectionSwapMs) <= tolerance(TIMES.peerConnectionSwapMs),
        ),
    ),
};
