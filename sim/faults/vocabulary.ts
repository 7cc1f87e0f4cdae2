/**
 * The faults that a scenario can inject. Each kind has a schema, so that a wrong word is reported with line and
 * column before anything runs. In a file any value of a fault may be a reference to a case value (`$case.how`).
 */
import * as v from 'valibot';
import { span } from '../format/duration.ts';
import { orReference } from '../format/reference.ts';

/** The name of the media server of rooms, as an end of media paths. No actor has this name. */
export const MEDIA_SERVER = 'sfu';

export const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The way in which the values of a fault are written: as values, or also as references. */
interface Writing {
  readonly oneOf: <const T extends readonly string[]>(values: T) => v.PicklistSchema<T, undefined>;
  readonly number: <T extends v.GenericSchema<number>>(schema: T) => T;
  readonly flag: v.BooleanSchema<undefined>;
}

const filledIn: Writing = { oneOf: (values) => v.picklist(values), number: (schema) => schema, flag: v.boolean() };

/** Values or references. Its type is that of the values, since references are checked when they are filled in. */
const asWritten = {
  oneOf: (values: readonly string[]) => orReference(v.picklist(values)),
  number: (schema: v.GenericSchema<number>) => orReference(schema),
  flag: orReference(v.boolean()),
} as unknown as Writing;

/** Checks a value that some variants of a fault need and the others do not accept. */
function needs<T extends { readonly how: string }>(key: keyof T & string, ...hows: readonly string[]) {
  return v.check<T, string>(
    (fault) => fault.how.startsWith('$') || (fault[key] !== undefined) === hows.includes(fault.how),
    `must have ${key} where how is ${hows.join(' or ')}, and nowhere else`,
  );
}

/** Messages on the channel: their sender, their receiver and their type. `cmd: any` is every type. */
const message = { from: v.optional(v.string()), to: v.optional(v.string()), cmd: v.string() };

/** A message is lost. */
export const dropFault = <E extends v.ObjectEntries>(entries: E) =>
  v.strictObject({ kind: v.literal('drop'), ...entries });

/** A message is delayed. */
export const delayFault = <E extends v.ObjectEntries>(entries: E) =>
  v.strictObject({ kind: v.literal('delay'), ...entries });

/** The exchange refuses a message with a code. */
export const refuseFault = <E extends v.ObjectEntries>(entries: E) =>
  v.strictObject({ kind: v.literal('refuse'), ...entries });

/** Faults of signaling. */
const onMessages = ({ oneOf, number, flag }: Writing) =>
  [
    dropFault(message),
    /**
     * `jitter` is the largest random addition to the delay. The channel keeps its order then, as TCP does: later
     * messages wait. With `reorder`, messages overtake each other.
     */
    delayFault({ ...message, by: span, jitter: v.optional(span), reorder: v.optional(flag) }),
    v.strictObject({ kind: v.literal('duplicate'), ...message, copies: v.optional(number(count), 2) }),
    /** The message is sent when this many later ones have been sent. */
    v.strictObject({ kind: v.literal('reorder'), ...message, behind: v.optional(number(count), 1) }),
    /** The message arrives, and a second time after this delay. */
    v.strictObject({ kind: v.literal('replay'), ...message, after: span }),
    v.strictObject({
      kind: v.literal('corrupt'),
      ...message,
      how: oneOf(['sdp', 'gzip', 'fingerprint', 'json', 'type', 'shape', 'extra', 'empty']),
    }),
    /** Only the first characters arrive, as many as `keep`. */
    v.strictObject({ kind: v.literal('truncate'), ...message, keep: number(v.pipe(v.number(), v.minValue(0))) }),
    v.strictObject({ kind: v.literal('wrong-request-id'), ...message }),
    refuseFault({ from: v.string(), cmd: v.string(), code: number(count) }),
    /** A forged message: an event to a device, or a command from one. */
    v.strictObject({
      kind: v.literal('forge'),
      from: v.optional(v.string()),
      to: v.optional(v.string()),
      cmd: v.string(),
      payload: v.record(v.string(), v.unknown()),
    }),
  ] as const;

