/** The streams of the SFU without sockets: repairs, key frames, bandwidth, and the change of a source. */
import { beforeEach, describe, expect, test } from 'vitest';
import { GenericNack, PictureLossIndication, ReceiverEstimatedMaxBitrate, RtcpSenderInfo, RtcpSrPacket } from 'werift';
import type { RtcpPacket, RtpHeader } from 'werift';
import { IncomingStream, type MediaPacket, type StreamViewer } from '../../../sim/media/sfu/incoming-stream.ts';
import { OutgoingStream } from '../../../sim/media/sfu/outgoing-stream.ts';
import { followRollover } from '../../../sim/media/sfu/rollover.ts';
import { readRtp, type RtpFields } from '../../../sim/media/sfu/rtp.ts';

let now = 0;
let sent: RtcpPacket[] = [];

beforeEach(() => {
  now = 10_000;
  sent = [];
});

const CODEC = { payloadType: 96, rtxPayloadType: 97, parameters: '' };
const OFFERED = { codec: CODEC, ssrc: 1_000, rtxSsrc: 2_000 };

const master = (offered = OFFERED) =>
  new IncomingStream('video', { reporter: 1, now: () => now, send: (packets) => sent.push(...packets) }, offered);

/** A VP8 payload with a picture id of 15 bits. */
const vp8 = (picture: number, isKey = false) =>
  Buffer.from([0x90, 0x80, 0x80 | (picture >> 8), picture & 0xff, isKey ? 0 : 1, 9]);

const packet = (sequence: number, more: Partial<RtpFields> = {}): RtpFields => ({
  payloadType: 96,
  isMarker: true,
  sequence,
  timestamp: sequence * 3_000,
  ssrc: 1_000,
  payload: vp8(sequence),
  extensions: null,
  ...more,
});

const feedbacks = () => sent.splice(0).flatMap((one) => ('feedback' in one ? [one.feedback] : []));
const lost = () => feedbacks().flatMap((one) => (one instanceof GenericNack ? [one.lost] : []));
const keyFrames = () => feedbacks().filter((one) => one instanceof PictureLossIndication).length;

function viewerOf(stream: IncomingStream, bitrate: number | null = null): number[] {
  const seen: number[] = [];
  const viewer: StreamViewer = { packet: ({ sequence }) => seen.push(sequence), senderTime: () => undefined, bitrate };
  stream.viewers.add(viewer);
  return seen;
}

describe('what a client sends', () => {
  test('a missing packet is requested at once, again every 50 ms, and no more once it has arrived', () => {
    const stream = master();
    const seen = viewerOf(stream);
    for (const sequence of [65_534, 65_535, 2]) stream.receive(packet(sequence));
    expect(lost()).toEqual([[0, 1]]);
    stream.repair();
    expect(lost()).toEqual([]);
    now += 50;
    stream.receive(packet(1));
    stream.repair();
    expect(lost()).toEqual([[0]]);
    // The repetition has its own source and numbers.
    const payload = Buffer.concat([Buffer.from([0, 0]), vp8(0)]);
    stream.receive(packet(7, { ssrc: 2_000, payloadType: 97, payload }));
    now += 50;
    stream.repair();
    expect(lost()).toEqual([]);
    expect(seen).toEqual([65_534, 65_535, 2, 1, 0]);
  });

  test('a packet that never comes is requested ten times', () => {
    const stream = master();
    for (const sequence of [1, 3]) stream.receive(packet(sequence));
    for (let at = 0; at < 30; at += 1) {
      now += 50;
      stream.repair();
    }
    expect(lost()).toHaveLength(10);
  });

  test('a long gap is not repaired: a key frame is requested', () => {
    const stream = master();
    for (const sequence of [1, 500]) stream.receive(packet(sequence));
    const all = feedbacks();
    expect(all.some((one) => one instanceof GenericNack)).toBe(false);
    expect(all.some((one) => one instanceof PictureLossIndication)).toBe(true);
  });

  test('a repeated packet is forwarded once, and one of another source or codec not at all', () => {
    const stream = master();
    const seen = viewerOf(stream);
    stream.receive(packet(1));
    stream.receive(packet(1));
    expect(stream.has(packet(2, { ssrc: 3_000 }))).toBe(false);
    expect(stream.receive(packet(2, { payloadType: 100 }))).toBe(false);
    expect(seen).toEqual([1]);
  });

  test('key frames are requested twice a second at most, and the last request is not lost', () => {
    const stream = master();
    for (let at = 0; at < 20; at += 1) stream.requestKeyFrame();
    expect(keyFrames()).toBe(1);
    now += 500;
    stream.repair();
    expect(keyFrames()).toBe(1);
    stream.receive(packet(1, { payload: vp8(1, true) }));
    now += 500;
    stream.repair();
    expect(keyFrames()).toBe(0);
  });

  test('the slowest viewer sets the bandwidth, but none makes the sender stop', () => {
    const stream = master();
    const bitrate = () => {
      const made = stream.bandwidth();
      const feedback = made && 'feedback' in made ? made.feedback : null;
      return feedback instanceof ReceiverEstimatedMaxBitrate ? feedback.brMantissa * 2 ** feedback.brExp : null;
    };
    expect(bitrate()).toBeCloseTo(2_500_000, -3);
    viewerOf(stream, 900_000);
    viewerOf(stream, 600_000);
    expect(bitrate()).toBeCloseTo(600_000, -3);
    viewerOf(stream, 10);
    expect(bitrate()).toBeCloseTo(150_000, -3);
  });

  test('a report has the share of lost packets since the last one', () => {
    const stream = master();
    expect(stream.report()).toBeNull();
    for (const sequence of [1, 2, 3, 4, 6, 7, 8]) stream.receive(packet(sequence));
    expect(stream.report()).toMatchObject({ ssrc: 1_000, fractionLost: 32, packetsLost: 1, highestSequence: 8 });
    for (const sequence of [9, 10]) stream.receive(packet(sequence));
    expect(stream.report()).toMatchObject({ fractionLost: 0, packetsLost: 1, highestSequence: 10 });
    for (const sequence of [11, 12, 14, 15]) stream.receive(packet(sequence));
    expect(stream.report()).toMatchObject({ fractionLost: 51, packetsLost: 2, highestSequence: 15 });
  });
});

