/** Reads an HTTP archive of a browser (HAR 1.2) as a recording: the requests and channels of the calling service. */
import * as v from 'valibot';
import { CHANNEL_QUERY } from '../../src/protocol/http.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { type RecordedBody, type RecordedChannel, Recording } from './recording.ts';
import { clientOf, entriesOfService } from './service-entries.ts';

const body = v.object({ text: v.optional(v.string()), encoding: v.optional(v.string()) });
const entry = v.object({
  pageref: v.optional(v.string()),
  startedDateTime: v.pipe(
    v.string(),
    v.check((text) => Number.isFinite(Date.parse(text))),
  ),
  time: v.optional(v.pipe(v.number(), v.finite()), 0),
  request: v.object({
    method: v.string(),
    url: v.string(),
    headers: v.optional(v.array(v.object({ name: v.string(), value: v.string() })), []),
    postData: v.optional(body),
  }),
  response: v.object({ status: v.number(), content: v.optional(body) }),
  _webSocketMessages: v.optional(
    v.array(
      v.object({ type: v.picklist(['send', 'receive']), time: v.pipe(v.number(), v.finite()), data: v.string() }),
    ),
  ),
});
/** Only the entries of the service are read: those of others may have any form. */
const archive = v.object({ log: v.object({ entries: v.array(v.unknown()) }) });
type Entry = v.InferOutput<typeof entry>;

/** The error of a file that is no HTTP archive. Its message continues `app.har `. */
export class InvalidHar extends Error {}

/** An archive as a recording. */
export interface ReadHar {
  readonly events: readonly TraceEvent[];
  readonly clients: number;
  readonly elapsedMs: number;
  /** The number of messages of realtime channels. Browsers other than Chromium store none. */
  readonly messages: number;
}

/** Something that happened at a time, in milliseconds since the epoch. */
interface Happening {
  readonly at: number;
  readonly happen: (recording: Recording) => void;
}

/**
 * Reads the text of an archive.
 * @throws InvalidHar when it is no archive.
 */
export function readHar(text: string): ReadHar {
  let happenings: Happening[];
  try {
    const { log } = read(archive, JSON.parse(text), '');
    happenings = entriesOfService(log.entries).flatMap((at) => {
      const one = read(entry, log.entries[at], `log.entries.${at}.`);
      return isChannel(one) ? ofChannel(one) : ofRequest(one);
    });
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidHar('is no JSON');
    throw error;
  }
  const sorted = happenings.toSorted((one, other) => one.at - other.at);
  const events: TraceEvent[] = [];
  let now = sorted[0]?.at ?? 0;
  const recording = new Recording({ now: () => now, keep: (event) => events.push(event) });
  for (const { at, happen } of sorted) {
    now = at;
    happen(recording);
  }
  const messages = events.filter(({ kind }) => kind === 'message').length;
  return { events, clients: recording.clients, elapsedMs: recording.elapsedMs, messages };
}

/** Reads a value at a place of the archive, which begins with `before`. */
function read<Schema extends v.GenericSchema>(schema: Schema, value: unknown, before: string): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  throw new InvalidHar(`is no HTTP archive: ${before}${v.getDotPath(issues[0]) ?? 'log'} is missing or wrong`);
}

const isChannel = (one: Entry): boolean => one._webSocketMessages !== undefined || /^wss?:/.test(one.request.url);

/** Returns the path and the query, with the client in it. */
function targetOf(one: Entry): string {
  const { pathname, searchParams } = new URL(one.request.url);
  // An archive without client ids has one client for each page.
  searchParams.set(CHANNEL_QUERY.clientId, clientOf(one.request) ?? one.pageref ?? '');
  return `${pathname}?${searchParams.toString()}`;
}

function bodyOf({ text = '', encoding }: v.InferOutput<typeof body> = {}): RecordedBody {
  const plain = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  return { bytes: Buffer.byteLength(plain), text: plain };
}

function ofRequest(one: Entry): Happening[] {
  const at = Date.parse(one.startedDateTime);
  let answered: ReturnType<Recording['request']> | undefined;
  const { method, postData } = one.request;
  const { status, content } = one.response;
  const asked: Happening = {
    at,
    happen: (recording) => {
      answered = recording.request({ method, url: targetOf(one), headers: {} }, bodyOf(postData));
    },
  };
  // A request without an answer has status 0.
  if (status === 0) return [asked];
  return [asked, { at: at + one.time, happen: () => answered?.(status, bodyOf(content)) }];
}

/**
 * The time of a message is in seconds in an archive of the network panel, and in milliseconds in one of Playwright. In
 * seconds, this is the year 5138.
 */
const SINCE_EPOCH_IN_MS = 100_000_000_000;

function ofChannel(one: Entry): Happening[] {
  // A refused upgrade opens no channel.
  if (one.response.status !== 101 && (one._webSocketMessages ?? []).length === 0) return [];
  let channel: RecordedChannel | undefined;
  const open: Happening = {
    at: Date.parse(one.startedDateTime),
    happen: (recording) => {
      channel = recording.channel(targetOf(one));
    },
  };
  const messages = (one._webSocketMessages ?? []).map(({ type, time, data }): Happening => {
    const happen = () => (type === 'send' ? channel?.up(data) : channel?.down(data));
    return { at: time > SINCE_EPOCH_IN_MS ? time : time * 1_000, happen };
  });
  return [open, ...messages];
}
