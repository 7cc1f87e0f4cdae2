import { type ReadableStore, createStore } from '../../common/store.ts';
import type { ActiveCall, BusyControl } from './call-state.ts';
import type { LibraryCall } from '../library/calling-library.ts';

/** A change of the state of a call: the fields that get other values. */
export type LineChange = (active: ActiveCall) => Partial<ActiveCall>;

/** The state of a line until its end. After the end it does not change. */
export interface LineState {
  readonly shown: ReadableStore<ActiveCall>;
  isOver(): boolean;
  update(change: LineChange): void;
  /** Runs one action of a control at a time. Another press during it has no effect. */
  once<Value>(control: BusyControl, work: () => Promise<Value>): Promise<Value | undefined>;
  close(): void;
}

export function createLineState(call: Pick<LibraryCall, 'callId'>, initial: ActiveCall): LineState {
  const shown = createStore(initial);
  let isOver = false;

  function update(change: LineChange): void {
    if (!isOver) shown.update((active) => ({ ...active, callId: call.callId, ...change(active) }));
  }

  return {
    shown,
    isOver: () => isOver,
    update,
    async once(control, work) {
      if (isOver || shown.get().busy.includes(control)) return undefined;
      update(({ busy }) => ({ busy: [...busy, control] }));
      try {
        return await work();
      } finally {
        update(({ busy }) => ({ busy: busy.filter((other) => other !== control) }));
      }
    },
    close: () => void (isOver = true),
  };
}