/** Faults of the channel, of requests, of both, and of both with media. */
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
        /** Method and path, or a pattern of them (`/summary$/`). Default: every request. */
        request: v.optional(v.string()),
        status: v.optional(number(v.pipe(v.number(), v.minValue(200), v.maxValue(599)))),
        /** The code in the body of the answer. */
        code: v.optional(number(count)),
        by: v.optional(span),
      }),
      needs('status', 'status'),
      needs('by', 'slow'),
    ),
    /** Cuts signaling: the channel and requests. Media goes on. */
    v.strictObject({ kind: v.literal('network'), actor: v.string() }),
    /** Cuts everything: signaling, and media in both directions. */
    v.strictObject({ kind: v.literal('offline'), actor: v.string() }),
  ] as const;

/** Faults of the path of media, and of ICE. */
const onMedia = ({ oneOf, number }: Writing) =>
  [
    /**
     * Cuts the path in both directions, or loses the media of one direction while the path works. The actor may be the
     * media server of rooms.
     */
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
      /** The capacity of the path in each direction, in kilobits per second. */
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

/** Faults of a device, its page and its clock. */
const onDevice = ({ oneOf }: Writing) =>
  [
    v.strictObject({
      kind: v.literal('device'),
      actor: v.string(),
      what: oneOf(['audio', 'video', 'display']),
      error: oneOf(BROWSER_ERRORS),
    }),
    /** The microphone or the camera is unplugged, or the user stops the share: its tracks end. */
    v.strictObject({ kind: v.literal('unplug'), actor: v.string(), what: oneOf(['audio', 'video', 'display']) }),
    v.strictObject({
      kind: v.literal('page'),
      actor: v.string(),
      state: oneOf(['active', 'passive', 'hidden', 'frozen', 'terminated']),
    }),
    /** Timers run at whole multiples of this interval only, as in a hidden page. */
    v.strictObject({ kind: v.literal('throttle'), actor: v.string(), every: span }),
    /** The device sleeps: nothing runs, arrives or is sent. When it wakes, everything that is due runs at once. */
    v.strictObject({ kind: v.literal('sleep'), actor: v.string() }),
    v.strictObject({ kind: v.literal('clock'), by: span, back: v.optional(v.boolean(), false) }),
  ] as const;

/** Faults of the exchange. */
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

/** Faults of the nodes of an exchange, of the state that they share, and of the bus between them. */
const onNodes = ({ oneOf, flag }: Writing) =>
  [
    v.pipe(
      v.strictObject({
        kind: v.literal('node'),
        of: v.string(),
        how: oneOf(['crash', 'restart', 'drain', 'pause', 'cut-off', 'clock-skew', 'clock-drift']),
        by: v.optional(span),
        back: v.optional(flag),
      }),
      needs('by', 'clock-skew', 'clock-drift'),
    ),
    v.pipe(
      v.strictObject({
        kind: v.literal('state'),
        how: oneOf(['down', 'wipe', 'slow']),
        by: v.optional(span),
      }),
      needs('by', 'slow'),
    ),
    /** Messages of the bus, between two nodes, or of all. A delayed message is overtaken by later ones. */
    v.pipe(
      v.strictObject({
        kind: v.literal('bus'),
        how: oneOf(['drop', 'delay', 'duplicate']),
        from: v.optional(v.string()),
        to: v.optional(v.string()),
        by: v.optional(span),
      }),
      needs('by', 'delay'),
    ),
  ] as const;

const faults = (writing: Writing) =>
  v.variant('kind', [
    ...onMessages(writing),
    ...onNetwork(writing),
    ...onMedia(writing),
    ...onServer(writing),
    ...onNodes(writing),
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

/** The kinds that affect single messages or requests, and accept a selection of them. */
const OF_MESSAGES: readonly FaultKind[] = [
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
  'bus',
];
export const affectsMessages = (kind: FaultKind): boolean => OF_MESSAGES.includes(kind);

/** The selection of the messages that a fault affects, as it is written. */
export const selection = {
  /** Affects only the first messages, this many. */
  first: v.optional(orReference(v.union([count, v.literal('all')]))),
  /** Affects only the n-th message. */
  nth: v.optional(orReference(count)),
  /** Affects this many messages, and no more. */
  times: v.optional(orReference(count)),
  /** Affects each message with this probability. For a fault without messages: the probability that it occurs. */
  p: v.optional(orReference(share)),
};

/** Returns a fault in a few words. */
export function faultText(injected: Fault): string {
  return Object.entries(injected)
    .map(([key, value]) => (key === 'kind' ? String(value) : `${key} ${inWords(value)}`))
    .join(' ');
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(' and ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
