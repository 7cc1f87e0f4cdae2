/** What must be so after any story of one call, whatever broke in it; each with the words for one in which it is not. */
import type { TraceEvent } from '../trace/trace.ts';

/** How a story ended: what happened, and what is to be seen of it when everything is mended and time has passed. */
export interface Aftermath {
  readonly trace: readonly TraceEvent[];
  /** alice, bob.phone, ... */
  readonly devices: readonly string[];
  read(path: string): unknown;
  /** What the world had left over when everybody had signed out. */
  readonly leftovers: readonly string[];
}

export interface Violation {
  /** The id of the invariant. */
  readonly id: string;
  readonly message: string;
}

type Invariant = (after: Aftermath) => string | undefined;

const of = <K extends TraceEvent['kind']>({ trace }: Aftermath, kind: K, device: string) =>
  trace.filter(
    (event): event is Extract<TraceEvent, { kind: K }> =>
      event.kind === kind && 'device' in event && event.device === device,
  );

const toldOf = (after: Aftermath, device: string): string[] => of(after, 'told', device).map(({ name }) => name);

const firstOf = (after: Aftermath, check: (device: string) => string | undefined): string | undefined => {
  for (const device of after.devices) {
    const found = check(device);
    if (found !== undefined) return `${device}: ${found}`;
  }
  return undefined;
};

/** Results of the two sides of one call that cannot both be true. */
const CONTRADICTIONS: readonly (readonly [caller: string, callee: string])[] = [
  ['completed', 'declined'],
  ['completed', 'no_answer'],
  ['completed', 'canceled'],
  ['declined', 'completed'],
  ['no_answer', 'completed'],
  ['canceled', 'completed'],
  ['dial_failed', 'completed'],
];

const INVARIANTS: Readonly<Record<string, Invariant>> = {
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
  /** No sound loops when all is over. */
  I2: (after) =>
    firstOf(after, (device) =>
      after.read(`${device}.sound`) === 'none' ? undefined : `${String(after.read(`${device}.sound`))} still sounds`,
    ),
  /** Every leg ends, once, and its host is told once. */
  I3: (after) =>
    firstOf(after, (device) => {
      const states = of(after, 'state', device).filter(({ machine }) => machine === 'call');
      const begun = states.filter(({ from }) => from === 'idle').length;
      const ended = states.filter(({ to }) => to === 'ended').length;
      const told = toldOf(after, device).filter((name) => name === 'onEnded').length;
      if (begun !== ended) return `${begun} legs began and ${ended} ended`;
      return told === ended ? undefined : `${ended} legs ended and onEnded came ${told} times`;
    }),
  /** No machine was sent where it already was; what a state does not allow is told in the log (PC-24), and is no fault. */
  I4: (after) =>
    firstOf(
      after,
      (device) => of(after, 'error', device).find(({ message }) => message.includes('same state'))?.message,
    ),
  /** Nothing is left when everybody has gone. */
  I6: ({ leftovers }) => (leftovers.length > 0 ? leftovers.join('; ') : undefined),
  /** Connected at most once; lost and found by turns. */
  I7: (after) =>
    firstOf(after, (device) => {
      const turns = toldOf(after, device).filter((name) => /^on(Connected|Reconnecting|Reconnected)$/.test(name));
      const wrong = turns.some((name, at) => {
        const before = turns[at - 1];
        if (name === 'onConnected') return at > 0;
        if (name === 'onReconnecting') return before !== 'onConnected' && before !== 'onReconnected';
        return before !== 'onReconnecting';
      });
      return wrong ? `was told ${turns.join(', ')}` : undefined;
    }),
  /** A call ends no sooner than it began, and lasts no time where it was never connected. */
  I8: (after) =>
    firstOf(after, (device) => {
      const duration = Number(after.read(`${device}.call.duration`) ?? 0);
      const isConnected = toldOf(after, device).includes('onConnected');
      return duration < 0 || (duration > 0 && !isConnected)
        ? `was ${isConnected ? '' : 'never '}connected, and its call lasted ${duration} ms`
        : undefined;
    }),
  /** The sides' results do not contradict each other: the caller's fits that of one device of the callee at least. */
  I9: (after) => {
    const [caller = '', ...callees] = after.devices;
    const results = [caller, ...callees].map((device) => String(after.read(`${device}.call.result`)));
    const [first = '', ...others] = results;
    const contradicts = (other: string) => CONTRADICTIONS.some(([one, two]) => one === first && two === other);
    return others.every(contradicts)
      ? `the caller's result is ${first}, the callee's ${others.join(' and ')}`
      : undefined;
  },
  /** At most one summary of each leg. */
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
      const rings = toldOf(after, device).filter((name) => name === 'onRinging').length;
      return rings > 1 ? `rang ${rings} times` : undefined;
    }),
  /** The exchange has no call left. */
  I22: (after) =>
    after.read('server.calls') === 0 ? undefined : `the exchange has ${String(after.read('server.calls'))} calls`,
};

/** The invariants that a story breaks. */
export function violationsOf(after: Aftermath): Violation[] {
  return Object.entries(INVARIANTS).flatMap(([id, isBroken]) => {
    const message = isBroken(after);
    return message === undefined ? [] : [{ id, message }];
  });
}
