import type { Logger } from '../session/session-ports.ts';
import type { ActiveCall, CallKind, CallStage } from './call-state.ts';
import type { CallingLibrary } from '../library/calling-library.ts';
import type { Line } from './line.ts';
import type { OpenCalls } from './open-calls.ts';

/**
 * Dials a call and brings it to the front. A failure is logged and shown as a summary.
 *
 * @param library - undefined until the session has loaded it.
 */
export function dialCall(
  library: CallingLibrary | undefined,
  begun: ActiveCall,
  calls: Pick<OpenCalls, 'adopt' | 'show'>,
  logger: Logger,
): void {
  if (library === undefined) {
    logger.error('a call was dialled before the calling service had started');
    calls.show({ ...begun, stage: dialFailed() });
    return;
  }
  const { kind, party } = begun;
  let line: Line | undefined;
  let refusal: CallStage | undefined;
  try {
    const call = library.dial(
      { userId: party.userId, isVideoCall: kind === 'video', callOption: bothOn(kind) },
      (_call, error) => {
        if (error === undefined || error === null) return;
        logger.error('dialling failed', error);
        refusal = dialFailed(error.code);
        line?.fail(refusal);
      },
    );
    line = calls.adopt(call, begun);
    if (refusal !== undefined) line.fail(refusal);
  } catch (error) {
    logger.error('dialling failed', error);
    calls.show({ ...begun, stage: dialFailed() });
  }
}

/** Returns the media of a call at its start: the microphone, and the camera of a video call. */
export function bothOn(kind: CallKind): { audioEnabled: boolean; videoEnabled: boolean } {
  return { audioEnabled: true, videoEnabled: kind === 'video' };
}

function dialFailed(errorCode?: number): CallStage {
  return { name: 'ended', result: 'dial_failed', durationMs: 0, errorCode: errorCode ?? null };
}
