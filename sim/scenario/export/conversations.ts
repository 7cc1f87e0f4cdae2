/** A trace as conversations: each request with its answer, each realtime channel with its messages. */
import type { HttpEvent, MessageEvent, SocketEvent, TraceEvent } from '../../../src/trace/events.ts';

/** A request of a device, and its answer. */
export interface RequestTalk {
  readonly kind: 'request';
  readonly device: string;
  readonly at: number;
  readonly asked: HttpEvent;
  /** Absent if the trace ended before the answer. */
  answer?: HttpEvent;
}

/** A realtime channel of a device, from its opening to its closing. */
export interface ChannelTalk {
  readonly kind: 'channel';
  readonly device: string;
  /** When it opened, in milliseconds. 0 if it was open when the story began. */
  readonly at: number;
  /** Absent if it was open when the story began. */
  readonly opened?: SocketEvent;
  readonly messages: MessageEvent[];
  /** Absent if the trace ended first. */
  closed?: SocketEvent;
}

/** A channel that was never opened. */
export interface RefusedTalk {
  readonly kind: 'refused';
  readonly device: string;
  readonly at: number;
  /** The refusal, with the HTTP status of the exchange. Without a status if the exchange was not reached. */
  readonly refusal: SocketEvent;
}

export type Talk = RequestTalk | ChannelTalk | RefusedTalk;

/** Returns the conversations of a trace, ordered by their beginning. */
export function talksOf(trace: readonly TraceEvent[]): Talk[] {
  const talks: Talk[] = [];
  const channels = new Map<string, ChannelTalk>();
  const begin = <T extends Talk>(talk: T): T => {
    talks.push(talk);
    return talk;
  };
  const openChannel = (device: string, opened?: SocketEvent): ChannelTalk => {
    const at = opened?.at ?? 0;
    const channel = begin<ChannelTalk>({ kind: 'channel', device, at, ...(opened ? { opened } : {}), messages: [] });
    channels.set(device, channel);
    return channel;
  };
  for (const event of trace) {
    const { at } = event;
    if (event.kind === 'message') {
      // Messages that the exchange sends before it knows of the close belong to the closed channel.
      (channels.get(event.device) ?? openChannel(event.device)).messages.push(event);
    } else if (event.kind === 'socket' && event.what === 'open') {
      openChannel(event.device, event);
    } else if (event.kind === 'socket') {
      const { device, status } = event;
      const channel = channels.get(device) ?? (status === undefined ? openChannel(device) : undefined);
      if (channel && !channel.closed) channel.closed = event;
      else begin({ kind: 'refused', device, at, refusal: event });
    } else if (event.kind === 'http' && event.direction === 'up') {
      begin({ kind: 'request', device: event.device, at, asked: event });
    } else if (event.kind === 'http') {
      const asked = talks.find((talk): talk is RequestTalk => talk.kind === 'request' && isAnswer(event, talk));
      if (asked) asked.answer = event;
    }
  }
  return talks.toSorted((a, b) => a.at - b.at);
}

/** Equal requests are answered in their order. A request that never arrived gets no answer. */
const isAnswer = ({ device, request }: HttpEvent, { asked, answer }: RequestTalk): boolean =>
  answer === undefined && asked.device === device && asked.request === request && asked.fate !== 'dropped';

/** Returns the devices, ordered by their first event. */
export const devicesOf = (trace: readonly TraceEvent[]): string[] => [
  ...new Set(trace.flatMap((event) => ('device' in event ? [event.device] : []))),
];
