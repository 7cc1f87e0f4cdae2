import type { UnendedCall } from '../../../src/protocol/messages/replies.ts';
import type { Core } from '../core.ts';
import { notify, resend } from '../delivery/deliver.ts';
import type { SignalLog } from '../delivery/signal-log.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { Participations, Unended } from '../participations.ts';
import { acceptedLeg, isOf, isSide, legOf, legsOf, type Call, type Leg } from './call.ts';
import { changeRelay } from './change-relay.ts';
import { endCall } from './end-call.ts';
import { stopCall } from './let-go.ts';
import { OWN_ENDINGS } from './outcomes.ts';
import { ring } from './ring.ts';
import { snapshotFor } from './snapshot.ts';

/** The time in which the end of a call is repeated to a node that misses messages. Milliseconds. */
const REPEATED_MS = 10_000;

/** The direct calls, as one kind of session in which devices take part. */
export class DirectCalls implements Participations {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  isLive(id: string): boolean {
    return this.#core.calls.isLive(id);
  }

  isBusy(userId: string): boolean {
    return this.#core.calls.isInCall(userId);
  }

  welcome(device: DeviceId): void {
    const { calls } = this.#core;
    for (const call of calls.ringingFor(device.userId)) ring(this.#core, call, device);
    for (const { call, leg } of calls.liveOf(device)) {
      if (call.state.name === 'ringing') continue;
      notify(this.#core, device, {
        cmd: 'SGNL',
        type: 'snapshot',
        payload: { call_id: call.id, signal_seq: leg.signals.last, signal_snapshot: snapshotFor(call, leg) },
      });
    }
  }

  repeatEnds(isMeant: (device: DeviceId) => boolean): void {
    for (const call of this.#core.calls.endedWithin(REPEATED_MS)) {
      for (const leg of legsOf(call)) {
        const last = isMeant(leg.device) ? leg.signals.newestFrame : undefined;
        if (last && 'end_result' in last.payload) resend(this.#core, leg, last);
      }
    }
  }

  reach(id: string, device: DeviceId): void {
    const call = this.#core.calls.get(id);
    if (call?.state.name === 'ringing' && !legOf(call, device)) ring(this.#core, call, device);
  }

  unended(device: DeviceId): readonly Unended[] {
    return this.#core.calls
      .liveOf(device)
      .map(({ call, leg }) => ({ entry: entryOf(call, leg), isRinging: call.state.name === 'ringing' }));
  }

  signalsOf(id: string, device: DeviceId): SignalLog | null | undefined {
    const call = this.#core.calls.get(id);
    return call && (legOf(call, device)?.signals ?? null);
  }

  loggedIn(device: DeviceId): void {
    for (const { call, leg } of this.#core.calls.liveOf(device)) {
      leg.session = null;
      this.#core.live?.changed(call);
    }
  }

  revokeFormerLogins(userId: string): void {
    for (const call of this.#core.calls.liveWith(userId)) {
      const own = legsOf(call).filter(({ device }) => device.userId === userId);
      for (const leg of own) leg.session = null;
      if (own.length > 0) this.#core.live?.changed(call);
    }
  }

  /** Ends the calls of which the device is a side. A call that only rings there rings on elsewhere. */
  dropDevice(device: DeviceId): void {
    for (const { call, leg } of this.#core.calls.liveOf(device)) if (isSide(call, leg)) this.#stop(call);
  }

  endFor(userId: string): void {
    for (const call of this.#core.calls.liveWith(userId)) this.#stop(call);
  }

  endBetween(userId: string, other: string): void {
    for (const call of this.#core.calls.liveWith(userId)) if (isOf(call, other)) this.#stop(call);
  }

  endAll(): void {
    for (const call of this.#core.calls.live) this.#stop(call);
  }

  letGo(): void {
    const { calls } = this.#core;
    for (const call of calls.live) stopCall(call);
    calls.clear();
  }

  changeRelay(id: string | undefined): void {
    for (const call of this.#core.calls.live) if (id === undefined || call.id === id) changeRelay(this.#core, call);
  }

  #stop(call: Call): void {
    endCall(this.#core, call, OWN_ENDINGS.stopped, null);
  }
}

function entryOf(call: Call, leg: Leg): UnendedCall {
  return {
    call_id: call.id,
    call_type: 'direct',
    user_role: leg.side === 'caller' ? 'dc_caller' : 'dc_callee',
    caller_client_id: call.caller.device.clientId,
    callee_client_id: acceptedLeg(call)?.device.clientId ?? null,
    signal_seq: leg.signals.last,
    signal_snapshot: snapshotFor(call, leg),
  };
}
