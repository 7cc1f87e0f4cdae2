/** The wording of the events and figures of a call. All reporters share it, so that they agree. */
import { QUALITY_BANDS } from '../../src/protocol/limits.ts';
import { hasGoodMarkers } from '../headless/signals/frame-meter.ts';
import { TONE_WINDOW_MS } from '../headless/signals/tone-meter.ts';
import type { WaitReason } from '../explain-wait.ts';
import type {
  AudioReading,
  AudioSecond,
  CallReport,
  ConnectionReport,
  MediaState,
  QualityReport,
  Second,
  SecondsReport,
  VideoReading,
  VideoSecond,
} from '../headless/messages.ts';

/** Silence below this length belongs to the start of a call and is not a fault, milliseconds. */
const NOTABLE_MS = 1_500;
/** The minimum share of a second that a tone must carry to count as received. */
const STEADY = 0.8;

/** Formats seconds with one decimal: 0.1s. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)}s`;
}

/** Formats a candidate pair as host/udp, or relay/udp when one side is relayed. Names both kinds when they differ. */
export function candidatePair(connection: ConnectionReport): string {
  const pair = connection.candidatePair;
  if (!pair) return 'no candidate pair';
  const kinds = pair.local === pair.remote ? pair.local : `${pair.local}-${pair.remote}`;
  return `${kinds}/${pair.relayProtocol ?? pair.protocol}`;
}

/** Formats the line of the connection: host/udp  VP8  opus. */
export function connectionLine(connection: ConnectionReport): string {
  return [candidatePair(connection), connection.videoCodec, connection.audioCodec].filter(Boolean).join('  ');
}

/** Formats the lines of one second: in  audio tone 660 Hz ok  loss 0.0%  jitter 2ms  rtt 1ms  mos 4.4 excellent */
export function secondLines({ audio, video, rtt }: Second): { audio: string; video: string | null } {
  return {
    audio: columns('in', `audio ${audioWords(audio)}`, qualityLine({ ...audio, rtt })),
    video: video ? columns('in', `video ${videoWords(video)}`, lossWords(video.loss)) : null,
  };
}

/** Formats one second of a participant of a room in one line: tone 660 Hz ok  24.0 fps 320x240  marker ok  loss 0.0% */
export const meterWords = ({ audio, video }: Second): string =>
  columns(audioWords(audio), video ? videoWords(video) : '', lossWords(video?.loss ?? audio.loss));

/** Formats the received media of a participant over a whole stay: sound, then picture. */
export const wholeMeterWords = ({ audio, video }: CallReport['received']): string[] => [
  ...(audio ? [wholeAudioWords(audio)] : []),
  ...(video ? [wholeVideoWords(video)] : []),
];

/**
 * Formats the lines of a whole call: sound, picture, and spread of its seconds. None for a call that never connected.
 */
export function reportLines({ received, quality, seconds: compared }: CallReport): string[] {
  const { audio, video } = received;
  return [
    ...(audio ? [columns('in', `audio ${wholeAudioWords(audio)}`, qualityLine(quality))] : []),
    ...(video ? [columns('in', `video ${wholeVideoWords(video)}`, lossWords(video.loss))] : []),
    ...(compared.count > 1 ? [spreadLine(compared)] : []),
  ];
}

function audioWords({ state, tone, carried, level, silentMs }: AudioSecond): string {
  if (state !== 'due') return excuse(state, 'muted');
  if (level === null) return `no sound for ${seconds(silentMs)}`;
  return soundWords(tone, level, carried >= STEADY, carried);
}

function wholeAudioWords(audio: AudioReading): string {
  const { tone, level, ok, carried, expectedMs, offMs, heldMs, heardMs, silentMs, endSilenceMs } = audio;
  if (expectedMs === 0) return excuse(heldMs > offMs ? 'held' : 'off', 'muted');
  if (level === null) return `no sound in ${seconds(expectedMs)}`;
  const share = Math.min(1, (carried * TONE_WINDOW_MS) / expectedMs);
  const end = endSilenceMs >= NOTABLE_MS ? `, the last ${seconds(endSilenceMs)} of them` : '';
  // Sound that is not a tone has pauses, so only whole seconds count as silence.
  const silent = tone === null ? expectedMs - heardMs : silentMs;
  const silence = silent >= NOTABLE_MS ? `  silent for ${seconds(silent)} of ${seconds(expectedMs)}${end}` : '';
  return soundWords(tone, level, ok === true, share) + silence;
}

/** Formats the sound as: tone 660 Hz ok, or: sound, -23 dB, not the test tone */
function soundWords(tone: number | null, level: number, isSteady: boolean, share: number): string {
  if (tone === null) return `sound, ${level} dB, not the test tone`;
  return `tone ${tone} Hz ${isSteady ? 'ok' : `broken (${percent(share)} of the time)`}`;
}

