/** People with sound and a picture, who take part in calls: a port, since the exchange does not know the library. */

/** What somebody needs to sign in where the script is played. */
interface Identity {
  readonly userId: string;
  /** Their access token. */
  readonly token: string;
}

export interface AnswerOrder extends Identity {
  /** The call they are there for; they leave others alone. */
  readonly callId: string;
}

export interface DialOrder extends Identity {
  readonly calleeId: string;
  readonly video: boolean;
}

/** One side of one call. What it cannot do any more it leaves undone. */
export interface MediaPeer {
  /** Takes the call, or does so as soon as it rings here. */
  accept(): void;
  /** Hangs up, or gives up while it rings. */
  end(): void;
  /** The call is over; whoever is not gone by themselves goes now. */
  leave(): void;
}

export interface MediaPeerMaker {
  answer(order: AnswerOrder): MediaPeer;
  /** @param gone - told, later than this has returned, when there is nobody any more, whether or not they were told to go. */
  dial(order: DialOrder, gone: () => void): MediaPeer;
}

/** The path of the media of each call. */
export interface MediaSwitch {
  cut(callId: string): void;
  restore(callId: string): void;
}
