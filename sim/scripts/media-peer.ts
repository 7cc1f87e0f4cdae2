/**
 * Simulated users with media, who take part in calls. This is a port, since the exchange does not import the library.
 */

/** The credentials with which a simulated user signs in where the script is played. */
interface Identity {
  readonly userId: string;
  /** The user's access token. */
  readonly token: string;
}

export interface AnswerOrder extends Identity {
  /** The only call that the user takes part in. */
  readonly callId: string;
}

export interface DialOrder extends Identity {
  readonly calleeId: string;
  readonly video: boolean;
}

/** One side of one call. An action that is no longer possible has no effect. */
export interface MediaPeer {
  /** Accepts the call, now or as soon as it rings here. */
  accept(): void;
  /** Ends the call, or cancels it while it rings. */
  end(): void;
  /** Releases the side when its call is over. */
  leave(): void;
}

export interface MediaPeerMaker {
  answer(order: AnswerOrder): MediaPeer;
  /**
   * Dials as this user. @param gone - called asynchronously when this side has left, with or without a request to
   * leave.
   */
  dial(order: DialOrder, gone: () => void): MediaPeer;
}

/** The path of the media of each call. */
export interface MediaSwitch {
  cut(callId: string): void;
  restore(callId: string): void;
}
