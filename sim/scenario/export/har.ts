/**
 * A trace as an HTTP archive (HAR 1.2). Each device is a page, each request an entry. A realtime channel is an entry
 * with its messages, in the format of Chromium's tools.
 */
import { STATUS_CODES } from 'node:http';
import type { Entry, Har, Header, Request, Response } from 'har-format';
import { PATHS } from '../../../src/protocol/http.ts';
import { maskedTrace } from '../trace/masked-trace.ts';
import type { MessageEvent, TraceEvent } from '../../../src/trace/events.ts';
import {
  type ChannelTalk,
  devicesOf,
  type RefusedTalk,
  type RequestTalk,
  type Talk,
  talksOf,
} from './conversations.ts';
import { BEGINNING, bodyText, EXCHANGE_HOST, frameText, requestLine, statusOf } from './wire-text.ts';

const JSON_TYPE = 'application/json';
const TEXT_FRAME = 1;

interface HarOptions {
  /** The version of ringback that writes the archive. */
  readonly version: string;
}

export function harOf(events: readonly TraceEvent[], { version }: HarOptions): Har {
  const trace = maskedTrace(events);
  const end = trace.at(-1)?.at ?? 0;
  return {
    log: {
      version: '1.2',
      creator: { name: 'ringback', version },
      pages: devicesOf(trace).map((device) => ({
        startedDateTime: dateOf(0),
        id: pageOf(device),
        title: device,
        pageTimings: {},
      })),
      entries: talksOf(trace).map((talk) => entryOf(talk, end)),
    },
  };
}

function entryOf(talk: Talk, end: number): Entry {
  switch (talk.kind) {
    case 'request':
      return requestEntry(talk);
    case 'channel':
      return channelEntry(talk, end);
    case 'refused':
      return refusedEntry(talk);
    default:
      return talk satisfies never;
  }
}

function requestEntry({ device, at, asked, answer }: RequestTalk): Entry {
  const arrived = answer === undefined || answer.fate === 'dropped' ? undefined : answer;
  const { method, path } = requestLine(asked);
  const [sent, text] = [bodyText(asked), arrived ? bodyText(arrived) : ''];
  const response = arrived
    ? { ...responseOf(statusOf(arrived), text === '' ? [] : [contentType]), ...contentOf(text) }
    : unanswered(asked.fate === 'dropped' ? 'the request was lost' : 'no answer came');
  return {
    ...entryHead(device, at, arrived ? arrived.at - at : 0),
    request: {
      ...requestOf(method, `http://${EXCHANGE_HOST}${path}`, sent === '' ? [] : [contentType]),
      bodySize: bytes(sent),
      ...(sent === '' ? {} : { postData: { mimeType: JSON_TYPE, text: sent } }),
    },
    response,
    _resourceType: 'fetch',
  };
}

function channelEntry({ device, at, messages, closed }: ChannelTalk, end: number): Entry {
  return {
    ...entryHead(device, at, Math.max(0, (closed?.at ?? end) - at)),
    request: upgradeRequest(),
    response: responseOf(101, upgradeHeaders),
    _resourceType: 'websocket',
    _webSocketMessages: messages.flatMap(messagesOf).toSorted((a, b) => a.time - b.time),
  };
}

function refusedEntry({ device, at, refusal: { status } }: RefusedTalk): Entry {
  return {
    ...entryHead(device, at, 0),
    request: upgradeRequest(),
    response: status === undefined ? unanswered('the exchange was not reached') : responseOf(status, []),
    _resourceType: 'websocket',
    _webSocketMessages: [],
  };
}

type Message = NonNullable<Entry['_webSocketMessages']>[number];

/** Returns the messages as the device got them: without lost ones, with copies, and with delays. */
function messagesOf(event: MessageEvent): Message[] {
  const { at, direction, fate = '' } = event;
  const isSent = direction === 'up';
  if (!isSent && fate === 'dropped') return [];
  const late = isSent ? 0 : Number(/^delayed ([\d.]+) ms$/.exec(fate)?.[1] ?? 0);
  const copies = isSent ? 1 : Number(/^(\d+) copies$/.exec(fate)?.[1] ?? 1);
  const message: Message = {
    type: isSent ? 'send' : 'receive',
    time: (BEGINNING + at + late) / 1_000,
    opcode: TEXT_FRAME,
    data: frameText(event),
  };
  return Array.from({ length: copies }, () => message);
}

const dateOf = (at: number): string => new Date(BEGINNING + at).toISOString();
const pageOf = (device: string): string => `page_${device}`;
const bytes = (text: string): number => Buffer.byteLength(text);

const contentType: Header = { name: 'Content-Type', value: JSON_TYPE };
const upgradeHeaders: Header[] = [
  { name: 'Connection', value: 'Upgrade' },
  { name: 'Upgrade', value: 'websocket' },
];

const entryHead = (device: string, at: number, time: number) => ({
  pageref: pageOf(device),
  startedDateTime: dateOf(at),
  time,
  cache: {},
  timings: { send: 0, wait: time, receive: 0 },
});

const requestOf = (method: string, url: string, headers: Header[]): Request => ({
  method,
  url,
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: [{ name: 'Host', value: EXCHANGE_HOST }, ...headers],
  queryString: [],
  headersSize: -1,
  bodySize: 0,
});

const upgradeRequest = (): Request => requestOf('GET', `ws://${EXCHANGE_HOST}${PATHS.channel}`, upgradeHeaders);

const responseOf = (status: number, headers: Header[]): Response => ({
  status,
  statusText: STATUS_CODES[status] ?? '',
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers,
  ...contentOf(''),
  redirectURL: '',
  headersSize: -1,
});

const contentOf = (text: string): Pick<Response, 'content' | 'bodySize'> => ({
  content: { size: bytes(text), mimeType: text === '' ? 'x-unknown' : JSON_TYPE, ...(text === '' ? {} : { text }) },
  bodySize: bytes(text),
});

/**
 * Returns the response of a request without an answer: an archive has status 0, and Chromium's field names the
 * reason.
 */
const unanswered = (why: string): Response & { readonly _error: string } => ({
  ...responseOf(0, []),
  httpVersion: '',
  _error: why,
});
