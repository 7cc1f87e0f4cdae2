import type { Store } from '../../common/store.ts';
import { type CallParty, type CallsState, type IncomingCall, toCallResult } from './call-state.ts';
import type { LibraryCall } from '../library/calling-library.ts';
import type { LibraryUser } from '../library/library-values.ts';

/** A ringing call of the library, and its state. */
interface RingingCall {
  readonly call: LibraryCall;
  readonly shown: IncomingCall;
}

/** The calls that ring on this device. */
export interface RingingCalls {
  add(call: LibraryCall): void;
  find(callId: string): RingingCall | undefined;
  /** Removes a call that is answered here. */
  remove(callId: string): void;
  decline(callId: string): void;
  /** Drops every call without declining it. */
  clear(): void;
}

/** Creates the list of ringing calls, which is empty. It keeps the calls of the page up to date. */
export function createRingingCalls(state: Store<CallsState>): RingingCalls {
  const ringing = new Map<string, LibraryCall>();

  const shownOf = (callId: string): IncomingCall | undefined =>
    state.get().incoming.find((incoming) => incoming.callId === callId);

  /** Handles the end of a call that was not answered here. */
  function ended(call: LibraryCall): void {
    const result = toCallResult(call.endResult);
    const missed = result === 'canceled' || result === 'no_answer';
    const shown = shownOf(call.callId);
    remove(call.callId);
    if (missed && shown !== undefined) state.update((current) => ({ ...current, missed: shown }));
  }

  function remove(callId: string): void {
    ringing.delete(callId);
    state.update((current) => ({
      ...current,
      incoming: current.incoming.filter((incoming) => incoming.callId !== callId),
    }));
  }

  return {
    add(call) {
      ringing.set(call.callId, call);
      call.onEnded = () => ended(call);
      state.update((current) => ({
        ...current,
        incoming: [
          ...current.incoming,
          { callId: call.callId, kind: call.isVideoCall ? 'video' : 'voice', party: partyOf(call.caller) },
        ],
      }));
    },
    find(callId) {
      const call = ringing.get(callId);
      const shown = shownOf(callId);
      return call === undefined || shown === undefined ? undefined : { call, shown };
    },
    remove,
    decline(callId) {
      const call = ringing.get(callId);
      remove(callId);
      if (call === undefined) return;
      call.onEnded = null;
      call.end();
    },
    clear() {
      for (const call of ringing.values()) call.onEnded = null;
      ringing.clear();
    },
  };
}

function partyOf(user: LibraryUser | undefined): CallParty {
  return {
    userId: user?.userId ?? '',
    nickname: user?.nickname ?? '',
    profileUrl: user?.profileUrl ?? '',
  };
}
