import type { Client } from '../../../src/calls/client/client.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { DirectCallRecordOption } from '../../../src/calls/direct-call/record-option.ts';
import type { ActionName } from '../format/actions.ts';
import type { Acted } from '../run/world.ts';
import type { Participations } from './participations.ts';
import { readCall } from './read-call.ts';

/** The parts of the library that users of a scenario need, from any copy of it. */
export type Library = Pick<
  Client,
  | 'addListener'
  | 'authenticate'
  | 'connectWebSocket'
  | 'currentUser'
  | 'deauthenticate'
  | 'dial'
  | 'getOngoingCallCount'
  | 'setCallConnectionTimeout'
  | 'setRingingTimeout'
>;

/** The parameters of an action, from its step. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The library of the acting user, and what the user takes part in. */
interface Acting {
  readonly library: Library;
  readonly participations: Participations;
  signIn(): Promise<void>;
}

/** The actions of a user, by the names of the library's methods. */
export const ACTIONS: Readonly<Record<ActionName, (acting: Acting, parameters: Parameters) => Acted>> = {
  signIn: (acting) => ({ done: acting.signIn(), waits: true }),
  signOut: ({ library }) => {
    const idle = library.currentUser ? {} : { idle: 'no user is signed in' };
    library.deauthenticate();
    return idle;
  },
  dial,
  accept: ({ participations: { call } }, { hold = false, ...option }) => {
    const before = String(readCall(call, 'state'));
    call.accept({ callOption: option, holdActiveCall: hold as boolean });
    const idle = readCall(call, 'state') === before ? { idle: `accept in ${before}: nothing to accept` } : {};
    return { value: identified(call), ...idle };
  },
  end: changes('state', (call) => call.end()),
  decline: changes('state', (call) => call.end()),
  cancel: changes('state', (call) => call.end()),
  mute: changes('localAudio', (call) => call.muteMicrophone()),
  unmute: changes('localAudio', (call) => call.unmuteMicrophone()),
  startVideo: changes('localVideo', (call) => call.startVideo()),
  stopVideo: changes('localVideo', (call) => call.stopVideo()),
  switchCamera: asks((call) => call.switchCamera()),
  hold: unlessOver((call) => call.hold()),
  unhold: unlessOver((call, { force = false }) => call.unhold(force as boolean)),
  startScreenShare: asks((call) => call.startScreenShare()),
  stopScreenShare: changes('sharing', (call) => call.stopScreenShare()),
  startRecording,
  stopRecording: ({ participations }) => {
    const value = participations.call.stopRecording(participations.recordingId);
    return { value, ...(value ? {} : { idle: 'nothing is recorded' }) };
  },
  updateItems: asks((call, { items }) => call.updateCustomItems(items as Record<string, string>)),
  deleteItems: asks((call, { keys }) => call.deleteCustomItems(keys as string[])),
  deleteAllItems: asks((call) => call.deleteAllCustomItems()),
  former: ({ participations }) => (participations.former() ? {} : { idle: 'there is no other call' }),
};

function dial({ library, participations }: Acting, parameters: Parameters): Acted {
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
      if (error) participations.addRefusal(error);
      if (error) settle?.reject(error);
      else settle?.resolve();
    },
  );
  participations.addCall(call);
  return { value: identified(call), done };
}

function startRecording({ participations }: Acting, { type = 'remote_audio_and_video', file }: Parameters): Acted {
  const { call } = participations;
  participations.recordingId = call.startRecording({
    callId: call.callId,
    recordingType: type as DirectCallRecordOption['recordingType'],
    fileName: file as string | undefined,
  });
  return {};
}

/** Returns an action that sends a request about the current call. The step waits for the answer. */
function asks(ask: (call: DirectCall, parameters: Parameters) => Promise<unknown>) {
  return ({ participations }: Acting, parameters: Parameters): Acted => ({
    done: ask(participations.call, parameters),
    waits: true,
  });
}

/** Works as {@link asks}, for actions that have no effect once the call is over. */
function unlessOver(ask: (call: DirectCall, parameters: Parameters) => Promise<unknown>) {
  return (acting: Acting, parameters: Parameters): Acted => {
    const idle = acting.participations.call.isEnded ? { idle: 'the call is over' } : {};
    return { ...asks(ask)(acting, parameters), ...idle };
  };
}

/** Returns an action that changes `what` of the current call at once. Without a change it had no effect. */
function changes(what: 'state' | 'localAudio' | 'localVideo' | 'sharing', act: (call: DirectCall) => void) {
  return ({ participations: { call } }: Acting): Acted => {
    const [state, before] = [String(readCall(call, 'state')), String(readCall(call, what))];
    act(call);
    return String(readCall(call, what)) === before
      ? { idle: what === 'state' ? `the call is ${state}` : `${what} stays ${before}, in ${state}` }
      : {};
  };
}

/** Returns the value of `$call`. Its id is known once the exchange has assigned it. */
const identified = (call: DirectCall) => ({
  get id() {
    return call.callId;
  },
});
