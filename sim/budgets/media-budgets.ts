/** Budgets of the media of rooms: of offers, and of the UDP packets of an endpoint in the process of the exchange. */
import { LIMITS } from '../../src/protocol/limits.ts';

/** The rate of what an endpoint may send or cost, by second and at once. */
export interface PacketRate {
  readonly what: string;
  readonly perSecond: number;
  readonly burst: number;
  /** What the server does above the rate. */
  readonly above: string;
}

/** The largest size or number of something in the media of a client. */
export interface MediaLimit {
  readonly what: string;
  readonly most: number;
  readonly above: string;
}

const CLOSED = 'the endpoint is closed';
const UNREAD = 'dropped unread';

/** The rates of one endpoint. A sender of a picture of 2.5 Mbit/s with sound uses a fifth of them. */
export const PACKET_RATES = {
  packets: { what: 'packets that the client has authenticated', perSecond: 3_000, burst: 6_000, above: CLOSED },
  bytes: { what: 'bytes in these packets', perSecond: 2_000_000, burst: 4_000_000, above: CLOSED },
  arrivals: { what: 'packets from the addresses of the client', perSecond: 6_000, burst: 12_000, above: UNREAD },
  strangers: { what: 'packets from other addresses', perSecond: 100, burst: 200, above: UNREAD },
  faults: { what: 'malformed packets, and packets of unknown source', perSecond: 10, burst: 200, above: CLOSED },
  repeats: { what: 'repeated packets to a viewer', perSecond: 500, burst: 500, above: 'not repeated' },
} as const satisfies Record<string, PacketRate>;

/** The sizes and numbers of one endpoint. Every engine of rooms has those of offers. */
export const MEDIA_LIMITS = {
  offerBytes: { what: 'characters of an offer', most: LIMITS.sdpBytes, above: 'the offer is refused' },
  offerSections: { what: 'media sections of an offer, one of each kind', most: 2, above: 'the offer is refused' },
  extensionBytes: { what: 'bytes of header extensions of a packet', most: 256, above: 'the packet is malformed' },
  addresses: { what: 'addresses of a client that may send', most: 8, above: 'the oldest is forgotten' },
} as const satisfies Record<string, MediaLimit>;
