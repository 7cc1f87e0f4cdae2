/** The frames of a complete video call between two users, as the library sends them: 17 commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import { RawSocket } from './raw-socket.ts';

const sdpOf = (name: string): string => packSdp(readFileSync(join('fixtures', 'wire', name), 'utf8'));
const OFFER = sdpOf('offer.sdp');
const ANSWER = sdpOf('answer.sdp');
const CANDIDATES = 5;
const MEDIA = { constraints: { audio: true, video: true }, capabilities: ['turn_changed'] };
const candidateOf = (at: number) => ({
  candidate: {
    sdp: `candidate:84216304${at} 1 udp 1677729535 192.0.2.17 4615${at} typ srflx raddr 10.0.0.17 rport 4615${at} generation 0 ufrag Jx7Z network-cost 999`,
    sdp_mline_index: 0,
    sdp_mid: '0',
  },
  peer_connection_id: '6c0f4a5e-7b7b-4c0b-9a57-92f41c8e7a10',
});
const CONNECTION = {
  connection: { connection_type: 'host', relay_protocol: null, protocol: 'udp' },
  reconnect: false,
};

interface Frame {
  readonly type: string;
  readonly request_id?: string;
  readonly payload: { readonly call_id: string };
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a pair of users reports about its calls. */
export interface PairListener {
  /** The callee's device got the ring. Milliseconds since the dial was sent. */
  readonly rang: (ms: number) => void;
  /** A call ended on both sides. */
  readonly ended: () => void;
  /** A dial was refused with this code. */
  readonly refused: (code: number) => void;
  /** The run cannot go on. */
  readonly failed: (why: string) => void;
}

let requests = 0;

/** A caller and a callee with an open socket each. */
export class Pair {
  readonly #listener: PairListener;
  #caller: RawSocket | undefined;
  #callee: RawSocket | undefined;
  #dialledAt = 0;
  #callId = '';
  #received = { caller: 0, callee: 0 };
  #ends = 0;
  /** True when the next call stays connected. */
  staysConnected = false;
  #connected: () => void = () => undefined;

  constructor(listener: PairListener) {
    this.#listener = listener;
  }

  async open(callerUrl: string, calleeUrl: string): Promise<void> {
    const failed = (why: string) => this.#listener.failed(why);
    this.#caller = await RawSocket.open(callerUrl, (text) => this.#atCaller(JSON.parse(text)), failed);
    this.#callee = await RawSocket.open(calleeUrl, (text) => this.#atCallee(JSON.parse(text)), failed);
  }

  /** Begins a call. */
  dial(calleeId: string): void {
    this.#received = { caller: 0, callee: 0 };
    this.#ends = 0;
    this.#dialledAt = performance.now();
    this.#send(this.#caller, 'CALL', 'dial', { callee_id: calleeId, is_video_call: true, ...MEDIA });
  }

  /** Begins a call, and resolves when both sides have reported their media. */
  connect(calleeId: string): Promise<void> {
    this.staysConnected = true;
    return new Promise((resolve) => {
      this.#connected = resolve;
      this.dial(calleeId);
    });
  }

  /** Ends the call. */
  hangUp(): void {
    this.staysConnected = false;
    this.#send(this.#caller, 'CALL', 'end', { call_id: this.#callId });
  }

  close(): void {
    this.#caller?.close();
    this.#callee?.close();
  }

  #send(socket: RawSocket | undefined, cmd: string, type: string, payload: object): void {
    requests += 1;
    socket?.send(JSON.stringify({ version: 1, request_id: `r-${requests}`, cmd, type, payload }));
  }

  #isReply(frame: Frame): boolean {
    if (frame.request_id === undefined) return false;
    if (!frame.error) return true;
    const { code, message } = frame.error;
    if (frame.type === 'dial_ack') this.#listener.refused(code);
    else this.#listener.failed(`${frame.type} was refused with ${code}: ${message}`);
    return true;
  }

  #atCaller(frame: Frame): void {
    if (frame.type === 'dial_ack' && !frame.error) this.#callId = frame.payload.call_id;
    if (frame.type === 'end_ack' && !frame.error) this.#over();
    if (this.#isReply(frame)) return;
    const call_id = frame.payload.call_id;
    if (frame.type === 'accept') {
      this.#send(this.#caller, 'SGNL', 'offer', { call_id, sdp: OFFER });
      this.#candidates(this.#caller, call_id);
    }
    this.#count('caller', frame, call_id);
  }

  #atCallee(frame: Frame): void {
    if (this.#isReply(frame)) return;
    const call_id = frame.payload.call_id;
    if (frame.type === 'dial') {
      this.#listener.rang(performance.now() - this.#dialledAt);
      this.#send(this.#callee, 'CALL', 'accept', { call_id, ...MEDIA });
    }
    if (frame.type === 'offer') {
      this.#send(this.#callee, 'SGNL', 'answer', { call_id, sdp: ANSWER });
      this.#candidates(this.#callee, call_id);
    }
    if (frame.type === 'end') this.#over();
    this.#count('callee', frame, call_id);
  }

  #candidates(socket: RawSocket | undefined, call_id: string): void {
    for (let at = 0; at < CANDIDATES; at += 1) this.#send(socket, 'SGNL', 'candidate', { call_id, ...candidateOf(at) });
  }

  /** Counts a description or a candidate of the other side. A side with all of them reports its media. */
  #count(side: 'caller' | 'callee', { type }: Frame, call_id: string): void {
    if (type === 'connected' && side === 'caller') {
      if (this.staysConnected) this.#connected();
      else this.#send(this.#caller, 'CALL', 'end', { call_id });
    }
    if (type !== 'offer' && type !== 'answer' && type !== 'candidate') return;
    this.#received[side] += 1;
    if (this.#received.caller + this.#received.callee < 2 * (CANDIDATES + 1)) return;
    // The caller reports first, so that the last event at the caller is the report of the callee.
    for (const by of [this.#caller, this.#callee]) this.#send(by, 'SGNL', 'connected', { call_id, ...CONNECTION });
  }

  #over(): void {
    this.#ends += 1;
    if (this.#ends === 2) this.#listener.ended();
  }
}
