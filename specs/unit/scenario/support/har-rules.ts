/** The rules of an HTTP archive (HAR 1.2), as its specification lists them: the required fields, and their types. */
import * as v from 'valibot';

const date = v.pipe(v.string(), v.isoTimestamp());
/** -1 means unknown. */
const sizeOrUnknown = v.pipe(v.number(), v.integer(), v.minValue(-1));
const time = v.pipe(v.number(), v.minValue(0));
const timeOrUnknown = v.pipe(v.number(), v.minValue(-1));
const pairs = v.array(v.object({ name: v.string(), value: v.string() }));

const request = v.object({
  method: v.pipe(v.string(), v.regex(/^[A-Z]+$/)),
  url: v.pipe(v.string(), v.url()),
  httpVersion: v.string(),
  cookies: v.array(v.unknown()),
  headers: pairs,
  queryString: pairs,
  postData: v.optional(v.object({ mimeType: v.string(), text: v.string() })),
  headersSize: sizeOrUnknown,
  bodySize: sizeOrUnknown,
});

const response = v.object({
  status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(599)),
  statusText: v.string(),
  httpVersion: v.string(),
  cookies: v.array(v.unknown()),
  headers: pairs,
  content: v.object({ size: sizeOrUnknown, mimeType: v.string(), text: v.optional(v.string()) }),
  redirectURL: v.string(),
  headersSize: sizeOrUnknown,
  bodySize: sizeOrUnknown,
});

const entry = v.pipe(
  v.object({
    pageref: v.string(),
    startedDateTime: date,
    time,
    request,
    response,
    cache: v.object({}),
    timings: v.object({ send: time, wait: time, receive: time, blocked: v.optional(timeOrUnknown) }),
    /** Chromium's own. */
    _webSocketMessages: v.optional(
      v.array(v.object({ type: v.picklist(['send', 'receive']), time, opcode: v.number(), data: v.string() })),
    ),
  }),
  v.check(
    ({ time: whole, timings: { send, wait, receive } }) => Math.abs(whole - send - wait - receive) < 1e-6,
    'time',
  ),
);

/** The whole file. */
export const harRules = v.pipe(
  v.object({
    log: v.object({
      version: v.literal('1.2'),
      creator: v.object({ name: v.string(), version: v.string() }),
      pages: v.array(v.object({ startedDateTime: date, id: v.string(), title: v.string(), pageTimings: v.object({}) })),
      entries: v.array(entry),
    }),
  }),
  v.check(
    ({ log }) => log.entries.every(({ pageref }) => log.pages.some(({ id }) => id === pageref)),
    'an entry is of a page that is none',
  ),
);
