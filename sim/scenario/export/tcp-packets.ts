/** A TCP connection as Ethernet frames, with checksums (RFC 791, RFC 9293). */

export interface Endpoint {
  /** Four bytes. */
  readonly address: Buffer;
  readonly port: number;
}

/** One frame, and a comment for the reader. */
export interface Packet {
  readonly bytes: Buffer;
  readonly remark: string;
}

type Side = 'client' | 'server';

const FLAG = { fin: 1, syn: 2, reset: 4, push: 8, ack: 16 } as const;
const TCP = 6;
const WINDOW = 65_535;
const LONGEST_SEGMENT = 1_460;
const HOPS = 64;
const IPV4_TYPE = 0x0800;

/** The first sequence number of each side. Any number is valid; it is the same for each capture. */
const FIRST_SEQUENCE: Readonly<Record<Side, number>> = { client: 1_000, server: 5_000 };

/** A builder of the frames of one connection. It counts what each side has sent. */
export class TcpConnection {
  readonly #ends: Readonly<Record<Side, Endpoint>>;
  readonly #next: Record<Side, number> = { ...FIRST_SEQUENCE };
  #packets = 0;

  constructor(client: Endpoint, server: Endpoint) {
    this.#ends = { client, server };
  }

  open(): Packet[] {
    return [
      this.#segment('client', FLAG.syn),
      this.#segment('server', FLAG.syn | FLAG.ack),
      this.#segment('client', FLAG.ack),
    ];
  }

  /** Returns the frames of a connection attempt that is refused. */
  openInVain(): Packet[] {
    return [this.#segment('client', FLAG.syn)];
  }

  /** Returns the frames that carry bytes from one side, and the acknowledgement of the other. */
  send(from: Side, bytes: Buffer, remark = ''): Packet[] {
    const packets: Packet[] = [];
    for (let at = 0; at < bytes.length; at += LONGEST_SEGMENT) {
      const piece = bytes.subarray(at, at + LONGEST_SEGMENT);
      const isLast = at + LONGEST_SEGMENT >= bytes.length;
      packets.push(
        this.#segment(from, FLAG.ack | (isLast ? FLAG.push : 0), piece, isLast ? remark : ''),
        this.#segment(otherSide(from), FLAG.ack),
      );
    }
    return packets;
  }

  /** Returns the frames that close the connection. */
  close(from: Side): Packet[] {
    return [
      this.#segment(from, FLAG.fin | FLAG.ack),
      this.#segment(otherSide(from), FLAG.fin | FLAG.ack),
      this.#segment(from, FLAG.ack),
    ];
  }

  /** Returns the frame that resets the connection. */
  reset(from: Side, remark: string): Packet[] {
    return [this.#segment(from, FLAG.reset | FLAG.ack, undefined, remark)];
  }

  #segment(from: Side, flags: number, data: Buffer = Buffer.alloc(0), remark = ''): Packet {
    const to = otherSide(from);
    const [source, target] = [this.#ends[from], this.#ends[to]];
    const isSyn = (flags & FLAG.syn) !== 0;
    const options = isSyn ? Buffer.of(2, 4, LONGEST_SEGMENT >> 8, LONGEST_SEGMENT & 255) : Buffer.alloc(0);
    const tcp = Buffer.alloc(20);
    tcp.writeUInt16BE(source.port, 0);
    tcp.writeUInt16BE(target.port, 2);
    tcp.writeUInt32BE(this.#next[from], 4);
    tcp.writeUInt32BE((flags & FLAG.ack) === 0 ? 0 : this.#next[to], 8);
    tcp.writeUInt8(((20 + options.length) / 4) << 4, 12);
    tcp.writeUInt8(flags, 13);
    tcp.writeUInt16BE(WINDOW, 14);
    const segment = Buffer.concat([tcp, options, data]);
    segment.writeUInt16BE(checksum(Buffer.concat([pseudoHeader(source, target, segment.length), segment])), 16);
    // SYN and FIN each count as one byte.
    this.#next[from] += data.length + ((flags & (FLAG.syn | FLAG.fin)) === 0 ? 0 : 1);
    this.#packets += 1;
    const ip = ipHeader(source, target, segment.length, this.#packets);
    return { bytes: Buffer.concat([ethernetHeader(source, target), ip, segment]), remark };
  }
}

const otherSide = (side: Side): Side => (side === 'client' ? 'server' : 'client');

/**
 * Returns an Ethernet header. The hardware addresses are locally administered and end with the bytes of the IP
 * address.
 */
function ethernetHeader(source: Endpoint, target: Endpoint): Buffer {
  const hardware = ({ address }: Endpoint) => Buffer.concat([Buffer.of(2, 0), address]);
  return Buffer.concat([hardware(target), hardware(source), Buffer.of(IPV4_TYPE >> 8, IPV4_TYPE & 255)]);
}

function ipHeader(source: Endpoint, target: Endpoint, length: number, id: number): Buffer {
  const ip = Buffer.alloc(20);
  ip.writeUInt8(0x45, 0);
  ip.writeUInt16BE(20 + length, 2);
  ip.writeUInt16BE(id & 0xffff, 4);
  // The packet is never fragmented.
  ip.writeUInt16BE(0x4000, 6);
  ip.writeUInt8(HOPS, 8);
  ip.writeUInt8(TCP, 9);
  source.address.copy(ip, 12);
  target.address.copy(ip, 16);
  ip.writeUInt16BE(checksum(ip), 10);
  return ip;
}

function pseudoHeader(source: Endpoint, target: Endpoint, length: number): Buffer {
  return Buffer.concat([source.address, target.address, Buffer.of(0, TCP, length >> 8, length & 255)]);
}

/** Returns the internet checksum (RFC 1071): the ones' complement of the sum of all 16-bit words. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}
