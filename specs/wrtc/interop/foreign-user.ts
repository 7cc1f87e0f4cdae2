/** A user with a foreign stack: it speaks the wire protocol by itself, without the calling library. */
import { packSdp, unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { WireClient, type WireEvent } from '../../contract/exchange/wire-client.ts';
import type { ForeignPeer, ForeignStack } from './foreign-peer.ts';

const CONNECTION = { connection_type: 'host', relay_protocol: null, protocol: 'udp' };
const CAPABILITIES: readonly string[] = [];

export class ForeignUser {
  readonly #client: WireClient;
  readonly #stack: ForeignStack;
  readonly #tone: number;
  /** The holds and resumes of the other side, in order. */
  readonly holds: boolean[] = [];
  /** The end of the call. Undefined before it. */
  ended: string | undefined;
  /** Errors of the stack or of the exchange. */
  readonly faults: string[] = [];
  peer: ForeignPeer | null = null;
  #callId = '';
  #hasVideo = false;
  #isAccepted = () => undefined as void;

  private constructor(client: WireClient, stack: ForeignStack, tone: number) {
    this.#client = client;
    this.#stack = stack;
    this.#tone = tone;
    client.onEvent = (event) => {
      this.#on(event).catch((error: unknown) => this.faults.push(`${event.type}: ${String(error)}`));
    };
  }

  static async signIn(url: string, userId: string, stack: ForeignStack, tone: number): Promise<ForeignUser> {
    return new ForeignUser(await WireClient.signIn(url, userId), stack, tone);
  }

  /** Dials, and connects when the callee accepts. */
  async dial(calleeId: string, hasVideo: boolean): Promise<void> {
    this.#hasVideo = hasVideo;
    const accepted = new Promise<void>((resolve) => (this.#isAccepted = resolve));
    const constraints = { audio: true, video: hasVideo };
    const dial = { callee_id: calleeId, is_video_call: hasVideo, constraints, capabilities: CAPABILITIES };
    this.#callId = (await this.#client.send('CALL', 'dial', dial)).call_id;
    await accepted;
    await this.#open();
    await this.#sendOffer();
  }

  /** Restarts ICE with a further offer. Only a caller may do it (I11). */
  restartIce(): Promise<void> {
    return this.#sendOffer(true);
  }

  async hold(isOnHold: boolean): Promise<void> {
    await this.#client.send('CALL', 'hold', { call_id: this.#callId, is_on_hold: isOnHold, was_relayed: false });
  }

  async end(): Promise<void> {
    await this.#client.send('CALL', 'end', { call_id: this.#callId });
  }

  async close(): Promise<void> {
    await this.peer?.close();
    this.#client.socket.terminate();
  }

  async #on({ type, payload }: WireEvent): Promise<void> {
    if (type === 'dial') return this.#ring(payload);
    if (payload.call_id !== this.#callId) return;
    if (type === 'accept') this.#isAccepted();
    if (type === 'offer') {
      const answer = await this.peer?.answer(unpackSdp(payload.sdp));
      if (answer !== undefined) await this.#describe('answer', answer);
    }
    if (type === 'answer') await this.peer?.accept(unpackSdp(payload.sdp));
    if (type === 'candidate') await this.peer?.addCandidate(payload.candidate);
    if (type === 'hold') this.holds.push(payload.is_peer_on_hold);
    if ('end_result' in payload) this.ended = payload.end_result;
  }

  async #ring({ call_id, is_video_call }: { call_id: string; is_video_call: boolean }): Promise<void> {
    this.#callId = call_id;
    this.#hasVideo = is_video_call;
    await this.#open();
    const constraints = { audio: true, video: is_video_call };
    await this.#client.send('CALL', 'accept', { call_id, constraints, capabilities: CAPABILITIES });
  }

  async #open(): Promise<void> {
    const peer = await this.#stack.open({ tone: this.#tone, hasVideo: this.#hasVideo });
    this.peer = peer;
    peer.onCandidate = (candidate) => {
      this.#client
        .send('SGNL', 'candidate', { call_id: this.#callId, candidate })
        .catch((error: unknown) => this.faults.push(String(error)));
    };
    peer.connected.then(
      () => this.#client.send('SGNL', 'connected', { call_id: this.#callId, connection: CONNECTION, reconnect: false }),
      (error: unknown) => void this.faults.push(String(error)),
    );
  }

  async #sendOffer(restartIce = false): Promise<void> {
    const offer = await this.peer?.offer(restartIce);
    if (offer !== undefined) await this.#describe('offer', offer);
  }

  async #describe(type: 'offer' | 'answer', sdp: string): Promise<void> {
    await this.#client.send('SGNL', type, { call_id: this.#callId, sdp: packSdp(sdp) });
  }
}
