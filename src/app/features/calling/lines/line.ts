import type { Clock } from '../../../../common/clock.ts';
import type { Logger } from '../../../core/ports/ports.ts';
import type { ReadableStore } from '../../../../common/store.ts';
import { type ActiveCall, type CallStage, toCallResult } from '../call-state.ts';
import type { LibraryCall } from '../library/calling-library.ts';
import { followCall } from './follow-call.ts';
import { type LineControls, createLineControls } from './line-controls.ts';
import { createLineState } from './line-state.ts';

/** One call of the library as the app shows it. It follows the events of the call and performs its controls. */
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
  setLocalView(element: HTMLMediaElement | null): void;
  setRemoteView(element: HTMLMediaElement | null): void;
}

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

  function finish(stage: CallStage): void {
    if (lineState.isOver()) return;
    lineState.update(() => ({ stage }));
    lineState.close();
    ended(line);
  }

  function setView(method: 'setLocalMediaView' | 'setRemoteMediaView', element: HTMLMediaElement | null): void {
    call[method](element).catch((error: unknown) => logger.warn('a media view was not set', error));
  }

  followCall(call, lineState, clock);
  call.onEnded = () =>
    finish({ name: 'ended', result: toCallResult(call.endResult), durationMs: call.getDuration(), errorCode: null });

  const line: Line = {
    ...createLineControls(call, lineState, logger),
    state: shown,
    isOutgoing: () => shown.get().stage.name === 'outgoing',
    hangUp() {
      lineState.close();
      call.onEnded = null;
      call.end();
    },
    fail: finish,
    async whileDevicesChange(work) {
      await lineState.once('devices', work);
    },
    setLocalView: (element) => setView('setLocalMediaView', element),
    setRemoteView: (element) => setView('setRemoteMediaView', element),
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
