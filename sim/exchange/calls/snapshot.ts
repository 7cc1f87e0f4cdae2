import type { UnendedCall } from '../../../src/protocol/messages/replies.ts';
import { otherLeg, type Call, type Leg } from './call.ts';

/** Returns the known state of the side opposite to this leg. Nothing is on before the accept. */
export function snapshotFor(call: Call, leg: Leg): UnendedCall['signal_snapshot'] {
  const other = otherLeg(call, leg);
  return {
    is_audio_enabled: other?.media.audio ?? false,
    is_video_enabled: other?.media.video ?? false,
    custom_items: { ...call.customItems },
    recording: other?.recording ?? 'none',
  };
}
