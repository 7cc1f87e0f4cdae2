/**
 * A trace as a capture file (pcapng), for Wireshark. It holds the packets that would have carried the messages. Each
 * device is an interface. Addresses are those for documentation (RFC 5737), and have the devices' names. A comment at
 * a packet names the fault of its message.
 */
import { STATUS_CODES } from 'node:http';
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
import { interfaceBlock, namesBlock, packetBlock, sectionHeader } from './pcapng-blocks.ts';
import { type Endpoint, type Packet, TcpConnection } from './tcp-packets.ts';
import { closeFrame, httpText, textFrame, upgradeTexts } from './websocket-bytes.ts';
import { BEGINNING, bodyText, EXCHANGE_HOST, frameText, requestLine, statusOf } from './wire-text.ts';

/** The port of plain HTTP, which every reader recognizes. */
const EXCHANGE: Endpoint = { address: Buffer.of(192, 0, 2, 1), port: 80 };
/** 192.0.2.2 to 192.0.2.254. */
const MOST_DEVICES = 253;
const FIRST_FREE_PORT = 49_152;
const FREE_PORTS = 16_384;

/** The packets of an event. */
interface Burst {
  /** Absent for packets from before the story began. */
  readonly event?: TraceEvent | undefined;
  readonly packets: readonly Packet[];
}

/** Returns the capture file. @throws RangeError when the trace has more devices than there are addresses. */
export function pcapngOf(events: readonly TraceEvent[]): Buffer {
  const trace = maskedTrace(events);
  const devices = devicesOf(trace);
  if (devices.length > MOST_DEVICES)
    throw new RangeError(`a capture holds up to ${MOST_DEVICES} devices, and this trace has ${devices.length}`);
  const places = new Map(trace.map((event, at) => [event, at]));
  const placeOf = ({ event }: Burst) => (event && places.get(event)) ?? -1;
  const addresses = new Map(devices.map((device, at) => [device, Buffer.of(192, 0, 2, at + 2)]));
  const bursts = talksOf(trace)
    .flatMap((talk, at) => {
      const { device } = talk;
      const client = { address: addresses.get(device) ?? EXCHANGE.address, port: FIRST_FREE_PORT + (at % FREE_PORTS) };
      return burstsOf(talk, new TcpConnection(client, EXCHANGE), at).map((burst) => ({ ...burst, device }));
    })
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  let last = 0n;
  const packets = bursts.flatMap(({ event, device, packets: own }) =>
    own.map(({ bytes, remark }) => {
      // Packets of one moment are one microsecond apart, so that their order is visible.
      const moment = BigInt(Math.round((BEGINNING + (event?.at ?? 0)) * 1_000));
      last = moment > last ? moment : last + 1n;
      return packetBlock(last, devices.indexOf(device), bytes, remark);
    }),
  );
  return Buffer.concat([
    sectionHeader('ringback'),
    ...devices.map(interfaceBlock),
    namesBlock([
      { address: EXCHANGE.address, name: EXCHANGE_HOST },
      ...[...addresses].map(([name, address]) => ({ address, name })),
    ]),
    ...packets,
  ]);
}

function burstsOf(talk: Talk, connection: TcpConnection, number: number): Burst[] {
  switch (talk.kind) {
    case 'request':
      return requestBursts(talk, connection);
    case 'channel':
      return channelBursts(talk, connection, number);
    case 'refused':
      return refusedBursts(talk, connection, number);
    default:
      return talk satisfies never;
  }
}

function requestBursts({ asked, answer }: RequestTalk, connection: TcpConnection): Burst[] {
  const { method, path } = requestLine(asked);
  const request = httpBytes([`${method} ${path} HTTP/1.1`, `Host: ${EXCHANGE_HOST}`], bodyText(asked));
  const bursts: Burst[] = [
    { event: asked, packets: [...connection.open(), ...connection.send('client', request, asked.fate)] },
  ];
  if (!answer) return bursts;
  const status = statusOf(answer);
  const response = httpBytes([statusLine(status)], bodyText(answer));
  const packets = [...connection.send('server', response, answer.fate), ...connection.close('client')];
  return [...bursts, { event: answer, packets }];
}

function channelBursts({ opened, messages, closed }: ChannelTalk, connection: TcpConnection, number: number): Burst[] {
  const { asked, answered } = upgradeTexts(EXCHANGE_HOST, PATHS.channel, anyBytes(number, 16));
  const bursts: Burst[] = [
    {
      event: opened,
      packets: [
        ...connection.open(),
        ...connection.send('client', Buffer.from(asked)),
        ...connection.send('server', Buffer.from(answered)),
      ],
    },
    ...messages.map((event, index) => ({
      event,
      packets: connection.send(...frameOf(event, anyBytes(number + index, 4)), event.fate),
    })),
  ];
  if (!closed) return bursts;
  // Messages that the exchange sent before it knew of the close are on the wire too.
  const last = messages.at(-1);
  const over = last && last.at > closed.at ? last : closed;
  const { code = 1005 } = closed;
  const packets =
    code === 1006
      ? connection.reset('client', 'the channel broke')
      : [...connection.send('client', closeFrame(code, anyBytes(number, 4))), ...connection.close('client')];
  return [...bursts, { event: over, packets }];
}

function refusedBursts({ refusal }: RefusedTalk, connection: TcpConnection, number: number): Burst[] {
  const { status } = refusal;
  if (status === undefined) return [{ event: refusal, packets: connection.openInVain() }];
  const { asked } = upgradeTexts(EXCHANGE_HOST, PATHS.channel, anyBytes(number, 16));
  const packets = [
    ...connection.open(),
    ...connection.send('client', Buffer.from(asked)),
    ...connection.send('server', httpBytes([statusLine(status)], '')),
    ...connection.close('server'),
  ];
  return [{ event: refusal, packets }];
}

function frameOf(event: MessageEvent, mask: Buffer): ['client' | 'server', Buffer] {
  const text = frameText(event);
  return event.direction === 'up' ? ['client', textFrame(text, mask)] : ['server', textFrame(text, undefined)];
}

function httpBytes(head: readonly string[], body: string): Buffer {
  const type = body === '' ? [] : ['Content-Type: application/json'];
  return Buffer.from(httpText([...head, ...type, `Content-Length: ${Buffer.byteLength(body)}`], body));
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();

/** Returns bytes that look random, and are the same for the same trace. */
const anyBytes = (number: number, length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (number * 151 + at * 89 + 37) % 256));
