/** Devices with native media, whose sounds and pictures tell them apart. */
import { wrtc, type AudioSink, type VideoSink } from '../../cli/headless/media/wrtc.ts';
import { startPump } from '../../cli/headless/media/pump.ts';
import { createWrtcPlatform } from '../../cli/headless/platform/wrtc-platform.ts';
import {
  createToneGenerator,
  TONE_FRAME_SAMPLES,
  TONE_SAMPLE_RATE,
} from '../../cli/headless/signals/tone-generator.ts';
import { goertzelShare } from '../../cli/headless/signals/tone-meter.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import type { RtcPeerConnection, RtcPort } from '../../src/calls/platform/rtc.ts';
import type { RoomDevice } from '../contract/room-media/room-media.contract.ts';

type Kind = 'audio' | 'video';

/** Each tone has whole periods in a window, so that no tone shows in the bin of another one. Hertz. */
const TONES = [400, 700, 1_100, 1_600, 2_300, 3_100];
/** The brightness of the pictures, which the encoder keeps within a few steps. */
const LUMAS = [50, 90, 130, 170, 210, 20];
const WINDOW_SAMPLES = TONE_SAMPLE_RATE / 10;
/** The share of the energy of a window that a tone has at least. Four tones share it. */
const TONE_SHARE = 0.1;
/** The root mean square below which a window is silence, in 16-bit steps. */
const SILENCE_RMS = 100;
const LUMA_STEPS = 12;
/** The time after which a window or a picture is not the present one. Milliseconds. */
const PRESENT_MS = 400;
const [WIDTH, HEIGHT, FPS] = [160, 120, 10];

/** What arrives on one track: when it came, and the numbers of the devices in it. */
interface Present {
  at: number;
  devices: readonly number[];
}

interface Watched {
  readonly kind: Kind;
  readonly present: Present;
  readonly sink: AudioSink | VideoSink;
}

/** Makes devices by name. At most six names differ. */
export function roomDevices(): (name: string) => RoomDevice {
  const { rtc } = createWrtcPlatform({ tone: 0, width: WIDTH, height: HEIGHT, fps: FPS }, () => undefined);
  const devices = new Map<string, RoomDevice>();
  const nameOf = (number: number) => [...devices.keys()][number] ?? '?';
  return (name) => {
    const device = devices.get(name) ?? deviceOf(rtc, devices.size, nameOf);
    devices.set(name, device);
    return device;
  };
}

function deviceOf(rtc: RtcPort, number: number, nameOf: (number: number) => string): RoomDevice {
  const watched = new Map<RtcPeerConnection, Watched[]>();
  return {
    rtc: {
      createMediaStream: (tracks) => rtc.createMediaStream(tracks),
      createAudioElement: () => rtc.createAudioElement(),
      createPeerConnection(configuration) {
        const connection = rtc.createPeerConnection(configuration);
        const tracks: Watched[] = [];
        watched.set(connection, tracks);
        connection.addEventListener('track', ({ track }) => tracks.push(watch(track)));
        const close = connection.close.bind(connection);
        connection.close = () => {
          // A sink that outlives its connection can crash the process.
          for (const { sink } of tracks) sink.stop();
          watched.delete(connection);
          close();
        };
        return connection;
      },
    },
    track: (kind) => (kind === 'audio' ? toneTrack(number) : pictureTrack(number)),
    arriving(connection, kind) {
      const now = performance.now();
      const present = (watched.get(connection) ?? []).filter(
        (one) => one.kind === kind && now - one.present.at < PRESENT_MS,
      );
      return present.flatMap((one) => one.present.devices).map(nameOf);
    },
  };
}

/** Calls `tick` at a steady rate until the track is stopped. */
function pumped(track: MediaStreamTrack, intervalMs: number, tick: () => void): MediaStreamTrack {
  let stop = () => undefined as void;
  stop = startPump(intervalMs, () => (track.readyState === 'ended' ? stop() : tick()), nodeClock);
  return track;
}

function toneTrack(number: number): MediaStreamTrack {
  const source = new wrtc.nonstandard.RTCAudioSource();
  const tone = createToneGenerator(TONES[number] ?? 0);
  return pumped(source.createTrack(), 10, () => {
    // Three tones together do not clip.
    const samples = tone.next().map((sample) => sample * 0.4);
    source.onData({
      samples,
      sampleRate: TONE_SAMPLE_RATE,
      bitsPerSample: 16,
      channelCount: 1,
      numberOfFrames: TONE_FRAME_SAMPLES,
    });
  });
}

function pictureTrack(number: number): MediaStreamTrack {
  const source = new wrtc.nonstandard.RTCVideoSource();
  const pixels = WIDTH * HEIGHT;
  const data = new Uint8ClampedArray((pixels * 3) / 2).fill(128).fill(LUMAS[number] ?? 0, 0, pixels);
  return pumped(source.createTrack(), 1_000 / FPS, () => source.onFrame({ width: WIDTH, height: HEIGHT, data }));
}

function watch(track: MediaStreamTrack): Watched {
  const present: Present = { at: Number.NEGATIVE_INFINITY, devices: [] };
  if (track.kind === 'audio') return { kind: 'audio', present, sink: listen(track, present) };
  const sink = new wrtc.nonstandard.RTCVideoSink(track);
  sink.onframe = ({ frame: { data, width, height } }) => {
    let sum = 0;
    for (let at = 0; at < width * height; at += 7) sum += data[at] ?? 0;
    const luma = sum / Math.ceil((width * height) / 7);
    present.at = performance.now();
    present.devices = LUMAS.flatMap((one, number) => (Math.abs(one - luma) < LUMA_STEPS ? [number] : []));
  };
  return { kind: 'video', present, sink };
}

function listen(track: MediaStreamTrack, present: Present): AudioSink {
  const sink = new wrtc.nonstandard.RTCAudioSink(track);
  const window = new Float64Array(WINDOW_SAMPLES);
  let filled = 0;
  sink.ondata = ({ samples, sampleRate, channelCount }) => {
    // The engine also plays silence at another rate before the first packet.
    if (sampleRate !== TONE_SAMPLE_RATE) return;
    for (let at = 0; at < samples.length; at += channelCount) {
      window[filled] = samples[at] ?? 0;
      filled += 1;
      if (filled < window.length) continue;
      filled = 0;
      const rms = Math.sqrt(window.reduce((sum, one) => sum + one * one, 0) / window.length);
      const isIn = (tone: number) => goertzelShare(window, sampleRate, tone) > TONE_SHARE;
      present.at = performance.now();
      present.devices = rms < SILENCE_RMS ? [] : TONES.flatMap((tone, number) => (isIn(tone) ? [number] : []));
    }
  };
  return sink;
}
