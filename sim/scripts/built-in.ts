/** The scripts that come with the exchange. Each is written out for its parameters, and then read like any other. */
import * as v from 'valibot';
import { askedName, replyName } from './format/message-names.ts';
import { ANYBODY, isErrorCode, NOT_A_CODE, NOT_A_SPAN, YOU, type WrittenScript } from './format/tree.ts';
import { spanOf } from '../scenario/format/duration.ts';

type Values = Readonly<Record<string, string | undefined>>;
type People = NonNullable<WrittenScript['people']>;
type Reactions = People[string];

export interface BuiltIn {
  readonly name: string;
  readonly about: string;
  /** Its parameters, each a text that is checked; one without a default must be given. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly write: (values: Values) => Omit<WrittenScript, 'script'>;
}

interface Parameter {
  readonly about: string;
  readonly schema: v.GenericSchema<string>;
  /** What holds where it is not given; null where it may be left out and nothing holds. Undefined: it must be given. */
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
const who: Parameter = { about: 'who does so', schema: isPerson, default: ANYBODY };
const cmd: Parameter = { about: 'the command or request, like dial or login', schema: askedName };
const first: Parameter = { about: 'only the first so many', schema: isWhole, default: null };
const video: Parameter = {
  about: 'whether it is a video call',
  schema: v.picklist(['true', 'false'], 'must be true or false'),
  default: 'true',
};

const people = (values: Values, reactions: Reactions): { people: People } => ({
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
    about: 'whoever is called accepts, with sound and a moving picture',
    parameters: { after: span('how long it rings first', '2s'), who },
    write: (values) => people(values, [{ on: 'called', after: values['after'], do: 'accept' }]),
  },
  {
    name: 'decline',
    about: 'whoever is called declines',
    parameters: { after: span('how long it rings first', '1s'), who },
    write: (values) => people(values, [{ on: 'called', after: values['after'], do: 'decline' }]),
  },
  {
    name: 'no-answer',
    about: 'it rings, and nobody ever answers',
    parameters: { who },
    write: (values) => people(values, [{ on: 'called', do: 'ignore' }]),
  },
  {
    name: 'busy',
    about: 'whoever is called declines at once, as somebody does who is in another call',
    parameters: { who },
    write: (values) => people(values, [{ on: 'called', do: 'decline' }]),
  },
  {
    name: 'calls',
    about: 'somebody calls the client',
    parameters: { after: span('how long after the client has come', '1s'), video, who },
    write: (values) => people(values, [calls(values)]),
  },
  {
    name: 'cancel',
    about: 'somebody calls the client, and gives up while it rings',
    parameters: {
      after: span('how long after the client has come', '1s'),
      rings: span('how long it rings', '3s'),
      video,
      who,
    },
    write: (values) => people(values, [calls(values), { on: 'ringing', after: values['rings'], do: 'cancel' }]),
  },
  {
    name: 'other-device',
    about: "somebody calls the client, and another device of the client's user accepts",
    parameters: {
      after: span('how long after the client has come', '1s'),
      rings: span('how long it rings', '2s'),
      lasts: span('how long that call lasts', '3s'),
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
    about: 'the other side hangs up',
    parameters: { after: span('how long after media flows', '5s'), who },
    write: (values) => people(values, [{ on: 'connected', after: values['after'], do: 'end' }]),
  },
  {
    name: 'silent',
    about: 'the other side sends and hears no signal any more, while its media flows on',
    parameters: {
      on: {
        about: 'from when on',
        schema: v.picklist(['accepted', 'connected'], 'must be accepted or connected'),
        default: 'accepted',
      },
      after: span('how long after that', '0s'),
      who,
    },
    write: (values) =>
      people(values, [
        { on: values['on'] === 'connected' ? 'connected' : 'accepted', after: values['after'], do: 'go-silent' },
      ]),
  },
  {
    name: 'lose-media',
    about: 'no media gets through any more, while signals do',
    parameters: {
      after: span('how long after media flows', '3s'),
      lasts: { about: 'how long until media gets through again', schema: isSpan, default: null },
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
    about: 'the exchange refuses what the client asks',
    parameters: { cmd, code: { about: 'the error code, like 1400101', schema: isCode }, first },
    write: (values) => ({
      faults: [{ fault: { kind: 'refuse', cmd: values['cmd'] ?? '', code: Number(values['code']) }, ...often(values) }],
    }),
  },
  {
    name: 'late',
    about: 'the exchange does what the client asks, and its reply comes late',
    parameters: { cmd, by: span('how much later', '5s'), first },
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
    about: 'the exchange does what the client asks, and its reply never comes',
    parameters: { cmd, first },
    write: (values) => ({
      faults: [{ fault: { kind: 'drop', to: 'client', cmd: replyName(values['cmd'] ?? '') }, ...often(values) }],
    }),
  },
];
