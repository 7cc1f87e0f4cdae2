import type { DirectCallRole, EndResult } from '../../protocol/enumerations.ts';
import type { SummaryBody } from '../../protocol/http.ts';
import { PROTOCOL_VERSION } from '../../protocol/limits.ts';
import { audioMeasures } from './audio-measures.ts';
import { lossRate, type CallStats } from './call-stats.ts';
import { meanMos } from './mos.ts';
import type { StatsRecord } from './sampler.ts';

/**
 * The facts of a call. Times are readings of the library's clock, milliseconds. Null for a moment that did not happen.
 */
export interface CallFacts {
  readonly role: DirectCallRole;
  readonly endResult: EndResult;
  readonly isVideoCall: boolean;
  readonly dialedAt: number | null;
  readonly rungAt: number | null;
  readonly acceptedAt: number | null;
  readonly connectedAt: number | null;
  readonly reconnectionCount: number;
}

/** Returns the summary of a call (§3, call summary fields). Pure. */
export function callSummary(facts: CallFacts, record: StatsRecord): SummaryBody {
  const { latest, mosList, statsInterval } = record;
  return {
    version: PROTOCOL_VERSION,
    user_role: facts.role,
    summary_data: {
      end_result: facts.endResult,
      pdd: between(facts.dialedAt, facts.rungAt),
      setup_time: between(facts.acceptedAt, facts.connectedAt),
      reconnection_count: facts.reconnectionCount,
      network_type: latest?.transport.networkType ?? null,
      candidate_type: latest?.transport.candidateType ?? null,
      audio: audioSummary(latest, mosList),
      video: facts.isVideoCall ? videoSummary(latest) : null,
      stats_interval: statsInterval,
    },
  };
}

const between = (from: number | null, to: number | null) => (from === null || to === null ? null : to - from);

function audioSummary(latest: CallStats | null, mosList: readonly number[]): SummaryBody['summary_data']['audio'] {
  const { sent = null, received = null } = latest?.audio ?? {};
  return {
    codec: received?.codec ?? sent?.codec ?? null,
    mos_list: [...mosList],
    // A call too short for the list may still have one score.
    mos: meanMos(mosList) ?? latest?.mos ?? null,
    packet_loss_rate: received && lossRate(received),
    rtt: latest && audioMeasures(latest).roundTripTime,
  };
}

function videoSummary(latest: CallStats | null): SummaryBody['summary_data']['video'] {
  const received = latest?.video.received ?? null;
  return {
    codec: received?.codec ?? null,
    freeze_count: received?.freezeCount ?? null,
    jitter_buffer: received?.jitterBuffer ?? null,
    frame_width: received?.frameWidth ?? null,
    frame_height: received?.frameHeight ?? null,
    decode_time: received?.decodeTime ?? null,
    fps: received?.fps ?? null,
  };
}
