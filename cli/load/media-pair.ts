/** A pair of users of the library over wrtc: both send a tone, and perhaps a picture, and measure what they receive. */
import type { Client } from '../../src/calls/client/client.ts';
import type { DirectCall } from '../../src/calls/direct-call/direct-call.ts';
import type { Clock } from '../../src/common/clock.ts';
import { createMeasuredView, type MeasuredView } from '../headless/measured-view.ts';
import type { CallListener, Ending, Moments } from './call-pair.ts';
import { hears } from './hears.ts';
import type { LoadPair } from './open-pairs.ts';

/** A signed-in user, and the tone that this user hears from the other side. */
export interface MediaUser {
  readonly userId: string;
  readonly client: Client;
  readonly hears: number;
}

/** One side of a call. */
interface Side {
  readonly view: MeasuredView;
  readonly hears: number;
  call: DirectCall | null;
  isConnected: boolean;
}

interface Running {
  readonly listener: CallListener;
  readonly accepts: boolean;
  readonly moments: Moments;
  readonly caller: Side;
  readonly callee: Side;
  ending: Ending | null;
  ends: number;
}

/** The caller and the callee, each with one call at a time. */
export class MediaPair implements LoadPair {
  readonly #caller: MediaUser;
  readonly #callee: MediaUser;
  readonly #hasVideo: boolean;
  readonly #clock: Pick<Clock, 'now'>;
  #running: Running | null = null;

  constructor(caller: MediaUser, callee: MediaUser, { hasVideo, clock }: { hasVideo: boolean; clock: Clock }) {
    this.#caller = caller;
    this.#callee = callee;
    this.#hasVideo = hasVideo;
    this.#clock = clock;
    callee.client.addListener('load', { onRinging: (call) => this.#rings(call) });
  }

  dial(listener: CallListener, accepts: boolean): void {
    const moments = { sent: this.#clock.now(), accepting: 0, ending: 0, areHeard: null };
    const [caller, callee] = [this.#side(this.#caller), this.#side(this.#callee)];
    const running: Running = { listener, accepts, moments, caller, callee, ending: null, ends: 0 };
    this.#running = running;
    const params = { userId: this.#callee.userId, isVideoCall: this.#hasVideo };
    try {
      caller.call = this.#caller.client.dial(
        { ...params, callOption: { remoteMediaView: caller.view.element } },
        (_call, error) => {
          if (error) this.#finish(running)?.refused('dial', error.code);
        },
      );
    } catch (error) {
      // The report comes later, as every other one.
      setImmediate(() => this.#finish(running)?.lost(error instanceof Error ? error.message : String(error)));
      return;
    }
    this.#follow(running, caller);
    caller.call.onEstablished = () => this.#running === running && listener.stepped('accepted', moments);
  }

  end(how: Ending): void {
    const running = this.#running;
    if (!running || running.ending) return;
    const { caller, callee, moments } = running;
    running.ending = how;
    // Measured before the end, after which the other side is silent.
    if (how === 'end') moments.areHeard = this.#areHeard(running);
    moments.ending = this.#clock.now();
    (how === 'decline' ? callee : caller).call?.end();
  }

  abandon(): void {
    const running = this.#running;
    if (!running) return;
    this.#finish(running);
    for (const { call } of [running.caller, running.callee]) if (call && !call.isEnded) call.end();
  }

  /** The library does it. */
  alive(): void {}

  close(): void {
    this.abandon();
    for (const { client } of [this.#caller, this.#callee]) client.deauthenticate();
  }

  #side({ hears: frequency }: MediaUser): Side {
    return { view: createMeasuredView(this.#clock), hears: frequency, call: null, isConnected: false };
  }

  #rings(call: DirectCall): void {
    const running = this.#running;
    if (!running || running.callee.call) return call.end();
    const { callee, listener, moments, accepts } = running;
    callee.call = call;
    this.#follow(running, callee);
    moments.accepting = this.#clock.now();
    if (accepts) {
      call.accept({ callOption: { remoteMediaView: callee.view.element, videoEnabled: this.#hasVideo } });
    }
    listener.stepped('rang', moments);
  }

  #follow(running: Running, side: Side): void {
    const { call } = side;
    if (!call) return;
    call.onConnected = () => {
      side.isConnected = true;
      const { caller, callee, listener, moments } = running;
      const isCurrent = this.#running === running && !running.ending;
      if (isCurrent && caller.isConnected && callee.isConnected) listener.stepped('connected', moments);
    };
    call.onEnded = () => this.#ended(running, side, call);
  }

  #ended(running: Running, side: Side, call: DirectCall): void {
    side.view.stop();
    if (this.#running !== running) return;
    if (!running.ending) {
      // The library ends a failed dial before it reports the reason.
      setImmediate(() => {
        if (this.#running === running) this.abandon();
        else return;
        running.listener.lost(call.endResult?.toLowerCase() ?? 'unknown_end');
      });
      return;
    }
    running.ends += 1;
    const isOther = side === (running.ending === 'decline' ? running.caller : running.callee);
    if (isOther) running.listener.stepped('ended', running.moments);
    if (running.ends === 2) this.#finish(running)?.stepped('over', running.moments);
  }

  #areHeard({ caller, callee }: Running): boolean {
    const now = this.#clock.now();
    return [caller, callee].every(({ view, hears: frequency }) => {
      const { heard, seen } = view.turn(now);
      return hears(heard, frequency) && (!this.#hasVideo || seen.ok);
    });
  }

  /** Takes the call away. Returns its listener for the last report, unless another one was the last. */
  #finish(running: Running): CallListener | undefined {
    if (this.#running !== running) return undefined;
    this.#running = null;
    for (const { view } of [running.caller, running.callee]) view.stop();
    return running.listener;
  }
}
