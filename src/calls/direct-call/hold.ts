import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface HoldPorts {
  /** Returns where the call is in its life. */
  call(): Pick<Lifecycle, 'isUnderWay' | 'isOver'>;
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
export interface Hold {
  readonly isOnHold: boolean;
  readonly isHeldHere: boolean;
  /**
   * Holds the call.
   * @throws CallError `ERR_CALL_ALREADY_ON_HOLD` when this side holds already. `ERR_INVALID_CALL_STATUS` before the
   *   call is established, as the exchange would.
   */
  hold(): Promise<void>;
  /**
   * Resumes the call.
   * @throws CallError `ERR_ACTIVE_CALL_IN_PROGRESS` when this side does not hold. `ERR_ANOTHER_CALL_IN_PROGRESS` when
   *   another call is active, unless `force`, which ends the others.
   */
  unhold(force: boolean): Promise<void>;
  /** Handles a hold or its end by the other side. */
  remote(onHold: boolean): void;
}

/** Returns the hold of a call that no user holds yet. */
export function callHold(ports: HoldPorts): Hold {
  const held = { local: false, remote: false };
  const isOnHold = () => held.local || held.remote;

  const set = (side: 'local' | 'remote', onHold: boolean) => {
    held[side] = onHold;
    ports.silence(isOnHold());
    ports.changed(side === 'local', onHold);
  };

  const setHere = async (onHold: boolean) => {
    set('local', onHold);
    try {
      await ports.request(onHold);
    } catch (error) {
      if (ports.call().isOver) return;
      set('local', !onHold);
      throw error;
    }
  };

  return {
    get isOnHold() {
      return isOnHold();
    },
    get isHeldHere() {
      return held.local;
    },
    hold: async () => {
      if (ports.call().isOver) return;
      if (held.local) throw new CallError(ErrorCode.ERR_CALL_ALREADY_ON_HOLD);
      if (!ports.call().isUnderWay)
        throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS, { message: 'Only an established call can be held.' });
      await setHere(true);
    },
    unhold: async (force) => {
      if (ports.call().isOver) return;
      if (!held.local) throw new CallError(ErrorCode.ERR_ACTIVE_CALL_IN_PROGRESS);
      if (ports.otherCallIsActive()) {
        if (!force) throw new CallError(ErrorCode.ERR_ANOTHER_CALL_IN_PROGRESS);
        ports.endOtherCalls();
      }
      await setHere(false);
    },
    remote: (onHold) => {
      if (held.remote !== onHold) set('remote', onHold);
    },
  };
}
