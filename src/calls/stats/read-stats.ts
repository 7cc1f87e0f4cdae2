import type { AudioStats, CallStats, ReceivedStats, ReportedStats, SentStats, VideoStats } from './call-stats.ts';
import { estimateMos } from './estimate-mos.ts';
import { readTransport } from './read-transport.ts';
import { StatsEntries, type StatsEntry, type StatsReport } from './stats-report.ts';

type Kind = 'audio' | 'video';

/**
 * Reads a report of Chromium or wrtc. `previous` is the former sample of the same peer connection. Recent values are
 * differences from it, or totals without it.
 */
export function readStats(
  report: StatsReport,
  at: number,
  previous: CallStats | null,
  options: { readonly awaitReports: boolean } = { awaitReports: false },
): CallStats {
  const entries = new StatsEntries(report);
  const transport = readTransport(entries);
  const audio = readAudio(entries, previous?.audio ?? null);
  const video = readVideo(entries, previous?.video ?? null);
  return { at, transport, audio, video, mos: estimateMos({ audio, transport }, options) };
}

function readAudio(entries: StatsEntries, previous: AudioStats | null): AudioStats {
  const outbound = entries.stream('outbound-rtp', 'audio');
  const inbound = entries.stream('inbound-rtp', 'audio');
  return {
    sent: outbound && readSent(entries, outbound, 'audio'),
    received: inbound && readReceived(entries, inbound, previous?.received ?? null),
  };
}

function readVideo(entries: StatsEntries, previous: VideoStats | null): VideoStats {
  const outbound = entries.stream('outbound-rtp', 'video');
  const inbound = entries.stream('inbound-rtp', 'video');
  return {
    sent: outbound && {
      ...readSent(entries, outbound, 'video'),
      ...frameSize(outbound),
      frames: outbound.count('framesEncoded'),
      fps: outbound.number('framesPerSecond'),
    },
    received: inbound && {
      ...readReceived(entries, inbound, previous?.received ?? null),
      ...frameSize(inbound),
      frames: inbound.count('framesReceived'),
      framesDecoded: inbound.count('framesDecoded'),
      framesDropped: inbound.count('framesDropped'),
      fps: inbound.number('framesPerSecond'),
      freezeCount: inbound.number('freezeCount'),
      decodeTime: inbound.meanMs('totalDecodeTime', 'framesDecoded'),
    },
  };
}

function readSent(entries: StatsEntries, outbound: StatsEntry, kind: Kind): SentStats {
  return {
    codec: codecOf(entries, outbound),
    packets: outbound.count('packetsSent'),
    bytes: outbound.count('bytesSent'),
    reported: readReported(entries, kind),
  };
}

function readReported(entries: StatsEntries, kind: Kind): ReportedStats | null {
  const reported = entries.stream('remote-inbound-rtp', kind);
  return (
    reported && {
      packetsLost: reported.count('packetsLost'),
      jitter: reported.ms('jitter'),
      roundTripTime: reported.ms('roundTripTime'),
    }
  );
}

function readReceived(entries: StatsEntries, inbound: StatsEntry, previous: ReceivedStats | null): ReceivedStats {
  const packets = inbound.count('packetsReceived');
  const bytes = inbound.count('bytesReceived');
  const packetsLost = inbound.count('packetsLost');
  // A counter below its former value was reset: all of it is recent.
  const before = previous && packets >= previous.packets ? previous : { packets: 0, bytes: 0, packetsLost: 0 };
  return {
    codec: codecOf(entries, inbound),
    packets,
    bytes,
    packetsLost,
    jitter: inbound.ms('jitter'),
    jitterBuffer: inbound.meanMs('jitterBufferDelay', 'jitterBufferEmittedCount'),
    recent: {
      packets: packets - before.packets,
      bytes: Math.max(0, bytes - before.bytes),
      // Late packets are subtracted from the lost ones.
      packetsLost: Math.max(0, packetsLost - before.packetsLost),
    },
  };
}

/** Returns the codec of a stream by its id. Old engines list every codec they know. */
function codecOf(entries: StatsEntries, stream: StatsEntry): string | null {
  const mimeType = entries.byId(stream.text('codecId'))?.text('mimeType') ?? null;
  return mimeType === null ? null : mimeType.replace(/^(?:audio|video)\//, '');
}

function frameSize(stream: StatsEntry) {
  return { frameWidth: stream.number('frameWidth'), frameHeight: stream.number('frameHeight') };
}
