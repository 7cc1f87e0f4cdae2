/** The words for what a call does and measures. One place for all reporters, so that they say the same. */
import { QUALITY_BANDS } from '../../src/protocol/limits.ts';
import type { AudioReading, CallReport, ConnectionReport, QualityReport, VideoReading } from '../headless/messages.ts';

/** Seconds with one decimal: 0.1s. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)}s`;
}

/** host/udp, or relay/udp when one side is relayed; both kinds are named where they differ. */
export function candidatePair(connection: ConnectionReport): string {
  const pair = connection.candidatePair;
  if (!pair) return 'no candidate pair';
  const kinds = pair.local === pair.remote ? pair.local : `${pair.local}-${pair.remote}`;
  return `${kinds}/${pair.relayProtocol ?? pair.protocol}`;
}

/** The line of the connection: host/udp  VP8  opus. */
export function connectionLine(connection: ConnectionReport): string {
  return [candidatePair(connection), connection.videoCodec, connection.audioCodec].filter(Boolean).join('  ');
}

/** in  audio tone 660 Hz ok */
export function audioLine(audio: AudioReading | undefined): string {
  if (!audio || audio.tone === null) return 'in  audio no tone';
  const share = audio.windows === 0 ? 0 : audio.carried / audio.windows;
  return `in  audio tone ${audio.tone} Hz ${audio.ok ? 'ok' : `broken (${percent(share)} of the time)`}`;
}

/** in  video 24.0 fps  240 frames  marker ok  freezes 0 */
export function videoLine(video: VideoReading | undefined): string {
  if (!video || video.frames === 0) return 'in  video no frames';
  const marker = video.ok ? 'ok' : `read in ${video.markers} of ${video.frames}`;
  return (
    `in  video ${video.fps.toFixed(1)} fps ${video.width}x${video.height}  ` +
    `${video.frames} frames  marker ${marker}  freezes ${video.freezes}`
  );
}

/** loss 0.0%  jitter 2ms  rtt 1ms  mos 4.4 excellent */
export function qualityLine(quality: QualityReport): string {
  const ms = (value: number | null) => (value === null ? '-' : `${Math.round(value)}ms`);
  const mos = quality.mos === null ? '-' : `${quality.mos.toFixed(1)} ${band(quality.mos)}`;
  return `loss ${percent(quality.loss)}  jitter ${ms(quality.jitter)}  rtt ${ms(quality.rtt)}  mos ${mos}`;
}

/** ended by alice: completed, 10.0s */
export function endLine(report: CallReport): string {
  const by = report.endedBy ? ` by ${report.endedBy}` : '';
  const duration = report.duration > 0 ? `, ${seconds(report.duration)}` : '';
  return `ended${by}: ${report.result}${duration}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function band(mos: number): string {
  return QUALITY_BANDS.find((one) => mos < one.below)?.quality ?? 'excellent';
}
