import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { DirectCallRecordOption } from '../../../src/calls/direct-call/record-option.ts';
import type { ActionName } from '../format/actions.ts';
import type { Acted } from '../run/world.ts';
import type { FollowedCalls } from './followed-calls.ts';
import type { Library } from './library.ts';

/** The values of an action, as a step gives them. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Who acts. */
interface Acting {
  readonly library: Library;
  readonly calls: FollowedCalls;
  signIn(): Promise<void>;
}

/** What a person can do, by the names of the library's own methods. */
export const ACTIONS: Readonly<Record<ActionName, (acting: Acting, parameters: Parameters) => Acted>> = {
  signIn: (acting) => ({ done: acting.signIn(), waits: true }),
  signOut: ({ library }) => {
    library.deauthenticate();
    return {};
  },
  dial,
  accept: ({ calls: { inHand } }, { hold = false, ...option }) => {
    inHand.accept({ callOption: option, holdActiveCall: hold as boolean });
    return { value: identified(inHand) };
  },
  end: withCall((call) => call.end()),
  decline: withCall((call) => call.end()),
  cancel: withCall((call) => call.end()),
  mute: withCall((call) => call.muteMicrophone()),
  unmute: withCall((call) => call.unmuteMicrophone()),
  startVideo: withCall((call) => call.startVideo()),
  stopVideo: withCall((call) => call.stopVideo()),
  switchCamera: withCall((call) => call.switchCamera()),
  hold: withCall((call) => call.hold()),
  unhold: withCall((call, { force = false }) => call.unhold(force as boolean)),
  startScreenShare: withCall((call) => call.startScreenShare()),
  stopScreenShare: withCall((call) => call.stopScreenShare()),
  startRecording,
  stopRecording: ({ calls }) => ({ value: calls.inHand.stopRecording(calls.recordingId) }),
  updateItems: withCall((call, { items }) => call.updateCustomItems(items as Record<string, string>)),
  deleteItems: withCall((call, { keys }) => call.deleteCustomItems(keys as string[])),
  deleteAllItems: withCall((call) => call.deleteAllCustomItems()),
  former: ({ calls }) => {
    calls.former();
    return {};
  },
};

function dial({ library, calls }: Acting, parameters: Parameters): Acted {
  const { callee, video = false, hold = false, items, ...option } = parameters;
  let settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  const done = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  done.catch(() => undefined);
  const call = library.dial(
    {
      userId: callee as string,
      isVideoCall: video as boolean,
      callOption: option,
      holdActiveCall: hold as boolean,
      ...(items === undefined ? {} : { customItems: items as Record<string, string> }),
    },
    (_call, error) => {
      if (error) calls.refused(error);
      if (error) settle?.reject(error);
      else settle?.resolve();
    },
  );
  calls.follow(call);
  return { value: identified(call), done };
}

function startRecording({ calls }: Acting, { type = 'remote_audio_and_video', file }: Parameters): Acted {
  const call = calls.inHand;
  calls.recordingId = call.startRecording({
    callId: call.callId,
    recordingType: type as DirectCallRecordOption['recordingType'],
    fileName: file as string | undefined,
  });
  return {};
}

/** What is done with the call in hand; a promise is waited for. */
function withCall(act: (call: DirectCall, parameters: Parameters) => unknown) {
  return ({ calls }: Acting, parameters: Parameters): Acted => {
    const value = act(calls.inHand, parameters);
    return value instanceof Promise ? { done: value, waits: true } : { value };
  };
}

/** What `$call` is: its id is known once the exchange has said it. */
const identified = (call: DirectCall) => ({
  get id() {
    return call.callId;
  },
});
