/**
 * Reads a capture file independently of its writer: blocks, packets, connections, frames. Throws at the first fault.
 */

interface Block {
  readonly type: number;
  readonly body: DataView;
}

export interface ReadPacket {
  readonly device: string;
  /** Microseconds since 1970. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly sequence: number;
  readonly acknowledged: number;
  readonly flags: string;
  readonly data: Uint8Array;
  readonly remark: string;
}

export interface Capture {
  readonly application: string;
  readonly names: Readonly<Record<string, string>>;
  readonly packets: readonly ReadPacket[];
}

export function readCapture(file: Uint8Array): Capture {
  const blocks = blocksOf(file);
  const [section] = blocks;
  if (section?.type !== 0x0a0d0d0a || section.body.getUint32(0, true) !== 0x1a2b3c4d) throw new Error('no capture');
  const interfaces = blocks.filter(({ type }) => type === 1).map(({ body }) => optionsOf(body, 8));
  const packets = blocks.filter(({ type }) => type === 6).map(({ body }) => packetOf(body, interfaces));
  const names = blocks.filter(({ type }) => type === 4).map(({ body }) => namesOf(body));
  return {
    application: words(optionsOf(section.body, 16).get(4)),
    names: Object.assign({}, ...names) as Record<string, string>,
    packets,
  };
}

/** What each side of each connection sent, joined by the byte numbers, without the packets' comments. */
export function streamsOf(packets: readonly ReadPacket[]): Map<string, { client: Uint8Array; server: Uint8Array }> {
  const streams = new Map<string, { client: Uint8Array; server: Uint8Array }>();
  const next = new Map<string, number>();
  for (const { from, to, sequence, flags, data } of packets) {
    const isClient = !from.endsWith(':80');
    const stream = isClient ? `${from} ${to}` : `${to} ${from}`;
    const expected = next.get(`${from} ${to}`);
    if (expected !== undefined && expected !== sequence) throw new Error(`${from}: byte ${sequence}, not ${expected}`);
    next.set(`${from} ${to}`, sequence + data.length + (/[SF]/.test(flags) ? 1 : 0));
    const own = streams.get(stream) ?? { client: new Uint8Array(), server: new Uint8Array() };
    const side = isClient ? 'client' : 'server';
    streams.set(stream, { ...own, [side]: joined(own[side], data) });
  }
  return streams;
}

/** The frames of one side of a channel. A text frame is its text, a close frame its code. */
export function framesOf(bytes: Uint8Array): { masked: boolean; text?: string; code?: number }[] {
  const frames: { masked: boolean; text?: string; code?: number }[] = [];
  for (let at = 0; at < bytes.length;) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at);
    const masked = (view.getUint8(1) & 0x80) !== 0;
    const short = view.getUint8(1) & 0x7f;
    const [length, size] =
      short === 126 ? [view.getUint16(2), 4] : short === 127 ? [Number(view.getBigUint64(2)), 10] : [short, 2];
    const mask = masked ? bytes.slice(at + size, at + size + 4) : new Uint8Array(4);
    const start = at + size + (masked ? 4 : 0);
    const payload = bytes.slice(start, start + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    const opcode = view.getUint8(0);
    if (opcode === 0x81) frames.push({ masked, text: words(payload) });
    else if (opcode === 0x88)
      frames.push({ masked, ...(length === 0 ? {} : { code: payload[0]! * 256 + payload[1]! }) });
    else throw new Error(`frame ${opcode}`);
    at = start + length;
  }
  return frames;
}

function blocksOf(file: Uint8Array): Block[] {
  const blocks: Block[] = [];
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  for (let at = 0; at < file.length;) {
    const length = view.getUint32(at + 4, true);
    if (length % 4 !== 0 || view.getUint32(at + length - 4, true) !== length) throw new Error(`block at ${at}`);
    blocks.push({
      type: view.getUint32(at, true),
      body: new DataView(file.buffer, file.byteOffset + at + 8, length - 12),
    });
    at += length;
  }
  return blocks;
}

function packetOf(body: DataView, interfaces: readonly ReadonlyMap<number, Uint8Array>[]): ReadPacket {
  const device = interfaces[body.getUint32(0, true)];
  if (device?.get(9)?.[0] !== 6) throw new Error('its moments are not in microseconds');
  const length = body.getUint32(12, true);
  const frame = bytesOf(body, 20, length);
  const [ip, tcp] = [frame.subarray(14, 34), frame.subarray(34)];
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  if (view.getUint16(12) !== 0x0800 || view.getUint16(16) !== length - 14) throw new Error('no IPv4 of that length');
  if (sum(ip) !== 0xffff) throw new Error('checksum of the address header');
  const pseudo = [...ip.subarray(12, 20), 0, 6, tcp.length >> 8, tcp.length & 255];
  if (sum([...pseudo, ...tcp]) !== 0xffff) throw new Error('checksum of the segment');
  const address = (at: number, port: number) => `${[...ip.subarray(at, at + 4)].join('.')}:${view.getUint16(port)}`;
  const flags = view.getUint8(47);
  return {
    device: words(device.get(2)),
    at: body.getUint32(4, true) * 2 ** 32 + body.getUint32(8, true),
    from: address(12, 34),
    to: address(16, 36),
    sequence: view.getUint32(38),
    acknowledged: view.getUint32(42),
    flags: ['F', 'S', 'R', 'P', 'A'].filter((_, bit) => (flags & (1 << bit)) !== 0).join(''),
    data: tcp.slice((view.getUint8(46) >> 4) * 4),
    remark: words(optionsOf(body, 20 + Math.ceil(length / 4) * 4).get(1)),
  };
}

/** In ones' complement, words with their own checksum add up to all ones. */
function sum(bytes: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < bytes.length; at += 1) total += at % 2 === 0 ? (bytes[at] ?? 0) << 8 : (bytes[at] ?? 0);
  while (total > 0xffff) total = (total & 0xffff) + (total >>> 16);
  return total;
}

function optionsOf(body: DataView, from: number): Map<number, Uint8Array> {
  const options = new Map<number, Uint8Array>();
  for (let at = from; at < body.byteLength && body.getUint16(at, true) !== 0;) {
    const length = body.getUint16(at + 2, true);
    options.set(body.getUint16(at, true), bytesOf(body, at + 4, length));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return options;
}

const namesOf = (body: DataView): Record<string, string> => {
  const names: Record<string, string> = {};
  for (let at = 0; body.getUint16(at, true) === 1;) {
    const length = body.getUint16(at + 2, true);
    const record = bytesOf(body, at + 4, length);
    names[record.subarray(0, 4).join('.')] = words(record.subarray(4, -1));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return names;
};

const bytesOf = (body: DataView, at: number, length: number): Uint8Array =>
  new Uint8Array(body.buffer, body.byteOffset + at, length).slice();
const words = (bytes: Uint8Array = new Uint8Array()): string => new TextDecoder().decode(bytes);
const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => new Uint8Array([...first, ...second]);
