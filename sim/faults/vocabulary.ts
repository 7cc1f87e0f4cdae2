/**
 * The faults that a scenario can inject. Each kind has a schema, so that a wrong word is reported with line and
 * column before anything runs. In a file any value of a fault may be a reference to a case value (`$case.how`).
 */
import * as v from 'valibot';
import { about, calledType } from '../format/about.ts';
import { span } from '../format/duration.ts';
import { orReference } from '../format/reference.ts';

/** The name of the media server of rooms, as an end of media paths. No actor has this name. */
export const MEDIA_SERVER = 'sfu';

export const count = calledType('a whole number from 1', v.pipe(v.number(), v.integer(), v.minValue(1)));
const share = calledType('a number from 0 to 1', v.pipe(v.number(), v.minValue(0), v.maxValue(1)));

/** The possible values of a key, with the meaning of each. */
type Meanings = Readonly<Record<string, string>>;

/** The way in which the values of a fault are written: as values, or also as references. */
interface Writing {
  readonly oneOf: <const T extends Meanings>(meanings: T) => v.PicklistSchema<readonly (keyof T & string)[], undefined>;
  readonly number: <T extends v.GenericSchema<number>>(schema: T) => T;
  readonly flag: v.BooleanSchema<undefined>;
}

const choice = <const T extends Meanings>(meanings: T) =>
  about(v.picklist(Object.keys(meanings) as (keyof T & string)[]), undefined, { meanings });

const filledIn: Writing = { oneOf: choice, number: (schema) => schema, flag: v.boolean() };

