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

type Connection = Pick<RtcPeerConnection, 'getTransceivers'>;

function transceiverOf(connection: Connection, plan: TrackPlan, planned: PlannedTrack): RTCRtpTransceiver | undefined {
  const order = plan.filter(({ kind }) => kind === planned.kind).indexOf(planned);
  return connection.getTransceivers().filter(({ receiver }) => receiver.track.kind === planned.kind)[order];
}

/** Returns the planned tracks with their local tracks: the n-th track of a kind is the n-th that is sent. */
function assigned(plan: TrackPlan, tracks: readonly MediaStreamTrack[]) {
  const waiting = [...tracks];
  return plan.map(({ kind, direction }) => {
    const at = direction === 'recvonly' ? -1 : waiting.findIndex((track) => track.kind === kind);
    const [track = null] = at < 0 ? [] : waiting.splice(at, 1);
    return { kind, direction, track };
  });
}

/**
 * Adds a media section for each planned track. A sent kind without a track is negotiated, so that a track can follow.
 *
 * @throws the error of an engine that refuses a section. No offer can be made then.
 */
export function offerTracks(
  connection: Pick<RtcPeerConnection, 'addTransceiver'>,
  plan: TrackPlan,
  tracks: readonly MediaStreamTrack[],
): void {
  for (const { kind, direction, track } of assigned(plan, tracks)) {
    connection.addTransceiver(track ?? kind, { direction });
  }
}

/**
 * Adds the local tracks of a side that answers, before or after the offer: the engine takes the sections of the offer
 * for them (RFC 8829 §5.10).
 *
 * @throws the error of an engine that refuses a track. No answer can be made then.
 */
export function answerTracks(
  connection: Pick<RtcPeerConnection, 'addTrack'>,
  plan: TrackPlan,
  tracks: readonly MediaStreamTrack[],
): void {
  for (const { track } of assigned(plan, tracks)) if (track) connection.addTrack(track);
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
