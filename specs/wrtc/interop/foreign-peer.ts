/** A peer connection of a WebRTC stack that this project does not use for calls. It sends a tone and measures another. */
import type { ToneReading } from '../../../cli/headless/signals/tone-meter.ts';

export interface WireCandidate {
  readonly sdp: string;
  readonly sdp_mid: string;
  readonly sdp_mline_index: number;
}

export interface ForeignPeer {
  /** Returns an offer. `restartIce`: with new credentials, for a connection that exists. */
  offer(restartIce?: boolean): Promise<string>;
  answer(offer: string): Promise<string>;
  /** Applies the answer to its offer. */
  accept(answer: string): Promise<void>;
  addCandidate(candidate: WireCandidate): Promise<void>;
  /** Receives its own candidates. */
  onCandidate: (candidate: WireCandidate) => void;
  /** Resolves when media can flow. */
  readonly connected: Promise<void>;
  /** Returns what it has heard since the last reading. */
  heard(): ToneReading;
  close(): Promise<void>;
}

export interface ForeignStack {
  readonly name: string;
  /** Why the stack cannot be used here, in one line. Undefined when it can. */
  readonly missing?: string;
  /** Whether it sends received video back. */
  readonly echoesVideo: boolean;
  /** Whether it can restart ICE as the offerer. */
  readonly restartsIce: boolean;
  /** @param tone - the frequency to send, hertz. */
  open(options: { readonly tone: number; readonly hasVideo: boolean }): Promise<ForeignPeer>;
}
