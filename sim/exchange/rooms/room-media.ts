/**
 * The port of the media of rooms. An implementation is the far end of every endpoint, and forwards what participants
 * send. Each implementation passes one contract suite (specs/contract).
 */
import type { MediaDirection, RoomType } from '../../../src/protocol/room-entities.ts';

/** An endpoint that is made. Directions are those of the client. */
export interface EndpointPlan {
  readonly endpointId: string;
  readonly participantId: string;
  readonly audio: MediaDirection;
  readonly video: MediaDirection;
}

/** The media of one room. Every function accepts ids that are already gone: an attach or a release then does nothing. */
export interface RoomMedia {
  /**
   * Makes an endpoint, and returns the answer to its offer, both as SDP.
   *
   * @throws CallError `ERR_MALFORMED_DATA` for an offer that sim/media/room-offer.ts refuses. No other endpoint is
   *   affected. `ERR_INVALID_ROOM_PARTICIPANT` when the endpoint is released meanwhile, or the room is closed.
   */
  create(plan: EndpointPlan, offer: string): Promise<string>;
  /**
   * Negotiates an endpoint again, and returns the answer. After a refusal its media continues as before.
   *
   * @throws CallError as {@link create}. `ERR_INVALID_ROOM_PARTICIPANT` also for an endpoint that is gone.
   */
  negotiate(endpointId: string, offer: string): Promise<string>;
  /**
   * Sends the media of another endpoint's participant to an endpoint, instead of that of an earlier attach. A mix
   * needs no attach.
   */
  attach(endpointId: string, masterId: string): void;
  /** Undoes an {@link attach}, unless a later one has replaced it. */
  detach(endpointId: string, masterId: string): void;
  /** Closes an endpoint. */
  release(endpointId: string): void;
  /** Closes every endpoint. */
  close(): void;
}

/** Reports that an engine has closed an endpoint by itself, for example one whose client sends too much. */
export type EndpointClosed = (endpointId: string) => void;

/** Opens the media of rooms. */
export interface RoomMediaEngine {
  open(roomId: string, type: RoomType, closed?: EndpointClosed): RoomMedia;
}
