import { CallError, ErrorCode } from '../../protocol/errors.ts';

export interface HoldPorts {
  readonly call: { isUnderWay(): boolean; isOver(): boolean };
  /** Sends the hold to the exchange. Rejects as the request does. */
  request(onHold: boolean): Promise<unknown>;
  /** Silences both directions while a user holds the call, and opens them again. */
  silence(onHold: boolean): void;
  changed(isLocalUser: boolean, isOnHold: boolean): void;
  /** Returns whether another call of this user is active and not held by this user. */
  otherCallIsActive(): boolean;
  endOtherCalls(): void;
}

/** The hold of a call by either user. The call is on hold if one of them holds it (§4). */
export class Hold {
  readonly #ports: HoldPorts;
  #local = false;
  #remote = false;

  constructor(ports: HoldPorts) {
    this.#ports = ports;
  }

  get isOnHold(): boolean {
    return this.#local || this.#remote;
  }

  get isHeldHere(): boolean {
    return this.#local;
  }

  /**
   * Holds the call.
   * @throws CallError `ERR_CALL_ALREADY_ON_HOLD` when this side holds already. `ERR_INVALID_CALL_STATUS` before the
   *   call is established, as the exchange would.
   */
  async hold(): Promise<void> {
    const { call } = this.#ports;
    if (call.isOver()) return;
    if (this.#local) throw new CallError(ErrorCode.ERR_CALL_ALREADY_ON_HOLD);
    if (!call.isUnderWay())
      throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS, { message: 'Only an established call can be held.' });
    this.#set('local', true);
    await this.#request(true);
  }

  /**
   * Resumes the call.
   * @throws CallError `ERR_ACTIVE_CALL_IN_PROGRESS` when this side does not hold. `ERR_ANOTHER_CALL_IN_PROGRESS` when
   *   another call is active, unless `force`, which ends the others.
   */
  async unhold(force: boolean): Promise<void> {
    if (this.#ports.call.isOver()) return;
    if (!this.#local) throw new CallError(ErrorCode.ERR_ACTIVE_CALL_IN_PROGRESS);
    if (this.#ports.otherCallIsActive()) {
      if (!force) throw new CallError(ErrorCode.ERR_ANOTHER_CALL_IN_PROGRESS);
      this.#ports.endOtherCalls();
    }
    this.#set('local', false);
    await this.#request(false);
  }

  /** Handles a hold or its end by the other side. */
  remote(onHold: boolean): void {
    if (this.#remote !== onHold) this.#set('remote', onHold);
  }

  async #request(onHold: boolean): Promise<void> {
    try {
      await this.#ports.request(onHold);
    } catch (error) {
      if (this.#ports.call.isOver()) return;
      this.#set('local', !onHold);
      throw error;
    }
  }

  #set(side: 'local' | 'remote', onHold: boolean): void {
    if (side === 'local') this.#local = onHold;
    else this.#remote = onHold;
    this.#ports.silence(this.isOnHold);
    this.#ports.changed(side === 'local', onHold);
  }
}
