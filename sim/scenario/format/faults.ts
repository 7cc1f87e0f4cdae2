/**
 * What can be broken on purpose: one schema a kind, so that a wrong word is told by line and column before anything runs.
 * Where a fault stands in a file, any value of it may be a reference to one of the case (`$case.how`).
 */
import * as v from 'valibot';
import { span } from './duration.ts';
import { orReference } from './reference.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** How the values of a fault are written: as themselves, or as references too. */
interface Writing {
  readonly oneOf: <const T extends readonly string[]>(values: T) => v.PicklistSchema<T, undefined>;
  readonly number: <T extends v.GenericSchema<number>>(schema: T) => T;
  readonly flag: v.BooleanSchema<undefined>;
}

const filledIn: Writing = { oneOf: (values) => v.picklist(values), number: (schema) => schema, flag: v.boolean() };

/** As filled in, so that both are of one type: what is checked when it is filled in need not be known here. */
const asWritten = {
  oneOf: (values: readonly string[]) => orReference(v.picklist(values)),
  number: (schema: v.GenericSchema<number>) => orReference(schema),
  flag: orReference(v.boolean()),
} as unknown as Writing;

/** A value that some ways of a fault need and the others do not take. */
function needs<T extends { readonly how: string }>(key: keyof T & string, ...hows: readonly string[]) {
  return v.check<T, string>(
    (fault) => fault.how.startsWith('$') || (fault[key] !== undefined) === hows.includes(fault.how),
    `must have ${key} where how is ${hows.join(' or ')}, and nowhere else`,
  );
}

/** Messages on the channel: from somebody, to somebody, of a type; `cmd: any` is every type. */
const message = { from: v.optional(v.string()), to: v.optional(v.string()), cmd: v.string() };

/** On signalling. */
const onMessages = ({ oneOf, number, flag }: Writing) =>
  [
    v.strictObject({ kind: v.literal('drop'), ...message }),
    /**
     * `jitter` is how much longer it may take at random. The channel keeps its order then, as TCP does: what is behind waits.
     * With `reorder`, messages overtake each other.
     */
    v.strictObject({
      kind: v.literal('delay'),
      ...message,
      by: span,
      jitter: v.optional(span),
      reorder: v.optional(flag),
    }),
    v.strictObject({ kind: v.literal('duplicate'), ...message, copies: v.optional(number(count), 2) }),
    /** It goes when so many behind it have gone. */
    v.strictObject({ kind: v.literal('reorder'), ...message, behind: v.optional(number(count), 1) }),
    /** It comes, and once more so much later. */
    v.strictObject({ kind: v.literal('replay'), ...message, after: span }),
    v.strictObject({
      kind: v.literal('corrupt'),
      ...message,
      how: oneOf(['sdp', 'gzip', 'fingerprint', 'json', 'type', 'shape', 'extra', 'empty']),
    }),
    /** Only its first so many characters come. */
    v.strictObject({ kind: v.literal('truncate'), ...message, keep: number(v.pipe(v.number(), v.minValue(0))) }),
    v.strictObject({ kind: v.literal('wrong-request-id'), ...message }),
    /** The exchange does not take it, and answers with this code. */
    v.strictObject({ kind: v.literal('refuse'), from: v.string(), cmd: v.string(), code: number(count) }),
    /** A message that nobody made: an event to somebody, or a command from them. */
    v.strictObject({
      kind: v.literal('forge'),
      from: v.optional(v.string()),
      to: v.optional(v.string()),
      cmd: v.string(),
      payload: v.record(v.string(), v.unknown()),
    }),
  ] as const;

/** On the channel, on requests, on both; on both and on media. */
const onNetwork = ({ oneOf, number }: Writing) =>
  [
    v.pipe(
      v.strictObject({
        kind: v.literal('ws'),
        actor: v.string(),
        how: oneOf([
          'reset',
          'close',
          'vanish',
          'stall',
          'stall-connect',
          'silent',
          'refuse',
          'unauthorized',
          'unavailable',
          'slow',
          'twin',
        ]),
        code: v.optional(number(v.pipe(v.number(), v.minValue(1000), v.maxValue(4999)))),
        by: v.optional(span),
      }),
      needs('code', 'close'),
      needs('by', 'slow'),
    ),
    v.pipe(
      v.strictObject({
        kind: v.literal('http'),
        actor: v.string(),
        how: oneOf(['vanish', 'stall', 'status', 'reset', 'malformed', 'empty', 'truncated', 'redirect', 'slow']),
        /** Method and path, or a pattern of them (`/summary$/`); every request, where it is not said. */
        request: v.optional(v.string()),
        status: v.optional(number(v.pipe(v.number(), v.minValue(200), v.maxValue(599)))),
        /** The code in the body of the answer. */
        code: v.optional(number(count)),
        by: v.optional(span),
      }),
      needs('status', 'status'),
      needs('by', 'slow'),
    ),
    /** Signalling: the channel and requests. Media goes on. */
    v.strictObject({ kind: v.literal('network'), actor: v.string() }),
    /** Everything: signalling, and media both ways. */
    v.strictObject({ kind: v.literal('offline'), actor: v.string() }),
  ] as const;

