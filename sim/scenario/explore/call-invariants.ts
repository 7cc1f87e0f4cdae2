/** The invariants after any story of one call with any faults. Each returns a message when it is broken. */
import { TIMES } from '../../../src/protocol/limits.ts';
import { type Aftermath, firstOf, type Invariant, of } from '../invariants/aftermath.ts';
import { STORY_INVARIANTS } from '../invariants/story-invariants.ts';

const noticesOf = (after: Aftermath, device: string): string[] => of(after, 'told', device).map(({ name }) => name);

/** Pairs of results of the two sides of one call that cannot both be true. */
const CONTRADICTIONS: readonly (readonly [caller: string, callee: string])[] = [
  ['completed', 'declined'],
  ['completed', 'no_answer'],
  ['completed', 'canceled'],
  ['declined', 'completed'],
  ['no_answer', 'completed'],
  ['canceled', 'completed'],
  ['dial_failed', 'completed'],
];

/** A message and its answer: one millisecond each way, to the exchange and on to the other side. Milliseconds. */
const ROUND_TRIP_MS = 4;
/**
 * The largest difference in length between the two sides of a broken call. When one side ends, the other loses its
 * media within ten seconds. It gives the call up after the grace, although it never receives the end. Milliseconds.
 */
const UNHEARD_END_MS = 10_000 + TIMES.reconnectGraceMs;

const lengthOf = (after: Aftermath, device: string): number => Number(after.read(`${device}.call.duration`) ?? 0);

/**
 * Returns when the host of a device first got an event, in milliseconds since the run began. Undefined if it never
 * did.
 */
const firstNotice = (after: Aftermath, device: string, listener: string): number | undefined =>
  of(after, 'told', device).find(({ name }) => name === listener)?.at;

export const CALL_INVARIANTS: Readonly<Record<string, Invariant>> = {
  /** A callee sends no description before it has accepted. */
  I1: (after) =>
    firstOf(after, (device) => {
      const messages = of(after, 'message', device).filter(({ direction }) => direction === 'up');
      const answer = messages.findIndex(({ cmd }) => cmd === 'answer');
      const accept = messages.findIndex(({ cmd }) => cmd === 'accept');
      // A command may have gone by HTTP, where its name is in the body.
      const byHttp = of(after, 'http', device).some(({ body }) => JSON.stringify(body)?.includes('"accept"'));
      return answer >= 0 && accept < 0 && !byHttp ? 'answered media before it accepted' : undefined;
    }),
  I2: STORY_INVARIANTS.I2,
  /** Every leg ends once, and its host gets one onEnded. */
  I3: (after) =>
    firstOf(after, (device) => {
      const states = of(after, 'state', device).filter(({ machine }) => machine === 'call');
      const begun = states.filter(({ from }) => from === 'idle').length;
      const ended = states.filter(({ to }) => to === 'ended').length;
      const notices = noticesOf(after, device).filter((name) => name === 'onEnded').length;
      if (begun !== ended) return `${begun} legs began and ${ended} ended`;
      return notices === ended ? undefined : `${ended} legs ended and onEnded was called ${notices} times`;
    }),
  /** A leg connects at most once. Losses and reconnections alternate. */
  I7: (after) =>
    firstOf(after, (device) => {
      const turns = noticesOf(after, device).filter((name) => /^on(Connected|Reconnecting|Reconnected)$/.test(name));
      const wrong = turns.some((name, at) => {
        const before = turns[at - 1];
        if (name === 'onConnected') return at > 0;
        if (name === 'onReconnecting') return before !== 'onConnected' && before !== 'onReconnected';
        return before !== 'onReconnecting';
      });
      return wrong ? `got the events ${turns.join(', ')}` : undefined;
    }),
  /**
   * A leg does not end before it began. It has a length if and only if it was connected. The sides of a call are
   * equally long except for a round trip. After a fault they may also differ by the time in which a side does not
   * receive the end.
   */
  I8: (after) => consistentLengths(after, ROUND_TRIP_MS),
  /** The sides' results do not contradict each other: the caller's fits that of at least one device of the callee. */
  I9: (after) => {
    const [caller = '', ...callees] = after.devices;
    const results = [caller, ...callees].map((device) => String(after.read(`${device}.call.result`)));
    const [first = '', ...others] = results;
    const contradicts = (other: string) => CONTRADICTIONS.some(([one, two]) => one === first && two === other);
    return others.every(contradicts)
      ? `the caller's result is ${first}, the callee's ${others.join(' and ')}`
      : undefined;
  },
  /** Each leg sends at most one summary. */
  I10: (after) =>
    firstOf(after, (device) => {
      const summaries = of(after, 'http', device).filter(
        ({ direction, request }) => direction === 'up' && request.endsWith('/summary'),
      );
      return summaries.length > 1 ? `sent ${summaries.length} summaries` : undefined;
    }),
  /** Only the caller makes offers. */
  I11: (after) =>
    firstOf(after, (device) =>
      device !== 'alice' &&
      of(after, 'message', device).some(({ direction, cmd }) => direction === 'up' && cmd === 'offer')
        ? 'made an offer'
        : undefined,
    ),
  /** A device rings once for one call. */
  I14: (after) =>
    firstOf(after, (device) => {
      const rings = noticesOf(after, device).filter((name) => name === 'onRinging').length;
      return rings > 1 ? `rang ${rings} times` : undefined;
    }),
  I22: STORY_INVARIANTS.I22,
};

/**
 * I8.
 *
 * @param roundTripMs - the largest difference of an undisturbed call. Milliseconds.
 */
export const consistentLengths = (after: Aftermath, roundTripMs: number): string | undefined =>
  firstOf(after, (device) => wrongTimes(after, device)) ?? unequalSides(after, roundTripMs);

function wrongTimes(after: Aftermath, device: string): string | undefined {
  const [startedAt, endedAt] = ['startedAt', 'endedAt'].map((what) => after.read(`${device}.call.${what}`));
  if (typeof startedAt === 'number' && typeof endedAt === 'number' && endedAt < startedAt)
    return `its call ended ${startedAt - endedAt} ms before it started`;
  const duration = lengthOf(after, device);
  const [connected, ended] = ['onConnected', 'onEnded'].map((name) => firstNotice(after, device, name));
  if (connected === undefined)
    return duration === 0 ? undefined : `was never connected, and its call lasted ${duration} ms`;
  // A call that is connected and ended at one instant has no length.
  const isLong = ended !== undefined && ended > connected;
  return (isLong ? duration <= 0 : duration < 0) ? `was connected, and its call lasted ${duration} ms` : undefined;
}

function unequalSides(after: Aftermath, roundTripMs: number): string | undefined {
  const [caller = '', ...callees] = after.devices;
  // Of the callee's devices only the one that accepted the call has a length.
  const [one, other] = [lengthOf(after, caller), Math.max(0, ...callees.map((device) => lengthOf(after, device)))];
  const isBroken = after.trace.some(({ kind }) => kind === 'fault');
  return Math.abs(one - other) > (isBroken ? UNHEARD_END_MS : roundTripMs)
    ? `the call lasted ${one} ms for the caller and ${other} ms for the callee`
    : undefined;
}