describe('what a client gets', () => {
  const NEGOTIATED = { ...OFFERED, kind: 'video', mid: '0', direction: 'recvonly', midExtension: null } as const;
  let out: { sequence: number; timestamp: number; ssrc: number; type: number; payload: Buffer }[];
  let control: RtcpPacket[];

  const viewer = () => {
    out = [];
    control = [];
    const offered = { ...NEGOTIATED, sendTimeExtension: null };
    let made = 5;
    const stream = new OutgoingStream(offered, {
      newSources: () => ({ ssrc: made++, rtxSsrc: made++ }),
      cname: 'c',
      now: () => now,
      port: {
        sendRtp: ({ sequenceNumber, timestamp, ssrc, payloadType }: RtpHeader, payload) =>
          out.push({ sequence: sequenceNumber, timestamp, ssrc, type: payloadType, payload }),
        sendRtcp: (packets) => control.push(...packets),
      },
    });
    stream.negotiated(offered, true);
    return { stream, offered };
  };
  const media = (sequence: number, more: Partial<MediaPacket> = {}): MediaPacket => ({
    sequence,
    timestamp: sequence * 3_000,
    isMarker: true,
    payload: vp8(sequence, more.startsKeyFrame),
    startsKeyFrame: false,
    ...more,
  });

  test('a picture begins with a key frame, which the viewer requests', () => {
    const { stream } = viewer();
    const source = master();
    stream.attach(source);
    expect(keyFrames()).toBe(1);
    stream.packet(media(1));
    stream.packet(media(2, { startsKeyFrame: true }));
    // A packet from before the key frame comes late.
    stream.packet(media(1));
    stream.packet(media(3));
    expect(out.map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  test('the numbers and the time continue when another client is shown', () => {
    const { stream } = viewer();
    stream.attach(master());
    stream.packet(media(100, { startsKeyFrame: true }));
    now += 1_000;
    stream.attach(master());
    stream.packet(media(7));
    stream.packet(media(8, { startsKeyFrame: true }));
    stream.packet(media(9));
    expect(out.map(({ sequence }) => sequence)).toEqual([100, 101, 102]);
    expect(out.map(({ timestamp }) => timestamp)).toEqual([300_000, 390_000, 393_000]);
    const pictures = out.map(({ payload }) => payload.readUInt16BE(2) & 0x7fff);
    expect(pictures).toEqual([100, 101, 102]);
  });

  test('the sender that begins anew makes no gap', () => {
    const { stream } = viewer();
    stream.attach(master());
    stream.packet(media(1, { startsKeyFrame: true }));
    stream.packet(media(30_000));
    stream.packet(media(30_001, { startsKeyFrame: true }));
    expect(out.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test('a picture that is resumed has another source, and one that goes on keeps it', () => {
    const { stream, offered } = viewer();
    stream.attach(master());
    stream.packet(media(1, { startsKeyFrame: true }));
    stream.negotiated(offered, true);
    stream.packet(media(2));
    stream.negotiated(offered, false);
    stream.negotiated(offered, false);
    stream.negotiated(offered, true);
    expect(stream.sources).toEqual({ ssrc: 7, rtxSsrc: 8 });
    stream.packet(media(3, { startsKeyFrame: true }));
    stream.repeat([3]);
    expect(out.map(({ ssrc }) => ssrc)).toEqual([5, 5, 7, 8]);
  });

  test('a viewer that negotiates inactive gets nothing, and a key frame when it is back', () => {
    const { stream, offered } = viewer();
    const source = master();
    stream.attach(source);
    stream.packet(media(1, { startsKeyFrame: true }));
    stream.negotiated(offered, false);
    expect(source.viewers.size).toBe(0);
    stream.packet(media(2, { startsKeyFrame: true }));
    expect(out).toHaveLength(1);
    sent = [];
    now += 1_000;
    stream.negotiated(offered, true);
    expect(keyFrames()).toBe(1);
    stream.packet(media(3, { startsKeyFrame: true }));
    expect(out).toHaveLength(2);
  });

  test('lost packets are repeated with their number, as often as the budget permits', () => {
    const { stream } = viewer();
    stream.attach(master());
    stream.packet(media(1, { startsKeyFrame: true }));
    for (let sequence = 2; sequence <= 600; sequence += 1) stream.packet(media(sequence));
    out = [];
    // The first is no longer kept.
    stream.repeat([1, 599]);
    expect(out).toHaveLength(1);
    expect(out[0]).toMatchObject({ ssrc: 6, type: 97 });
    expect(out[0]?.payload.readUInt16BE(0)).toBe(599);
    stream.repeat(Array.from({ length: 2_000 }, () => 600));
    expect(out).toHaveLength(500);
  });

  test('the time of the sender arrives with the shift of the stream', () => {
    const { stream } = viewer();
    stream.attach(master());
    stream.packet(media(100, { startsKeyFrame: true }));
    stream.attach(master());
    stream.packet(media(8, { startsKeyFrame: true }));
    stream.senderTime(new RtcpSenderInfo({ ntpTimestamp: 5n, rtpTimestamp: 24_000, packetCount: 1, octetCount: 1 }));
    const report = control.find((one) => one instanceof RtcpSrPacket);
    // The packet with time 24,000 was sent with the time of the last one plus the least step.
    expect(report).toMatchObject({ ssrc: 5, senderInfo: { ntpTimestamp: 5n, rtpTimestamp: 300_001, packetCount: 2 } });
  });
});

describe('packets that no browser sends', () => {
  const plain = (header: readonly number[], body: readonly number[] = []) =>
    Buffer.from([0x80, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, ...body].map((byte, at) => header[at] ?? byte));

  test('are not read: short ones, oversized header extensions, too much padding', () => {
    expect(readRtp(plain([], [1, 2]))?.payload).toEqual(Buffer.from([1, 2]));
    expect(readRtp(plain([]).subarray(0, 11))).toBeNull();
    expect(readRtp(plain([0x90]))).toBeNull();
    expect(readRtp(plain([0x90], [0xbe, 0xde, 0, 9, 1]))).toBeNull();
    expect(readRtp(plain([0x90], [0xbe, 0xde, 0, 65, ...Array.from({ length: 300 }, () => 0)]))).toBeNull();
    expect(readRtp(plain([0xa0], [200]))).toBeNull();
    expect(readRtp(plain([0x40]))).toBeNull();
  });
});

test('the rollover counter of SRTP follows each wrap, also when many packets around it are lost', () => {
  const state = { ssrc: 1, rolloverCounter: 0, lastSequenceNumber: 0 };
  const after = (sequence: number) => {
    followRollover(sequence, state);
    return state.rolloverCounter;
  };
  // The first packet has no predecessor, whatever its number.
  expect(after(60_000)).toBe(0);
  expect(after(64_000)).toBe(0);
  expect(after(800)).toBe(1);
  // A late packet of the former cycle, and the next one of this cycle.
  expect(after(65_000)).toBe(0);
  expect(after(801)).toBe(1);
  expect([20_000, 45_000, 5, 65_530, 6].map(after)).toEqual([1, 1, 2, 1, 2]);
});