function videoWords({ state, fps, width, height, stillMs, freezes, ...frames }: VideoSecond): string {
  if (state !== 'due') return excuse(state, 'camera off');
  if (frames.frames === 0) return `no picture for ${seconds(stillMs)}`;
  return columns(`${fps.toFixed(1)} fps ${width}x${height}`, markerWords(frames), `freezes ${freezes}`);
}

function wholeVideoWords(video: VideoReading): string {
  const { frames, fps, width, height, freezes, expectedMs, offMs, heldMs, seenMs, endGapMs } = video;
  if (expectedMs === 0) return excuse(heldMs > offMs ? 'held' : 'off', 'camera off');
  if (frames === 0) return `no picture in ${seconds(expectedMs)}`;
  const end = endGapMs >= NOTABLE_MS ? `, none in the last ${seconds(endGapMs)}` : '';
  const missing =
    expectedMs - seenMs >= NOTABLE_MS ? `seen for ${seconds(seenMs)} of ${seconds(expectedMs)}${end}` : '';
  return columns(
    `${fps.toFixed(1)} fps ${width}x${height}`,
    `${frames} frames`,
    markerWords({ ...video, hasGoodMarkers: hasGoodMarkers(video) }),
    `freezes ${freezes}`,
    missing,
  );
}

/** Formats the markers of the test picture. For another picture, whether it moves. */
function markerWords({
  frames,
  markers,
  moved,
  hasGoodMarkers: isGood,
}: Pick<VideoSecond, 'frames' | 'markers' | 'moved' | 'hasGoodMarkers'>): string {
  if (markers === 0) return `picture ${moved > 0 ? 'moves' : 'stands still'}, no marker`;
  if (isGood) return 'marker ok';
  return markers === frames ? 'marker does not rise' : `marker read in ${markers} of ${frames}`;
}

const excuse = (state: MediaState, off: string): string => (state === 'held' ? 'on hold' : `${off}, by the other side`);

/** Formats the figures of the path: loss 0.0%  jitter 2ms  rtt 1ms  mos 4.4 excellent */
export function qualityLine({ loss, jitter, rtt, mos }: QualityReport): string {
  const ms = (value: number | null) => (value === null ? '-' : `${Math.round(value)}ms`);
  const score = mos === null ? '-' : `${mos.toFixed(1)} ${band(mos)}`;
  return columns(lossWords(loss), `jitter ${ms(jitter)}`, `rtt ${ms(rtt)}`, `mos ${score}`);
}

/** Formats the spread: 10 seconds  mos p50 4.4 p95 4.3 worst 4.1 at 3.0s  loss p50 0.0% p95 0.1% worst 2.0% at 3.0s */
function spreadLine({ count, mos, loss, fps }: SecondsReport): string {
  const words = (name: string, figures: SecondsReport['mos'], show: (value: number) => string) =>
    figures
      ? `${name} p50 ${show(figures.p50)} p95 ${show(figures.p95)} worst ${show(figures.worst)} at ${seconds(figures.worstAtMs)}`
      : '';
  const decimal = (value: number) => value.toFixed(1);
  return columns(
    `${count} seconds`,
    words('mos', mos, decimal),
    words('loss', loss, percent),
    words('fps', fps, decimal),
  );
}

/** Formats the line that `dial` prints when the exchange has accepted the dial and no device rings. */
export function unreachedLine({ peer, reason }: { readonly peer: string; readonly reason: WaitReason | null }): string {
  const wait = 'waiting for one to come online...';
  if (!reason || reason.devices > 0) return `no device of ${peer} rings yet; ${wait}`;
  const { notified } = reason;
  if (notified?.by === 'app')
    return `${peer} has no device online; the exchange notified the open app of ${peer}; ${wait}`;
  if (!notified || notified.devices === 0) return `${peer} has no device online, and none for push messages; ${wait}`;
  const devices = notified.devices === 1 ? '1 device' : `${notified.devices} devices`;
  return `${peer} has no device online; the exchange sent a push message to ${devices} of ${peer}; ${wait}`;
}

/** Formats the state of the connection to the exchange. */
export const channelLine = (isOpen: boolean): string =>
  isOpen ? 'the exchange answers again' : 'the exchange does not answer; trying again...';

/** Formats the end of a call: ended by alice: completed, 10.0s */
export function endLine(report: CallReport): string {
  const by = report.endedBy ? ` by ${report.endedBy}` : '';
  const duration = report.duration > 0 ? `, ${seconds(report.duration)}` : '';
  return `ended${by}: ${report.result}${duration}`;
}

const lossWords = (loss: number | null): string => `loss ${loss === null ? '-' : percent(loss)}`;

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function band(mos: number): string {
  return QUALITY_BANDS.find((one) => mos < one.below)?.quality ?? 'excellent';
}

const columns = (...words: string[]): string => words.filter((one) => one !== '').join('  ');
