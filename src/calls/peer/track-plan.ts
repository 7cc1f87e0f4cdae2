import type { RtcPeerConnection } from '../platform/rtc.ts';

type Kind = 'audio' | 'video';

/** A track that a peer connection carries, in one direction or in both. */
export interface PlannedTrack {
  readonly kind: Kind;
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly';
}

/**
 * The tracks of a peer connection in the order of its description. A kind may be there several times: the n-th planned
 * track of a kind belongs to the n-th media section of that kind.
 */
export type TrackPlan = readonly PlannedTrack[];

type Connection = Pick<RtcPeerConnection, 'getTransceivers' | 'addTransceiver'>;

function transceiverOf(connection: Connection, plan: TrackPlan, planned: PlannedTrack): RTCRtpTransceiver | undefined {
  const order = plan.filter(({ kind }) => kind === planned.kind).indexOf(planned);
  return connection.getTransceivers().filter(({ receiver }) => receiver.track.kind === planned.kind)[order];
}

/**
 * Puts local tracks into a connection as its plan states: the n-th track of a kind is the n-th that is sent. A sent kind
 * without a track is negotiated, so that a track can follow.
 *
 * @param isOfferer - true when this side makes the first offer, and so the media sections.
 * @returns a promise that resolves when every track is sent. A description can be made before.
 * @throws the error of an engine that refuses a section or its direction. No description can be made then.
 */
export function placeTracks(
  connection: Connection,
  plan: TrackPlan,
  tracks: readonly MediaStreamTrack[],
  isOfferer: boolean,
): Promise<void> {
  const waiting = [...tracks];
  const sent: Promise<void>[] = [];
  for (const planned of plan) {
    const { kind, direction } = planned;
    const at = direction === 'recvonly' ? -1 : waiting.findIndex((track) => track.kind === kind);
    const [track = null] = at < 0 ? [] : waiting.splice(at, 1);
    if (isOfferer) {
      connection.addTransceiver(track ?? kind, { direction });
      continue;
    }
    const transceiver = transceiverOf(connection, plan, planned);
    if (!transceiver) continue;
    transceiver.direction = direction;
    sent.push(transceiver.sender.replaceTrack(track));
  }
  return Promise.all(sent).then(() => undefined);
}

/** Returns the sender of the n-th track of a kind that the plan sends, the first by default. */
export function senderOf(connection: Connection, plan: TrackPlan, kind: Kind, order = 0): RTCRtpSender | undefined {
  const planned = plan.filter((one) => one.kind === kind && one.direction !== 'recvonly')[order];
  return planned && transceiverOf(connection, plan, planned)?.sender;
}

/** Replaces the n-th track of a kind that the plan sends, the first by default. Null sends nothing. */
export async function replaceSent(
  connection: Connection,
  plan: TrackPlan,
  kind: Kind,
  track: MediaStreamTrack | null,
  order = 0,
): Promise<void> {
  await senderOf(connection, plan, kind, order)?.replaceTrack(track);
}
