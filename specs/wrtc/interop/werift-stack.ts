/** The stack werift, which is written in TypeScript: PCMU as RTP packets, and received video sent back. */
import { randomInt } from 'node:crypto';
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, useVP8 } from 'werift';
import { createToneMeter } from '../../../cli/headless/signals/tone-meter.ts';
import type { ForeignPeer, ForeignStack } from './foreign-peer.ts';
import { fromUlaw } from './g711.ts';
import { PCMU, sendTone } from './tone-rtp.ts';

const RATE = 8_000;
/** The interval at which a key frame is asked for, so that the echo has one. Milliseconds. */
const KEY_FRAME_MS = 500;

export const WERIFT: ForeignStack = {
  name: 'werift',
  echoesVideo: true,
  restartsIce: true,
  async open({ tone, hasVideo }) {
    const pc = new RTCPeerConnection({
      codecs: {
        audio: [new RTCRtpCodecParameters({ mimeType: 'audio/PCMU', clockRate: RATE, channels: 1, payloadType: PCMU })],
        video: [useVP8()],
      },
    });
    const stops: (() => void)[] = [];
    let meter = createToneMeter();
    const audio = new MediaStreamTrack({ kind: 'audio' });
    const video = new MediaStreamTrack({ kind: 'video' });
    pc.addTransceiver(audio, { direction: 'sendrecv' });
    if (hasVideo) pc.addTransceiver(video, { direction: 'sendrecv' });
    stops.push(sendTone(tone, randomInt(0x7fff_ffff), (packet) => audio.writeRtp(packet)));
    pc.onTrack.subscribe((track) => {
      track.onReceiveRtp.subscribe((rtp) => {
        if (track.kind === 'audio') meter.add(fromUlaw(rtp.payload), RATE);
        else video.writeRtp(rtp);
      });
      if (track.kind !== 'video') return;
      const receiver = pc.getTransceivers().find((one) => one.kind === 'video')?.receiver;
      const asking = setInterval(() => {
        if (track.ssrc !== undefined) void receiver?.sendRtcpPLI(track.ssrc);
      }, KEY_FRAME_MS);
      stops.push(() => clearInterval(asking));
    });
    const peer: ForeignPeer = {
      async offer(restartIce = false) {
        if (restartIce) pc.restartIce();
        const offer = await pc.createOffer();
        await pc.setLocalDescription(offer);
        return pc.localDescription?.sdp ?? offer.sdp;
      },
      async answer(offer) {
        await pc.setRemoteDescription({ type: 'offer', sdp: offer });
        const answer = await pc.createAnswer();
        await pc.setLocalDescription(answer);
        return pc.localDescription?.sdp ?? answer.sdp;
      },
      accept: (answer) => pc.setRemoteDescription({ type: 'answer', sdp: answer }),
      addCandidate: ({ sdp, sdp_mid, sdp_mline_index }) =>
        pc.addIceCandidate({ candidate: sdp, sdpMid: sdp_mid, sdpMLineIndex: sdp_mline_index }),
      onCandidate: () => undefined,
      connected: new Promise((resolve) => {
        pc.connectionStateChange.subscribe((state) => {
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
        await pc.close();
      },
    };
    pc.onIceCandidate.subscribe((candidate) => {
      if (!candidate?.candidate) return;
      peer.onCandidate({
        sdp: candidate.candidate,
        sdp_mid: candidate.sdpMid ?? '0',
        sdp_mline_index: candidate.sdpMLineIndex ?? 0,
      });
    });
    return peer;
  },
};
