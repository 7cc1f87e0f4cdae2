import type { EventFrame } from '../../protocol/envelope.ts';
import type { CallEvent } from '../../protocol/messages/events.ts';
import type { EndedPayload } from '../../protocol/messages/events.ts';
import type { RelayCredential } from '../../protocol/entities.ts';
import type { CustomItemsChange } from '../host/custom-item-requests.ts';
import type { Peers } from '../peer/peers.ts';
import type { Lifecycle } from './lifecycle.ts';

export type CallFrame = Extract<EventFrame, CallEvent>;

/** The parts of a call that a signal can reach. */
export interface SignalTargets {
  readonly lifecycle: Pick<Lifecycle, 'raise'>;
  /** Returns the peer connections. Null before the call is established. */
  readonly peers: () => Pick<Peers, 'receiveAnswer' | 'receiveCandidate' | 'removeCandidates'> | null;
  readonly remote: {
    audio(enabled: boolean): void;
    video(enabled: boolean): void;
    recording(status: 'none' | 'recording'): void;
    hold(onHold: boolean): void;
    customItems(change: CustomItemsChange): void;
    dialReceived(): void;
  };
  readonly relay: {
    /** Begins with the first relay of the call. */
    use(credential: RelayCredential): void;
    /** Moves the call to another relay. */
    change(credential: RelayCredential): void;
    /** Uses another credential of the same relay. */
    renew(credential: RelayCredential): void;
  };
  readonly localUserId: string;
  /** The number of the last signal applied. */
  lastSignal(): number;
}

const endedBy = ({ ended_by }: EndedPayload): string | null => ended_by?.user_id ?? null;

/** Passes one signal to its part. Every type of §7 is here: a new type does not compile without a case. */
export function applySignal(frame: CallFrame, to: SignalTargets): void {
  switch (frame.type) {
    // A dial has made the call. Each side reports its own connection, and needs no report of the other.
    case 'dial':
    case 'connected':
      return;
    case 'dial_rcv':
      return to.remote.dialReceived();
    case 'accept':
      to.relay.use(frame.payload.turn_credential);
      // A device that accepts has received the dial, also when its dial-received comes later.
      to.remote.dialReceived();
      to.remote.audio(frame.payload.audio);
      to.remote.video(frame.payload.video);
      // Another device may have accepted before, at a node that was cut off.
      if (!to.peers()) to.lifecycle.raise('remoteAccepted');
      return;
    case 'other_device_accepted':
      return to.lifecycle.raise('otherDeviceAccepted');
    case 'cancel':
      return to.lifecycle.raise('remoteCanceled', { by: endedBy(frame.payload) });
    case 'decline':
    case 'end':
    case 'timeout':
    case 'connection_lost':
    case 'no_answer':
    case 'unknown_end':
      return to.lifecycle.raise('remoteEnded', { result: frame.payload.end_result, by: endedBy(frame.payload) });
    case 'offer':
      return to.lifecycle.raise('offerReceived', { offer: frame.payload });
    case 'answer':
      return to.peers()?.receiveAnswer(frame.payload.sdp, frame.payload.peer_connection_id, frame.payload.offer_id);
    case 'candidate':
      return to.peers()?.receiveCandidate(frame.payload.candidate, frame.payload.peer_connection_id);
    case 'remove_candidates':
      return to.peers()?.removeCandidates(frame.payload.candidates, frame.payload.peer_connection_id);
    case 'audio':
      return to.remote.audio(frame.payload.is_enabled);
    case 'video':
      return to.remote.video(frame.payload.is_enabled);
    case 'recording':
      return to.remote.recording(frame.payload.recording_status);
    case 'hold':
      if (frame.payload.holded_by !== to.localUserId) to.remote.hold(frame.payload.is_peer_on_hold);
      return;
    case 'custom_items_update': {
      const { custom_items: items, updated: keys, affected_at: affectedAt } = frame.payload;
      return to.remote.customItems({ how: 'updated', items, keys, affectedAt });
    }
    case 'custom_items_delete': {
      const { custom_items: items, deleted: keys, affected_at: affectedAt } = frame.payload;
      return to.remote.customItems({ how: 'deleted', items, keys, affectedAt });
    }
    case 'turn_changed': {
      const { turn_credential, is_renewal } = frame.payload;
      if (is_renewal) return to.relay.renew(turn_credential);
      return to.relay.change(turn_credential);
    }
    case 'snapshot': {
      const { signal_seq, signal_snapshot: snapshot } = frame.payload;
      // A later signal arrived by another route meanwhile.
      if (signal_seq < to.lastSignal()) return;
      // Custom items stay: a snapshot has no time that shows whether its items are newer (ADR 0017).
      to.remote.audio(snapshot.is_audio_enabled);
      to.remote.video(snapshot.is_video_enabled);
      return to.remote.recording(snapshot.recording);
    }
    default:
      return frame satisfies never;
  }
}
