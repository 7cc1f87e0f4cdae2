import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../session/session-ports.ts';
import type { ReadableStore } from '../../common/store.ts';
import { type ActiveCall, type CallStage, toCallResult } from './call-state.ts';
import type { LibraryCall } from '../library/calling-library.ts';
import { followCall } from './follow-call.ts';
import { type LineControls, createLineControls } from './line-controls.ts';
import { createLineState } from './line-state.ts';

/** One call of the library. It follows the events of the call and performs its controls. */
export interface Line extends LineControls {
  readonly state: ReadableStore<ActiveCall>;
  /** Returns true for a dialled call without an answer. It can be canceled and cannot be held. */
  isOutgoing(): boolean;
  /** Ends the call without calling `ended`. */
  hangUp(): void;
  /** Ends the call with a reason that the library's call does not have. */
  fail(stage: CallStage): void;
  /** Marks the devices as busy until `work` settles. */
  whileDevicesChange(work: () => Promise<void>): Promise<void>;
  /** Shows the picture of this user, or plays the other user, in an element. Returns the function that ends this. */
  show(side: CallSide, element: HTMLMediaElement): () => void;
  /** Stops following the call, which continues. */
  drop(): void;
}

/** The media of a call: that of this user, or that of the other user. */
export type CallSide = 'local' | 'remote';

interface Surroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the call has ended, except by {@link Line.hangUp}. */
  ended(line: Line): void;
}

/** Creates the line of a call of the library. */
export function createLine(call: LibraryCall, initial: ActiveCall, { clock, logger, ended }: Surroundings): Line {
  const lineState = createLineState(call, initial);
  const { shown } = lineState;

  function drop(): void {
    lineState.close();
    unfollow();
    call.onEnded = null;
  }

  function finish(stage: CallStage): void {
    if (lineState.isOver()) return;
    lineState.update(() => ({ stage }));
    drop();
    ended(line);
  }

  /** The last `show` of each side. In strict mode React shows the same element twice. */
  const last: { [Side in CallSide]?: symbol } = {};

  function setView(side: CallSide, element: HTMLMediaElement | null): void {
    const method = side === 'local' ? 'setLocalMediaView' : 'setRemoteMediaView';
    call[method](element).catch((error: unknown) => logger.warn('a media view was not set', error));
  }

  const unfollow = followCall(call, lineState, clock);
  call.onEnded = () =>
    finish({ name: 'ended', result: toCallResult(call.endResult), durationMs: call.getDuration(), errorCode: null });

  const line: Line = {
    ...createLineControls(call, lineState, logger),
    state: shown,
    isOutgoing: () => shown.get().stage.name === 'outgoing',
    hangUp() {
      drop();
      call.end();
    },
    fail: finish,
    async whileDevicesChange(work) {
      await lineState.once('devices', work);
    },
    show(side, element) {
      const mine = (last[side] = Symbol(side));
      setView(side, element);
      // Media moves from one element to another within one change of the page. Without the wait, the library would stop
      // it in between.
      return () => void Promise.resolve().then(() => last[side] === mine && setView(side, null));
    },
    drop,
  };
  return line;
}

/** Returns the state of a new call. */
export function newCall(
  facts: Pick<ActiveCall, 'key' | 'role' | 'kind' | 'party' | 'stage'> & { readonly callId?: string },
): ActiveCall {
  return {
    callId: '',
    ...facts,
    microphoneOn: true,
    cameraOn: true,
    missing: {},
    facing: 'user',
    busy: [],
    hold: { here: false, there: false },
    sharingScreen: false,
    quality: null,
    remoteMicrophoneOn: true,
    remoteCameraOn: facts.kind === 'video',
  };
}
