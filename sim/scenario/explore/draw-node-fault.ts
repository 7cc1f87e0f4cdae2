/** Random faults of the nodes of an exchange, of their shared state and of their bus. */
import type { Span } from '../../format/duration.ts';
import type { Draw, DrawnFault } from './draw.ts';

/** The ways in which one node breaks. Some of them are drawn more often. */
const NODE = ['crash', 'crash', 'crash', 'restart', 'drain', 'pause', 'pause', 'cut-off', 'cut-off'] as const;
const SHARES = [0.1, 0.3, 1];
const SLOWNESS: readonly Span[] = ['5ms', '200ms', '2500ms'];
const SKEWS: readonly Span[] = ['20ms', '3s', '90s'];

/** A fault, and the share of the messages that it affects. */
export interface DrawnNodeFault {
  readonly fault: DrawnFault;
  readonly p?: number;
}

/**
 * Returns a random fault.
 *
 * @param nodes - the names of the nodes.
 * @param delays - the delays of messages of the bus.
 */
export function drawNodeFault(
  { random, pick, chance }: Draw,
  nodes: readonly string[],
  delays: readonly Span[],
): DrawnNodeFault {
  const of = pick(nodes);
  const share = random();
  if (share < 0.55) return { fault: { kind: 'node', of, how: pick(NODE) } };
  if (share < 0.65) {
    const back = chance(0.5);
    return { fault: { kind: 'node', of, how: pick(['clock-skew', 'clock-drift'] as const), by: pick(SKEWS), back } };
  }
  if (share < 0.75) {
    const how = pick(['down', 'down', 'wipe', 'slow'] as const);
    return { fault: { kind: 'state', how, ...(how === 'slow' ? { by: pick(SLOWNESS) } : {}) } };
  }
  const how = pick(['drop', 'delay', 'duplicate'] as const);
  const late = how === 'delay' ? { by: pick(delays) } : {};
  const concerned = chance(0.5) ? { to: of } : {};
  return { fault: { kind: 'bus', how, ...concerned, ...late }, p: pick(SHARES) };
}
