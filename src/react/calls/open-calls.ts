import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../session/session-ports.ts';
import type { Store } from '../../common/store.ts';
import type { ActiveCall, CallsState } from './call-state.ts';
import type { LibraryCall } from '../library/calling-library.ts';
import { type Line, createLine } from './line.ts';

/** The calls that have not ended, one of them in front, and the summary of an ended call. */
export interface OpenCalls {
  /** Returns the call in front. Undefined without one, and while a summary is in front. */
  front(): Line | undefined;
  isEmpty(): boolean;
  find(key: string): Line | undefined;
  /** Adds a call and brings it to the front. */
  adopt(call: LibraryCall, begun: ActiveCall): Line;
  /** Shows the summary of an ended call in front of the held calls. */
  show(summary: ActiveCall): void;
  /** Ends the calls for which `ends` returns true, and shows no summary. */
  hangUp(ends: (line: Line) => boolean): void;
  /** Ends or cancels the call in front. Dismisses the summary when that call has ended. */
  end(): void;
  dismissSummary(): void;
  /** Brings a held call to the front and resumes it. Holds the call that was in front. */
  switchTo(key: string): Promise<void>;
  /** Drops every call without ending it. */
  clear(): void;
}

interface Dependencies {
  /** The calls of the page, which the open calls keep up to date. */
  readonly state: Store<CallsState>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the list of open calls, which is empty. */
export function createOpenCalls({ state, clock, logger }: Dependencies): OpenCalls {
  const stack = createLineStack(state);

  function ended(line: Line): void {
    if (!stack.has(line)) return;
    const wasFront = line === stack.front();
    stack.remove(line);
    if (wasFront) stack.show(line.state.get());
    else stack.publish();
  }

  function hangUp(line: Line): void {
    stack.remove(line);
    line.hangUp();
  }

  const find = (key: string): Line | undefined => stack.lines().find((line) => line.state.get().key === key);

  return {
    front: stack.front,
    isEmpty: () => stack.lines().length === 0,
    find,
    adopt(call, begun) {
      const line = createLine(call, begun, { clock, logger, ended });
      line.state.subscribe(() => {
        if (stack.has(line)) stack.publish();
      });
      stack.bringToFront(line);
      return line;
    },
    show: stack.show,
    hangUp: (ends) => stack.lines().filter(ends).forEach(hangUp),
    end() {
      const line = stack.front();
      // The view closes at once (app-shell §4): the user who ends a call does not need its summary.
      if (line !== undefined) hangUp(line);
      stack.showNext();
    },
    dismissSummary() {
      if (stack.front() === undefined) stack.showNext();
    },
    async switchTo(key) {
      const line = find(key);
      const front = stack.front();
      if (line === undefined || line === front) return;
      if (front !== undefined && !(await front.hold())) return;
      if (!stack.has(line)) return;
      stack.bringToFront(line);
      await line.resume();
    },
    clear() {
      for (const line of stack.lines()) line.drop();
      stack.clear();
    },
  };
}

/** Creates the stack of the calls that have not ended, which publishes one in front and the others as held. */
function createLineStack(state: Store<CallsState>) {
  /** The most recently used call is last. */
  let lines: readonly Line[] = [];
  let front: Line | undefined;

  /** Publishes the calls. A summary in front stays until the user dismisses it. */
  function publish(): void {
    state.update((current) => ({
      ...current,
      active: front?.state.get() ?? current.active,
      held: lines.filter((line) => line !== front).map((line) => line.state.get()),
    }));
  }

  /** Brings a call to the front. A call that is not in the stack is added. */
  function bringToFront(line: Line): void {
    front = line;
    lines = [...lines.filter((other) => other !== line), line];
    state.update((current) => ({ ...current, missed: null }));
    publish();
  }

  return {
    lines: () => lines,
    front: () => front,
    has: (line: Line) => lines.includes(line),
    publish,
    bringToFront,
    /** Removes a call. The caller publishes the change. */
    remove(line: Line): void {
      lines = lines.filter((other) => other !== line);
      if (front === line) front = undefined;
    },
    /** Shows the summary of an ended call in front. */
    show(summary: ActiveCall): void {
      front = undefined;
      state.update((current) => ({ ...current, active: summary, missed: null }));
      publish();
    },
    /**
     * Brings the last held call to the front, if any. It stays on hold: only the user resumes it, which opens
     * microphone and camera.
     */
    showNext(): void {
      const next = lines.at(-1);
      state.update((current) => ({ ...current, active: null }));
      if (next === undefined) publish();
      else bringToFront(next);
    },
    clear(): void {
      lines = [];
      front = undefined;
    },
  };
}
