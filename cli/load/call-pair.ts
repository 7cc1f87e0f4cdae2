/** A caller and a callee of a load generator, with an open channel each. They make one call at a time: 17 commands. */
import type { Clock } from '../../src/common/clock.ts';
import { CANDIDATES, candidateOf, CONNECTION, MEDIA, sdpOf } from './call-frames.ts';
import { RawSocket } from './raw-socket.ts';

interface Frame {
  readonly type: string;
  readonly request_id?: string;
  readonly payload: { readonly call_id: string };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The steps of a call. `ended`: the other side knows of the end. `over`: both sides do. */
export type Step = 'rang' | 'accepted' | 'connected' | 'ended' | 'over';

/** What a pair reports about its call. Nothing follows `over`, `refused` and `lost`. */
export interface CallListener {
  stepped(step: Step, moments: Moments): void;
  /** The server refused a command, like `dial`, with this code. */
  refused(command: string, code: number): void;
  /** The server ended the call by itself with this event, or a channel closed. */
  lost(why: string): void;
}

/** The moments of a call by the clock, milliseconds. */
export interface Moments {
  /** When the dial was sent. */
  readonly sent: number;
  /** When the callee rang and accepted, and when a user sent the command that ends the call. 0 before. */
  accepting: number;
  ending: number;
  /** Whether each side received the media of the other. Null without media. */
  areHeard: boolean | null;
}

const SIDES = ['caller', 'callee'] as const;
type Side = (typeof SIDES)[number];

/** The end of a call, and the side that sends it. */
const ENDING = { end: 'caller', cancel: 'caller', decline: 'callee' } as const satisfies Record<string, Side>;
export type Ending = keyof typeof ENDING;

/** The events by which the exchange ends a call. */
const ENDS = new Set(['end', 'cancel', 'decline', 'timeout', 'connection_lost', 'no_answer', 'unknown_end']);

interface Call {
  readonly listener: CallListener;
  readonly accepts: boolean;
  /** The number of its dial. Replies to a lower number are of a former call. */
  readonly firstRequest: number;
  readonly moments: Moments;
  id: string;
  ending: Ending | null;
  /** Which sides know of the end. */
  readonly ended: Set<Side>;
  /** The descriptions and candidates that arrived. */
  received: number;
}

const PREFIX = 'r-';
/** The requests of this process. */
let requests = 0;

export class CallPair {
  readonly calleeId: string;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #closed: () => void;
  readonly #sockets: { caller?: RawSocket; callee?: RawSocket } = {};
  #call: Call | null = null;

  /** @param closed - runs when the server closes a channel, before the call is reported as lost. */
  constructor(calleeId: string, clock: Pick<Clock, 'now' | 'after'>, closed: () => void = () => undefined) {
    this.calleeId = calleeId;
    this.#clock = clock;
    this.#closed = closed;
  }

  /** Opens both channels. */
  async open(callerUrl: string, calleeUrl: string): Promise<void> {
    const closed = (why: string) => {
      this.close();
      this.#closed();
      this.#finish()?.lost(why);
    };
    const openFor = async (side: Side, url: string) => {
      this.#sockets[side] = await RawSocket.open(url, (text) => this.#read(side, text), closed, this.#clock);
    };
    await openFor('caller', callerUrl);
    await openFor('callee', calleeUrl);
  }

  /** Begins a call. The callee accepts at once, or only rings. */
  dial(listener: CallListener, accepts = true): void {
    const payload = { callee_id: this.calleeId, is_video_call: true, ...MEDIA };
    this.#call = {
      listener,
      accepts,
      firstRequest: requests + 1,
      moments: { sent: this.#clock.now(), accepting: 0, ending: 0, areHeard: null },
      id: '',
      ending: null,
      ended: new Set(),
      received: 0,
    };
    this.#send('caller', 'CALL', 'dial', payload);
  }

  /** Ends the call: the caller hangs up or cancels, or the callee declines. A dial without its reply cannot end yet. */
  end(how: Ending): void {
    const call = this.#call;
    if (!call || call.id === '' || call.ending) return;
    call.ending = how;
    call.moments.ending = this.#clock.now();
    this.#send(ENDING[how], 'CALL', how, { call_id: call.id });
  }

  /** Forgets the call, and ends it at the server without waiting for its reply. */
  abandon(): void {
    const call = this.#call;
    this.#call = null;
    if (call && call.id !== '') this.#endForgotten(call.id);
  }

  /** Reports that both sides are alive, as a call of more than half a minute must. */
  alive(): void {
    const call_id = this.#call?.id;
    if (call_id) for (const side of SIDES) this.#send(side, 'SGNL', 'alive', { call_id });
  }

