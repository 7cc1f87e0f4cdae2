/**
 * The built-in scripts of the exchange. Each is written as a file with its parameters, and then read like any other
 * file.
 */
import * as v from 'valibot';
import { askedName, replyName } from './format/message-names.ts';
import { ANYBODY, isErrorCode, NOT_A_CODE, NOT_A_SPAN, YOU, type WrittenScript } from './format/tree.ts';
import { spanOf } from '../format/duration.ts';

type Values = Readonly<Record<string, string | undefined>>;
type SimulatedUsers = NonNullable<WrittenScript['people']>;
type Reactions = SimulatedUsers[string];

export interface BuiltIn {
  readonly name: string;
  readonly about: string;
  /** The parameters. Their values are texts. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly write: (values: Values) => Omit<WrittenScript, 'script'>;
}

interface Parameter {
  readonly about: string;
  readonly schema: v.GenericSchema<string>;
  /** The default. Null for an optional parameter without one. Undefined for a required parameter. */
  readonly default?: string | null;
}

const isSpan = v.pipe(
  v.string(),
  v.check((text) => spanOf(text) !== undefined, NOT_A_SPAN),
);
const isWhole = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1'));
const isCode = v.pipe(
  v.string(),
  v.check((text) => isErrorCode(Number(text)), NOT_A_CODE),
);
const isPerson = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

const span = (about: string, otherwise?: string): Parameter => ({
  about,
  schema: isSpan,
  ...(otherwise === undefined ? {} : { default: otherwise }),
});
const who: Parameter = { about: 'the simulated user', schema: isPerson, default: ANYBODY };
const cmd: Parameter = { about: 'the command or request, like dial or login', schema: askedName };
const first: Parameter = {
  about: 'the number of messages of each client that it affects',
  schema: isWhole,
  default: null,
};
const video: Parameter = {
  about: 'true for a video call, false for a voice call',
  schema: v.picklist(['true', 'false'], 'must be true or false'),
  default: 'true',
};

const people = (values: Values, reactions: Reactions): { people: SimulatedUsers } => ({
  people: { [values['who'] ?? ANYBODY]: reactions },
});
const often = (values: Values) => (values['first'] === undefined ? {} : { first: Number(values['first']) });
const calls = (values: Values): Reactions[number] => ({
  on: 'online',
  after: values['after'],
  do: 'dial',
  video: values['video'] !== 'false',
});

export const BUILT_INS: readonly BuiltIn[] = [
  {
    name: 'accept',
    about: 'the called user accepts, with sound and a moving picture',
    parameters: { after: span('the time from the ring to the answer', '2s'), who },
    write: (values) => people(values, [{ on: 'called', after: values['after'], do: 'accept' }]),
  },
  {
    name: 'decline',
    about: 'the called user declines',
    parameters: { after: span('the time from the ring to the answer', '1s'), who },
    write: (values) => people(values, [{ on: 'called', after: values['after'], do: 'decline' }]),
  },
  {
    name: 'no-answer',
    about: 'the called user never answers',
    parameters: { who },
    write: (values) => people(values, [{ on: 'called', do: 'ignore' }]),
  },
  {
    name: 'busy',
    about: 'the called user declines at once, as a user in another call does',
    parameters: { who },
    write: (values) => people(values, [{ on: 'called', do: 'decline' }]),
  },
  {
    name: 'calls',
    about: 'a user calls the client',
    parameters: { after: span('the time from the arrival of the client to the dial', '1s'), video, who },
    write: (values) => people(values, [calls(values)]),
  },
  {
    name: 'cancel',
    about: 'a user calls the client, and cancels while it rings',
    parameters: {
      after: span('the time from the arrival of the client to the dial', '1s'),
      rings: span('the time from the ring', '3s'),
      video,
      who,
    },
    write: (values) => people(values, [calls(values), { on: 'ringing', after: values['rings'], do: 'cancel' }]),
  },
  {
    name: 'other-device',
    about: "a user calls the client, and another device of the client's user accepts",
    parameters: {
      after: span('the time from the arrival of the client to the dial', '1s'),
      rings: span('the time from the ring', '2s'),
      lasts: span('the length of that call', '3s'),
      video,
      who,
    },
    write: (values) => ({
      people: {
        ...people(values, [calls(values)]).people,
        [YOU]: [
          { on: 'called', after: values['rings'], do: 'accept' },
          { on: 'connected', after: values['lasts'], do: 'end' },
        ],
      },
    }),
  },
  {
    name: 'hangs-up',
    about: 'the other user hangs up',
    parameters: { after: span('the time from the start of media', '5s'), who },
    write: (values) => people(values, [{ on: 'connected', after: values['after'], do: 'end' }]),
  },
  {
    name: 'silent',
    about: 'the other user stops sending and receiving signals, while media flows on',
    parameters: {
      on: {
        about: 'the event from which it is silent',
        schema: v.picklist(['accepted', 'connected'], 'must be accepted or connected'),
        default: 'accepted',
      },
      after: span('the time from that event', '0s'),
      who,
    },
    write: (values) =>
      people(values, [
        { on: values['on'] === 'connected' ? 'connected' : 'accepted', after: values['after'], do: 'go-silent' },
      ]),
  },
  {
    name: 'lose-media',
    about: 'media stops, while signals continue',
    parameters: {
      after: span('the time from the start of media', '3s'),
      lasts: { about: 'the time until media flows again', schema: isSpan, default: null },
      who,
    },
    write: (values) => {
      const { after, lasts } = values;
      const back = (spanOf(after) ?? 0) + (spanOf(lasts) ?? 0);
      return people(values, [
        { on: 'connected', after, do: 'lose-media' },
        ...(lasts === undefined ? [] : [{ on: 'connected', after: `${back}ms`, do: 'regain-media' } as const]),
      ]);
    },
  },
  {
    name: 'refuse',
    about: 'the exchange refuses a request of the client',
    parameters: { cmd, code: { about: 'the error code, like 1400101', schema: isCode }, first },
    write: (values) => ({
      faults: [{ fault: { kind: 'refuse', cmd: values['cmd'] ?? '', code: Number(values['code']) }, ...often(values) }],
    }),
  },
  {
    name: 'late',
    about: 'the exchange performs a request of the client, and its reply comes late',
    parameters: { cmd, by: span('the delay', '5s'), first },
    write: (values) => ({
      faults: [
        {
          fault: { kind: 'delay', to: 'client', cmd: replyName(values['cmd'] ?? ''), by: values['by'] ?? '' },
          ...often(values),
        },
      ],
    }),
  },
  {
    name: 'never',
    about: 'the exchange performs a request of the client, and its reply never comes',
    parameters: { cmd, first },
    write: (values) => ({
      faults: [{ fault: { kind: 'drop', to: 'client', cmd: replyName(values['cmd'] ?? '') }, ...often(values) }],
    }),
  },
];