/** Values or references. Its type is that of the values, since references are checked when they are filled in. */
const asWritten = {
  oneOf: (meanings: Meanings) => about(orReference(choice(meanings)), undefined, { meanings }),
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

const maybe = <S extends v.GenericSchema>(schema: S, description: string, fallback?: unknown) =>
  v.optional(about(schema, description, fallback === undefined ? {} : { default: fallback }));

/** The kind of a fault, with its effect and an example of a step. The description of the kind is that of the fault. */
const kind = <const K extends string>(name: K, description: string, example: string) =>
  about(v.literal(name), description, { example });

const actor = about(v.string(), 'The actor: a user with all devices, or one device.');

/** The choice of messages on the channel. */
const message = {
  from: maybe(v.string(), 'The actor whose device sends the message. Default: any.'),
  to: maybe(v.string(), 'The actor whose device gets the message. Default: any.'),
  cmd: about(v.string(), 'The type of the message, for example `dial`, `dial_ack`, `offer`; `any` is every message.'),
};

/** A message is lost. */
export const dropFault = <E extends v.ObjectEntries>(entries: E) =>
  v.strictObject({
    kind: kind('drop', 'A message is lost.', '{ fault: { kind: drop, from: alice, cmd: offer }, first: 2 }'),
    ...entries,
  });

/** A message is delayed. */
export const delayFault = <E extends v.ObjectEntries>(entries: E) =>
  v.strictObject({
    kind: kind(
      'delay',
      'A message arrives late, and later messages overtake it. With `jitter` the channel keeps the order, as TCP does.',
      '{ fault: { kind: delay, to: bob, cmd: dial, by: 3s } }',
    ),
    ...entries,
  });

/** The exchange refuses a message with a code. */
export const refuseFault = <E extends v.ObjectEntries>(entries: E) =>
  v.strictObject({
    kind: kind(
      'refuse',
      'The exchange refuses a command with a code. The command has no effect.',
      '{ fault: { kind: refuse, from: bob, cmd: accept, code: 1400101 }, first: 1 }',
    ),
    ...entries,
  });

/** Faults of signaling. */
const onMessages = ({ oneOf, number, flag }: Writing) =>
  [
    dropFault(message),
    delayFault({
      ...message,
      by: about(span, 'The delay.'),
      jitter: maybe(span, 'A random addition to the delay, up to this time. Default: none.'),
      reorder: maybe(flag, 'Whether messages overtake each other although there is a jitter.', false),
    }),
    v.strictObject({
      kind: kind(
        'duplicate',
        'A message arrives several times at once.',
        '{ fault: { kind: duplicate, to: bob, cmd: dial, copies: 3 } }',
      ),
      ...message,
      copies: v.optional(about(number(count), 'How often it arrives.'), 2),
    }),
    v.strictObject({
      kind: kind(
        'reorder',
        'A message is sent after later messages.',
        '{ fault: { kind: reorder, from: alice, cmd: offer, behind: 2 }, first: 1 }',
      ),
      ...message,
      behind: v.optional(about(number(count), 'The number of later messages that are sent first.'), 1),
    }),
    v.strictObject({
      kind: kind(
        'replay',
        'A message arrives, and once more after a time.',
        '{ fault: { kind: replay, to: bob, cmd: end, after: 5s }, first: 1 }',
      ),
      ...message,
      after: about(span, 'The time between the two arrivals.'),
    }),
    v.strictObject({
      kind: kind(
        'corrupt',
        'A message arrives with wrong content.',
        '{ fault: { kind: corrupt, from: alice, cmd: offer, how: sdp }, first: 1 }',
      ),
      ...message,
      how: about(
        oneOf({
          sdp: 'the session description is not packed',
          gzip: 'the packed session description cannot be unpacked',
          fingerprint: 'the session description has the fingerprint of no certificate',
          json: 'half of the text is missing',
          type: 'the type of the message does not exist',
          shape: 'the payload is a list',
          extra: 'the message has an unknown field',
          empty: 'the text is empty',
        }),
        'The wrong part.',
      ),
    }),
    v.strictObject({
      kind: kind(
        'truncate',
        'Only the first characters of a message arrive.',
        '{ fault: { kind: truncate, to: alice, cmd: answer, keep: 20 }, first: 1 }',
      ),
      ...message,
      keep: about(number(v.pipe(v.number(), v.minValue(0))), 'The number of characters that arrive.'),
    }),
    v.strictObject({
      kind: kind(
        'wrong-request-id',
        'A reply has the id of no request.',
        '{ fault: { kind: wrong-request-id, to: alice, cmd: dial_ack }, first: 1 }',
      ),
      ...message,
    }),
    refuseFault({
      from: about(v.string(), 'The actor whose command is refused.'),
      cmd: about(v.string(), 'The type of the command, for example `accept`; `any` is every command.'),
      code: about(number(count), 'The error code of the refusal.'),
    }),
    v.strictObject({
      kind: kind(
        'forge',
        'A forged message arrives: an event at a device, or a command in the name of a device. It has one of `from` and `to`.',
        '{ fault: { kind: forge, to: bob, cmd: end, payload: { call_id: $call.id } } }',
      ),
      from: maybe(v.string(), 'The actor in whose name the command is sent.'),
      to: maybe(v.string(), 'The actor who gets the event.'),
      cmd: about(v.string(), 'The type of the message. It may be one that does not exist.'),
      payload: about(
        v.record(v.string(), v.unknown()),
        'The content of the message. An `sdp` in it is written in its readable form.',
      ),
    }),
  ] as const;

/** Faults of the channel, of requests, of both, and of both with media. */
const onNetwork = ({ oneOf, number }: Writing) =>
  [
    v.pipe(
      v.strictObject({
        kind: kind(
          'ws',
          'The realtime channel of an actor breaks. Requests and media go on.',
          '{ fault: { kind: ws, actor: alice, how: vanish }, until: 5s }',
        ),
        actor,
        how: about(
          oneOf({
            reset: 'the connection is reset once. The device connects again',
            close: 'the exchange closes the channel once, with a `code`',
            vanish: 'the channel is closed, and a new one stalls until the end of the fault',
            stall: 'a half-open channel: it stays open, and nothing arrives until the end of the fault',
            'stall-connect': 'the channel is closed, and a new one is not answered',
            silent: 'a new channel opens, and nothing arrives on it',
            refuse: 'the channel is closed, and a new one is refused',
            unauthorized: 'the channel is closed, and a new one is refused with status 401',
            unavailable: 'the channel is closed, and a new one is refused with status 503',
            slow: 'each message takes longer, `by` a time, and keeps its order',
            twin: 'a second socket of the same client opens',
          }),
          'The way in which the channel breaks.',
        ),
        code: maybe(
          number(v.pipe(v.number(), v.minValue(1000), v.maxValue(4999))),
          'The close code, 1000 to 4999. Only with `how: close`, which needs it.',
        ),
        by: maybe(span, 'The delay. Only with `how: slow`, which needs it.'),
      }),
      needs('code', 'close'),
      needs('by', 'slow'),
    ),
    v.pipe(
      v.strictObject({
        kind: kind(
          'http',
          'Requests of an actor over HTTP fail. The channel and media go on.',
          "{ fault: { kind: http, actor: alice, how: status, request: '/summary$/', status: 503 }, first: 2 }",
        ),
        actor,
        how: about(
          oneOf({
            vanish: 'a request is lost before it has an effect',
            stall: 'a request waits until the end of the fault',
            status: 'a request is refused with a `status` before it has an effect',
            reset: 'a request has its effect, and the connection is reset in place of the answer',
            malformed: 'a request has its effect, and the answer is a web page',
            empty: 'a request has its effect, and the answer is empty',
            truncated: 'a request has its effect, and half of the answer arrives',
            redirect: 'a request has its effect, and the answer is a redirect',
            slow: 'the answer arrives late, `by` a time',
          }),
          'The way in which a request fails.',
        ),
        request: maybe(
          v.string(),
          'The method and the path of the request, or a pattern of them: `/summary$/`. Default: every request.',
        ),
        status: maybe(
          number(v.pipe(v.number(), v.minValue(200), v.maxValue(599))),
          'The status. Only with `how: status`, which needs it.',
        ),
        code: maybe(number(count), 'The error code in the body of the answer. Default: an empty body.'),
        by: maybe(span, 'The delay. Only with `how: slow`, which needs it.'),
      }),
      needs('status', 'status'),
      needs('by', 'slow'),
    ),
    v.strictObject({
      kind: kind(
        'network',
        'Signalling alone is cut: the channel and requests. Media goes on, so the users still hear each other.',
        '{ fault: { kind: network, actor: alice }, until: 8s }',
      ),
      actor,
    }),
    v.strictObject({
      kind: kind(
        'offline',
        'The whole network of an actor is cut: the channel, requests, and media in both directions.',
        '{ fault: { kind: offline, actor: bob }, until: 8s }',
      ),
      actor,
    }),
  ] as const;

/** Faults of the path of media, and of ICE. */
const onMedia = ({ oneOf, number }: Writing) =>
  [
    v.strictObject({
      kind: kind(
        'media',
        'The media path of an actor is cut, or its media is lost in one direction while the path stays.',
        '{ fault: { kind: media, actor: bob, way: in }, until: 5s }',
      ),
      actor: about(v.string(), 'The actor, or `sfu`: the media server of rooms.'),
      way: maybe(
        oneOf({
          both: 'the path is cut in both directions',
          in: 'the media that the actor gets is lost',
          out: 'the media that the actor sends is lost',
        }),
        'The direction.',
        'both',
      ),
    }),
    v.strictObject({
      kind: kind(
        'quality',
        'The media path between two users is bad.',
        '{ fault: { kind: quality, between: [alice, bob], loss: 0.2, rtt: 300ms } }',
      ),
      between: about(
        v.strictTuple([v.string(), v.string()]),
        'The two actors. One of them may be `sfu`, the media server of rooms.',
      ),
      loss: maybe(number(share), 'The share of packets that are lost, 0 to 1. From 0.5, users neither hear nor see.'),
      burst: maybe(span, 'The length of the bursts in which packets are lost. Default: single packets.'),
      rtt: maybe(span, 'The round trip time.'),
      jitter: maybe(span, 'The variation of the delay.'),
      duplicates: maybe(number(share), 'The share of packets that arrive twice, 0 to 1.'),
      reordered: maybe(number(share), 'The share of packets that arrive out of order, 0 to 1.'),
      kbps: maybe(
        number(v.pipe(v.number(), v.minValue(1))),
        'The capacity in each direction, in kilobits per second. Default: unlimited.',
      ),
    }),
    v.pipe(
      v.strictObject({
        kind: kind(
          'ice',
          'The candidates or the relay of media paths fail.',
          '{ fault: { kind: ice, how: drop-candidates, from: alice, type: host } }',
        ),
        how: about(
          oneOf({
            'drop-candidates': 'candidates of a `type` are lost',
            'force-relay': 'media of later calls goes through the relay. It has no end',
            'turn-down': 'the relay is down',
          }),
          'The way in which ICE fails.',
        ),
        from: maybe(v.string(), 'The actor whose candidates are lost. Default: all.'),
        type: maybe(
          oneOf({ host: 'addresses of the device', relay: 'addresses of the relay' }),
          'The type of the lost candidates. Only with `how: drop-candidates`, which needs it.',
        ),
      }),
      needs('type', 'drop-candidates'),
    ),
  ] as const;

const BROWSER_ERRORS = {
  NotAllowedError: 'the user or the browser refuses',
  NotFoundError: 'there is no such device',
  NotReadableError: 'another program uses the device',
  OverconstrainedError: 'no device has the requested properties',
  AbortError: 'the device fails for another reason',
  InvalidStateError: 'the page is not active',
} as const;

/** Faults of a device, its page and its clock. */
const onDevice = ({ oneOf }: Writing) => {
  const source = oneOf({ audio: 'the microphone', video: 'the camera', display: 'the screen' });
  return [
    v.strictObject({
      kind: kind(
        'device',
        'Opening a microphone, a camera or a screen fails with an error of the browser.',
        '{ fault: { kind: device, actor: bob, what: audio, error: NotAllowedError } }',
      ),
      actor,
      what: about(source, 'The device that cannot be opened.'),
      error: about(oneOf(BROWSER_ERRORS), 'The error of the browser.'),
    }),
    v.strictObject({
      kind: kind(
        'unplug',
        'A microphone or a camera is unplugged, or the user stops the share: its tracks end.',
        '{ fault: { kind: unplug, actor: bob, what: audio }, until: 5s }',
      ),
      actor,
      what: about(source, 'The device that is unplugged.'),
    }),
    v.strictObject({
      kind: kind(
        'page',
        'The page of a device changes its state. At the end it is `active` again.',
        '{ fault: { kind: page, actor: bob, state: hidden }, until: 30s }',
      ),
      actor,
      state: about(
        oneOf({
          active: 'visible, with the focus',
          passive: 'visible, without the focus',
          hidden: 'not visible',
          frozen: 'its timers stand still',
          terminated: 'the browser unloads the page',
        }),
        'The state of the page.',
      ),
    }),
    v.strictObject({
      kind: kind(
        'throttle',
        'Timers of a device run at whole multiples of an interval only, as in a hidden page.',
        '{ fault: { kind: throttle, actor: bob, every: 1m } }',
      ),
      actor,
      every: about(span, 'The interval.'),
    }),
    v.strictObject({
      kind: kind(
        'sleep',
        'A device sleeps: nothing runs, arrives or is sent. When it wakes, all due timers run at once.',
        '{ fault: { kind: sleep, actor: alice }, until: 2m }',
      ),
      actor,
    }),
    v.strictObject({
      kind: kind('clock', 'The clock of every device is set.', '{ fault: { kind: clock, by: 1h, back: true } }'),
      by: about(span, 'The time by which the clocks are set.'),
      back: v.optional(about(v.boolean(), 'Whether the clocks are set back.'), false),
    }),
  ] as const;
};

/** Faults of the exchange. */
const onServer = ({ oneOf }: Writing) =>
  [
    v.pipe(
      v.strictObject({
        kind: kind(
          'server',
          'The exchange fails. A stopped exchange starts again when the fault ends: by `until`, or by `clear` of its ' +
            'name. Without them it never comes back.',
          '{ fault: { kind: server, how: restart }, until: 2s }',
        ),
        how: about(
          oneOf({
            'forget-calls': 'it forgets all live calls, once',
            'turn-changed': 'it gives the devices another relay, once',
            revoke: 'it ends the sessions of a `user`, once. Open channels stay',
            kick: 'it ends the sessions of a `user` and closes the channels, once',
            restart: 'it stops as after SIGTERM, until the end of the fault',
            crash: 'it stops as after `kill -9`, until the end of the fault',
            wipe: 'it stops as after `kill -9` and loses its database, until the end of the fault',
            stall: 'it stands still: nothing is answered until the end of the fault',
            'clock-skew': 'its clock is wrong, `by` a time, until the end of the fault',
          }),
          'The way in which the exchange fails.',
        ),
        user: maybe(v.string(), 'The actor. Only with `how: revoke` or `kick`, which need it.'),
        by: maybe(span, 'The time by which the clock is set. Only with `how: clock-skew`, which needs it.'),
        back: maybe(v.boolean(), 'Whether the clock is set back.', false),
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
        kind: kind(
          'node',
          'One node of the exchange fails. A stopped node starts again when the fault ends. The head needs `nodes`.',
          '{ fault: { kind: node, of: node-1, how: crash }, until: 10s }',
        ),
        of: about(v.string(), 'The node: `node-1`, `node-2` and so on.'),
        how: about(
          oneOf({
            crash: 'it stops as after `kill -9`',
            restart: 'it stops as after SIGTERM',
            drain: 'it takes nothing new, and lets its calls end',
            pause: 'its process stands still',
            'cut-off': 'it reaches neither the shared state nor the bus',
            'clock-skew': 'its clock is wrong, `by` a time',
            'clock-drift': 'its clock is fast, `by` a time in each second',
          }),
          'The way in which the node fails.',
        ),
        by: maybe(span, 'The error of the clock. Only with `how: clock-skew` or `clock-drift`, which need it.'),
        back: maybe(flag, 'Whether the clock is set back, or is slow.', false),
      }),
      needs('by', 'clock-skew', 'clock-drift'),
    ),
    v.pipe(
      v.strictObject({
        kind: kind(
          'state',
          'The shared state of the nodes fails. The head needs `nodes`.',
          '{ fault: { kind: state, how: down }, until: 3s }',
        ),
        how: about(
          oneOf({
            down: 'it refuses connections',
            wipe: 'it refuses connections, and is without its data at the end',
            slow: 'each operation takes longer, `by` a time',
          }),
          'The way in which the state fails.',
        ),
        by: maybe(span, 'The delay. Only with `how: slow`, which needs it.'),
      }),
      needs('by', 'slow'),
    ),
    v.pipe(
      v.strictObject({
        kind: kind(
          'bus',
          'Messages between nodes fail. The head needs `nodes`.',
          '{ fault: { kind: bus, how: delay, by: 1s, from: node-1, to: node-2 } }',
        ),
        how: about(
          oneOf({
            drop: 'a message is lost',
            delay: 'a message arrives late, `by` a time, and later ones overtake it',
            duplicate: 'a message arrives twice',
          }),
          'The way in which a message fails.',
        ),
        from: maybe(v.string(), 'The sending node. Default: any.'),
        to: maybe(v.string(), 'The receiving node. Default: any.'),
        by: maybe(span, 'The delay. Only with `how: delay`, which needs it.'),
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
export const affectsMessages = (injected: FaultKind): boolean => OF_MESSAGES.includes(injected);

/** The selection of the messages that a fault affects, as it is written. */
export const selection = {
  first: v.optional(
    about(
      orReference(v.union([count, v.literal('all')])),
      'Affects only the first messages or requests, this many. `all` affects every one. Only for faults of messages.',
    ),
  ),
  nth: v.optional(about(orReference(count), 'Affects only the n-th message or request. Only for faults of messages.')),
  times: v.optional(
    about(orReference(count), 'Affects this many messages or requests, and no more. Only for faults of messages.'),
  ),
  p: v.optional(
    about(
      orReference(share),
      'Affects each message with this probability, 0 to 1. A fault without messages occurs with this probability, or not at all.',
    ),
  ),
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