  close(): void {
    this.#sockets.caller?.close();
    this.#sockets.callee?.close();
  }

  #send(side: Side, cmd: string, type: string, payload: object): void {
    requests += 1;
    this.#sockets[side]?.send(JSON.stringify({ version: 1, request_id: `${PREFIX}${requests}`, cmd, type, payload }));
  }

  /** Takes the call away. Returns its listener for the last report. */
  #finish(): CallListener | undefined {
    const listener = this.#call?.listener;
    this.#call = null;
    return listener;
  }

  #endForgotten(call_id: string): void {
    this.#send('caller', 'CALL', 'end', { call_id });
    this.#send('caller', 'CALL', 'cancel', { call_id });
  }

  #read(side: Side, text: string): void {
    const frame = JSON.parse(text) as Frame;
    if (frame.request_id === undefined) this.#event(side, frame);
    else this.#reply(side, frame, Number(frame.request_id.slice(PREFIX.length)));
  }

  #reply(side: Side, { type, payload, error }: Frame, request: number): void {
    const call = this.#call;
    if (!call || request < call.firstRequest) {
      // The reply to a dial that was given up: now its call can be ended.
      if (type === 'dial_ack' && !error) this.#endForgotten(payload.call_id);
      return;
    }
    const command = type.replace(/_ack$/, '');
    if (error) {
      this.abandon();
      call.listener.refused(command, error.code);
    } else if (type === 'dial_ack') this.#isNamed(call, payload.call_id);
    else if (command === call.ending) this.#endedAt(side, call);
  }

  /** Gives the call its id. Returns false when the callee rang for a former call: this one is given up. */
  #isNamed(call: Call, id: string): boolean {
    if (call.id === '' || call.id === id) {
      call.id = id;
      return true;
    }
    this.abandon();
    this.#endForgotten(id);
    call.listener.lost('the callee rang for a former call');
    return false;
  }

  #event(side: Side, { type, payload: { call_id } }: Frame): void {
    const call = this.#call;
    if (!call) return;
    if (type === 'dial' && side === 'callee') {
      // The ring may come before the reply to the dial.
      if (call.moments.accepting === 0 && this.#isNamed(call, call_id)) this.#rang(call);
    } else if (call_id !== call.id) return;
    else if (ENDS.has(type)) this.#over(side, type, call);
    else this.#signal(side, type, call);
  }

  #rang(call: Call): void {
    call.moments.accepting = this.#clock.now();
    if (call.accepts) this.#send('callee', 'CALL', 'accept', { call_id: call.id, ...MEDIA });
    call.listener.stepped('rang', call.moments);
  }

  #signal(side: Side, type: string, call: Call): void {
    const { id: call_id, moments, listener } = call;
    if (type === 'accept' && side === 'caller') {
      this.#send('caller', 'SGNL', 'offer', { call_id, sdp: sdpOf('offer') });
      this.#candidates('caller', call_id);
      listener.stepped('accepted', moments);
    }
    if (type === 'offer') {
      this.#send('callee', 'SGNL', 'answer', { call_id, sdp: sdpOf('answer') });
      this.#candidates('callee', call_id);
    }
    if (type === 'offer' || type === 'answer' || type === 'candidate') this.#count(call);
    // The report of the callee, since the caller sends its own first.
    if (type === 'connected' && side === 'caller') listener.stepped('connected', moments);
  }

  #candidates(side: Side, call_id: string): void {
    for (let at = 0; at < CANDIDATES; at += 1) this.#send(side, 'SGNL', 'candidate', { call_id, ...candidateOf(at) });
  }

  /** Counts a description or a candidate. When both sides have all of the other, both report their media. */
  #count(call: Call): void {
    call.received += 1;
    if (call.received !== 2 * (CANDIDATES + 1)) return;
    for (const side of SIDES) this.#send(side, 'SGNL', 'connected', { call_id: call.id, ...CONNECTION });
  }

  #over(side: Side, type: string, call: Call): void {
    // A cancel that an accept overtakes is refused, and the callee gets the end of an accepted call (D11).
    const isAsked = type === call.ending || (type === 'end' && call.ending === 'cancel');
    if (isAsked) this.#endedAt(side, call);
    else this.#finish()?.lost(type);
  }

  /** Notes that one side knows of the end. The call is over when both do. */
  #endedAt(side: Side, call: Call): void {
    if (call.ending && side !== ENDING[call.ending]) call.listener.stepped('ended', call.moments);
    call.ended.add(side);
    if (call.ended.size === SIDES.length && this.#call === call) this.#finish()?.stepped('over', call.moments);
  }
}
