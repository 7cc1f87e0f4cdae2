/** The blocks of a capture file, little-endian (draft-ietf-opsawg-pcapng). */

const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE = 1;
const NAMES = 4;
const PACKET = 6;

const BYTE_ORDER = 0x1a2b3c4d;
const ETHERNET = 1;
/** The option numbers, each within its kind of block. */
const OPTION = { comment: 1, application: 4, interfaceName: 2, resolution: 9 } as const;
/** The resolution of timestamps: microseconds. */
const MICROSECONDS = 6;
const IPV4_NAME = 1;

/** Returns the first block of a capture. */
export function sectionHeader(application: string): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(BYTE_ORDER, 0);
  body.writeUInt16LE(1, 4);
  // The length of the section is unspecified: it ends with the file.
  body.writeBigInt64LE(-1n, 8);
  return block(SECTION_HEADER, body, [[OPTION.application, Buffer.from(application)]]);
}

/**
 * Returns the block of an interface on which packets were captured. The first has number 0 in {@link packetBlock},
 * the next 1.
 */
export function interfaceBlock(name: string): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt16LE(ETHERNET, 0);
  return block(INTERFACE, body, [
    [OPTION.interfaceName, Buffer.from(name)],
    [OPTION.resolution, Buffer.of(MICROSECONDS)],
  ]);
}

/** Returns the block with the names of addresses. */
export function namesBlock(names: readonly { readonly address: Buffer; readonly name: string }[]): Buffer {
  const records = names.map(({ address, name }) =>
    option(IPV4_NAME, Buffer.concat([address, Buffer.from(`${name}\0`)])),
  );
  return block(NAMES, Buffer.concat([...records, Buffer.alloc(4)]), []);
}

/** Returns the block of a packet. @param at - microseconds since 1970. @param remark - a comment for the reader. */
export function packetBlock(at: bigint, wire: number, packet: Buffer, remark: string): Buffer {
  const head = Buffer.alloc(20);
  head.writeUInt32LE(wire, 0);
  head.writeUInt32LE(Number(at >> 32n), 4);
  head.writeUInt32LE(Number(at & 0xffffffffn), 8);
  head.writeUInt32LE(packet.length, 12);
  head.writeUInt32LE(packet.length, 16);
  return block(
    PACKET,
    Buffer.concat([head, padded(packet)]),
    remark === '' ? [] : [[OPTION.comment, Buffer.from(remark)]],
  );
}

type Option = readonly [number, Buffer];

/** Returns a block, with its length at both ends so that a file can be read backwards. */
function block(type: number, body: Buffer, options: readonly Option[]): Buffer {
  const written = options.map(([code, value]) => option(code, value));
  const inner = Buffer.concat([body, ...written, ...(written.length > 0 ? [Buffer.alloc(4)] : [])]);
  const [head, tail] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(inner.length + 12, 4);
  tail.writeUInt32LE(inner.length + 12, 0);
  return Buffer.concat([head, inner, tail]);
}

function option(code: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(code, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, padded(value)]);
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