/** On the path of media, and on how it is found. */
const onMedia = ({ oneOf, number }: Writing) =>
  [
    /** Nothing gets through, either way; or what is sent one way is lost, while the path stands. */
    v.strictObject({
      kind: v.literal('media'),
      actor: v.string(),
      way: v.optional(oneOf(['both', 'in', 'out'])),
    }),
    v.strictObject({
      kind: v.literal('quality'),
      between: v.strictTuple([v.string(), v.string()]),
      loss: v.optional(number(share)),
      /** Losses come in bursts of this length. */
      burst: v.optional(span),
      rtt: v.optional(span),
      jitter: v.optional(span),
      duplicates: v.optional(number(share)),
      reordered: v.optional(number(share)),
      /** What the path carries at most, each way, kilobits a second. */
      kbps: v.optional(number(v.pipe(v.number(), v.minValue(1)))),
    }),
    v.pipe(
      v.strictObject({
        kind: v.literal('ice'),
        how: oneOf(['drop-candidates', 'force-relay', 'turn-down']),
        from: v.optional(v.string()),
        type: v.optional(oneOf(['host', 'relay'])),
      }),
      needs('type', 'drop-candidates'),
    ),
  ] as const;

const BROWSER_ERRORS = [
  'NotAllowedError',
  'NotFoundError',
  'NotReadableError',
  'OverconstrainedError',
  'AbortError',
  'InvalidStateError',
] as const;

/** On a device, its page and its clock. */
const onDevice = ({ oneOf }: Writing) =>
  [
    v.strictObject({
      kind: v.literal('device'),
      actor: v.string(),
      what: oneOf(['audio', 'video', 'display']),
      error: oneOf(BROWSER_ERRORS),
    }),
    /** The microphone or the camera is taken away, or the user stops the share: its tracks end. */
    v.strictObject({ kind: v.literal('unplug'), actor: v.string(), what: oneOf(['audio', 'video', 'display']) }),
    v.strictObject({
      kind: v.literal('page'),
      actor: v.string(),
      state: oneOf(['active', 'passive', 'hidden', 'frozen', 'terminated']),
    }),
    /** Timers run at whole multiples of this alone, as in a page nobody looks at. */
    v.strictObject({ kind: v.literal('throttle'), actor: v.string(), every: span }),
    /** Nothing runs, nothing comes, nothing goes; on waking everything that is due runs at once. */
    v.strictObject({ kind: v.literal('sleep'), actor: v.string() }),
    v.strictObject({ kind: v.literal('clock'), by: span, back: v.optional(v.boolean(), false) }),
  ] as const;

/** On the exchange. */
const onServer = ({ oneOf }: Writing) =>
  [
    v.pipe(
      v.strictObject({
        kind: v.literal('server'),
        how: oneOf([
          'forget-calls',
          'turn-changed',
          'revoke',
          'kick',
          'restart',
          'crash',
          'wipe',
          'stall',
          'clock-skew',
        ]),
        user: v.optional(v.string()),
        by: v.optional(span),
        back: v.optional(v.boolean()),
      }),
      needs('user', 'revoke', 'kick'),
      needs('by', 'clock-skew'),
    ),
  ] as const;

const faults = (writing: Writing) =>
  v.variant('kind', [
    ...onMessages(writing),
    ...onNetwork(writing),
    ...onMedia(writing),
    ...onServer(writing),
    ...onDevice(writing),
  ]);

/** A fault with its references filled in. */
export const fault = faults(filledIn);
export type Fault = v.InferOutput<typeof fault>;
export type FaultKind = Fault['kind'];
/** A fault of these kinds. */
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;
/** A fault as it is written. */
export const writtenFault = faults(asWritten);

/** The kinds that strike single messages or requests, and may be told which of them. */
const STRIKING: readonly FaultKind[] = [
  'drop',
  'delay',
  'duplicate',
  'reorder',
  'replay',
  'corrupt',
  'truncate',
  'wrong-request-id',
  'refuse',
  'http',
];
export const isStriking = (kind: FaultKind): boolean => STRIKING.includes(kind);

/** Which of the messages it is about a fault strikes. */
export const strikes = {
  /** Of the first so many alone. */
  first: v.optional(orReference(v.union([count, v.literal('all')]))),
  /** Of this one alone. */
  nth: v.optional(orReference(count)),
  /** So often, and then no more. */
  times: v.optional(orReference(count)),
  /** Each with this probability; for a fault that is about no messages, whether it comes about at all. */
  p: v.optional(orReference(share)),
};
