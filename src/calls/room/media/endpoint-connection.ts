import { packSdp } from '../../../protocol/sdp-codec.ts';
import { watchIce, type IceNews } from '../../peer/ice-watch.ts';
import { readAnswer } from '../../peer/remote-sdp.ts';
import { offerTracks, replaceSent, senderOf, type TrackPlan } from '../../peer/track-plan.ts';
import type { RtcPeerConnection, RtcPort } from '../../platform/rtc.ts';

export interface EndpointConnectionOptions {
  readonly rtc: Pick<RtcPort, 'createPeerConnection' | 'createMediaStream'>;
  /** The tracks of the endpoint, in the order of its offer. */
  readonly plan: TrackPlan;
  readonly ice: (news: IceNews) => void;
  /** Runs when a received track is in the stream. */
  readonly received: (stream: MediaStream) => void;
}

/**
 * One peer connection of an endpoint. This side makes every offer. It sends no candidates: the server learns the
 * addresses of this client from connectivity checks (ADR 0027).
 */
export class EndpointConnection {
  readonly #plan: TrackPlan;
  readonly #connection: RtcPeerConnection;

  /** @throws the error of an engine that makes no more connections. */
  constructor({ rtc, plan, ice, received }: EndpointConnectionOptions) {
    this.#plan = plan;
    // One port for both kinds: fewer checks, and fewer ports of the server. A mix may be on another server than the
    // picture (ADR 0029), so an offer of both has a transport for each.
    const isMixed = plan.some(({ direction }) => direction === 'sendrecv');
    this.#connection = rtc.createPeerConnection({ bundlePolicy: isMixed ? 'balanced' : 'max-bundle' });
    watchIce(this.#connection, ice);
    const stream = rtc.createMediaStream();
    this.#connection.addEventListener('track', ({ track }) => {
      // A picture that is received again is the same track.
      stream.addTrack(track);
      received(stream);
    });
  }

  /** Makes the first offer, packed, with the sent tracks. */
  async offer(tracks: readonly MediaStreamTrack[]): Promise<string> {
    offerTracks(this.#connection, this.#plan, tracks);
    return this.#describe();
  }

  /** Makes an offer, packed, that receives the picture or does not. It may replace an offer without an answer. */
  offerPicture(isReceived: boolean): Promise<string> {
    for (const transceiver of this.#connection.getTransceivers()) {
      if (transceiver.receiver.track.kind === 'video') transceiver.direction = isReceived ? 'recvonly' : 'inactive';
    }
    return this.#describe();
  }

  /** Applies a packed answer. Rejects when it cannot be read, or the engine refuses it. */
  async applyAnswer(packed: string): Promise<void> {
    const sdp = readAnswer(
      packed,
      this.#plan.map(({ kind }) => kind),
    );
    await this.#connection.setRemoteDescription({ type: 'answer', sdp });
  }

  replaceTrack(kind: 'audio' | 'video', track: MediaStreamTrack): Promise<void> {
    return replaceSent(this.#connection, this.#plan, kind, track);
  }

  /** Sends the picture smaller by a factor, 1 for its size. Rejects in an engine without this. */
  async scalePicture(factor: number): Promise<void> {
    const sender = senderOf(this.#connection, this.#plan, 'video');
    const parameters = sender?.getParameters();
    const [encoding] = parameters?.encodings ?? [];
    if (!sender || !parameters || !encoding || (encoding.scaleResolutionDownBy ?? 1) === factor) return;
    encoding.scaleResolutionDownBy = factor;
    await sender.setParameters(parameters);
  }

  close(): void {
    this.#connection.close();
  }

  async #describe(): Promise<string> {
    const offer = await this.#connection.createOffer();
    await this.#connection.setLocalDescription(offer);
    return packSdp(offer.sdp ?? '');
  }
}
