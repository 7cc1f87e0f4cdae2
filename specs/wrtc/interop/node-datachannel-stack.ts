/** The stack libdatachannel of C++, by node-datachannel: PCMU as RTP packets, in voice calls. It has no engine for media. */
import { randomInt, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Library from 'node-datachannel';
import { createToneMeter } from '../../../cli/headless/signals/tone-meter.ts';
import type { ForeignPeer, ForeignStack } from './foreign-peer.ts';
import { fromUlaw } from './g711.ts';
import { onlyPcmu } from './only-pcmu.ts';
import { PCMU, sendTone } from './tone-rtp.ts';

const RATE = 8_000;
const HEADER_BYTES = 12;
const require = createRequire(import.meta.url);

function load(): typeof Library | null {
  try {
    return require('node-datachannel') as typeof Library;
  } catch {
    // It has no binary for this platform.
    return null;
  }
}

const library = load();

function open({ PeerConnection, Audio }: typeof Library, tone: number): ForeignPeer {
  const pc = new PeerConnection(randomUUID(), { iceServers: [], disableAutoNegotiation: true });
  const ssrc = randomInt(0x7fff_ffff);
  const stops: (() => void)[] = [];
  let meter = createToneMeter();
  const follow = (track: Library.Track) => {
    track.onMessage((packet) => {
      // Reports of RTCP come too.
      if (packet.length > HEADER_BYTES && (packet.readUInt8(1) & 0x7f) === PCMU) {
        meter.add(fromUlaw(packet.subarray(HEADER_BYTES)), RATE);
      }
    });
    track.onOpen(() => stops.push(sendTone(tone, ssrc, (packet) => track.isOpen() && track.sendMessageBinary(packet))));
  };
  const described = (set: () => void) =>
    new Promise<string>((resolve) => {
      pc.onLocalDescription((sdp) => resolve(sdp));
      set();
    });
  const addAudio = () => {
    const audio = new Audio('0', 'SendRecv');
    audio.addAudioCodec(PCMU, 'PCMU');
    audio.addSSRC(ssrc, 'tone', 'tone', 'tone');
    follow(pc.addTrack(audio));
  };
  const peer: ForeignPeer = {
    offer() {
      addAudio();
      return described(() => pc.setLocalDescription('offer'));
    },
    answer(offer) {
      addAudio();
      pc.setRemoteDescription(onlyPcmu(offer), 'offer');
      return described(() => pc.setLocalDescription('answer'));
    },
    accept: async (answer) => pc.setRemoteDescription(answer, 'answer'),
    addCandidate: async ({ sdp, sdp_mid }) => pc.addRemoteCandidate(sdp, sdp_mid),
    onCandidate: () => undefined,
    connected: new Promise((resolve) => {
      pc.onStateChange((state) => {
        if (state === 'connected') resolve();
      });
    }),
    heard() {
      const reading = meter.reading();
      meter = createToneMeter();
      return reading;
    },
    async close() {
      for (const stop of stops) stop();
      pc.close();
    },
  };
  pc.onLocalCandidate((candidate, mid) => {
    peer.onCandidate({ sdp: candidate.replace(/^a=/, ''), sdp_mid: mid, sdp_mline_index: 0 });
  });
  return peer;
}

export const NODE_DATACHANNEL: ForeignStack = {
  name: 'node-datachannel',
  ...(library ? {} : { missing: 'node-datachannel has no binary for this platform' }),
  echoesVideo: false,
  restartsIce: false,
  async open({ tone }) {
    if (!library) throw new Error('node-datachannel is missing');
    return open(library, tone);
  },
};
