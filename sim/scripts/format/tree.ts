/**
 * A server script as a tree: the reactions of simulated users, and the faults of a client's requests. Each part has a
 * schema, so that a wrong word is reported with line and column before anything runs.
 */
import * as v from 'valibot';
import { CLIENT_ERRORS, SERVER_ERRORS } from '../../../src/protocol/errors.ts';
import { count, delayFault, dropFault, refuseFault } from '../../faults/vocabulary.ts';
import { spanOf } from '../../format/duration.ts';
import { askedName, messageName } from './message-names.ts';

export const NOT_A_SPAN = 'must be a span of time like 500ms, 2s or 1m';

/** A span of time, as it is written. */
const writtenSpan = v.pipe(
  v.string(NOT_A_SPAN),
  v.check((text) => spanOf(text) !== undefined, NOT_A_SPAN),
);

/** A span of time, read as milliseconds. */
const span = v.pipe(
  writtenSpan,
  v.transform((text) => spanOf(text) ?? 0),
);

const after = v.optional(span, '0s');

/**
 * The reaction of a simulated user to an event, and the delay before it.
 * - `online`: a client under test has connected.
 * - `called`: a call rings for the user.
 * - `ringing`: the call that the user made rings at the client.
 * - `accepted`, `connected`: a call of the user, as caller or callee, was accepted; has media.
 */
export const reaction = v.variant('on', [
  v.strictObject({ on: v.literal('online'), after, do: v.literal('dial'), video: v.optional(v.boolean(), true) }),
  v.strictObject({ on: v.literal('called'), after, do: v.picklist(['accept', 'decline', 'ignore']) }),
  v.strictObject({ on: v.literal('ringing'), after, do: v.literal('cancel') }),
  v.strictObject({ on: v.literal('accepted'), after, do: v.picklist(['end', 'go-silent', 'lose-media']) }),
  v.strictObject({
    on: v.literal('connected'),
    after,
    do: v.picklist(['end', 'go-silent', 'lose-media', 'regain-media']),
  }),
]);
export type Reaction = v.InferOutput<typeof reaction>;
export type Occasion = Reaction['on'];

/** The name for every user that is not named. */
export const ANYBODY = 'anybody';
/** The name for another device of the client's own user. */
export const YOU = 'you';

export const NOT_A_CODE = 'must be one of the error codes, like 1400101: docs/errors.md lists them';
export const isErrorCode = (code: number): boolean => code in SERVER_ERRORS || code in CLIENT_ERRORS;

const client = v.optional(v.literal('client'));
const direction = { from: client, to: client };

/** What happens to a message between the client under test and the exchange. */
export const fault = v.variant('kind', [
  dropFault({ ...direction, cmd: messageName }),
  delayFault({ ...direction, cmd: messageName, by: writtenSpan }),
  refuseFault({
    from: client,
    cmd: askedName,
    code: v.pipe(v.number(NOT_A_CODE), v.check(isErrorCode, NOT_A_CODE)),
  }),
]);
export type Fault = v.InferOutput<typeof fault>;

/** A fault, and the messages of a client that it applies to: the first `first`, or the `nth` only. Default: all. */
export const scriptFault = v.strictObject({ fault, first: v.optional(count), nth: v.optional(count) });
export type ScriptFault = v.InferOutput<typeof scriptFault>;

/** A script file. */
export const script = v.strictObject({
  script: v.pipe(
    v.string(),
    v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be a name: lower-case words, joined by dashes'),
  ),
  about: v.optional(v.string()),
  people: v.optional(
    v.pipe(
      v.record(v.string(), v.array(reaction)),
      v.check((people) => !people[YOU]?.some(({ on }) => on === 'online'), `must not let ${YOU} dial themselves`),
    ),
    {},
  ),
  faults: v.optional(v.array(scriptFault), []),
});
/** A script as it is written, before it is read. */
export type WrittenScript = v.InferInput<typeof script>;
export type Script = v.InferOutput<typeof script>;
