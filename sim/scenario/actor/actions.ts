import type { Client } from '../../../src/calls/client/client.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { DirectCallRecordOption } from '../../../src/calls/direct-call/record-option.ts';
import type { RoomFunctions } from '../../../src/calls/client/room-functions.ts';
import type { ActionName } from '../format/actions.ts';
import type { Acted, Parameters } from '../run/world.ts';
import type { ItemHolder, MediaControls, Participation, Participations } from './participations.ts';
import { readCall } from './read-call.ts';
import { ROOM_ACTIONS } from './room-actions.ts';
import type { UserRooms } from './user-rooms.ts';

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
> &
  RoomFunctions;

/** The library of the acting user, and what the user takes part in. */
export interface Acting {
  readonly library: Library;
  readonly participations: Participations;
  readonly rooms: UserRooms;
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
  end,
  decline: end,
  cancel: end,
  mute: changes('localAudio', (media) => media.muteMicrophone()),
  unmute: changes('localAudio', (media) => media.unmuteMicrophone()),
  startVideo: changes('localVideo', (media) => media.startVideo()),
  stopVideo: changes('localVideo', (media) => media.stopVideo()),
  switchCamera: asks((call) => call.switchCamera()),
  hold: unlessOver((call) => call.hold()),
  unhold: unlessOver((call, { force = false }) => call.unhold(force as boolean)),
  startScreenShare: ({ participations }) => waiting(participations.present.controls.startScreenShare()),
  stopScreenShare: changes('sharing', (media) => media.stopScreenShare()),
  startRecording,
  stopRecording: ({ participations }) => {
    const value = participations.call.stopRecording(participations.recordingId);
    return { value, ...(value ? {} : { idle: 'nothing is recorded' }) };
  },
  updateItems: changesItems((holder, { items }) => holder.updateCustomItems(items as Record<string, string>)),
  deleteItems: changesItems((holder, { keys }) => holder.deleteCustomItems(keys as string[])),
  deleteAllItems: changesItems((holder) => holder.deleteAllCustomItems()),
  former: ({ participations }) => (participations.former() ? {} : { idle: 'there is no other call' }),
  ...ROOM_ACTIONS,
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
  return ({ participations }: Acting, parameters: Parameters): Acted => waiting(ask(participations.call, parameters));
}

const waiting = (done: Promise<unknown>): Acted => ({ done, waits: true });

/** Returns an action that changes the custom items of the current call or room. The step waits for the answer. */
function changesItems(change: (holder: ItemHolder, parameters: Parameters) => Promise<unknown>) {
  return ({ participations }: Acting, parameters: Parameters): Acted =>
    waiting(change(participations.present.items, parameters));
}

/** Works as {@link asks}, for actions that have no effect once the call is over. */
function unlessOver(ask: (call: DirectCall, parameters: Parameters) => Promise<unknown>) {
  return (acting: Acting, parameters: Parameters): Acted => {
    const idle = acting.participations.call.isEnded ? { idle: 'the call is over' } : {};
    return { ...asks(ask)(acting, parameters), ...idle };
  };
}

/** Ends the current call. */
function end({ participations: { call } }: Acting): Acted {
  const before = String(readCall(call, 'state'));
  call.end();
  return String(readCall(call, 'state')) === before ? { idle: `the call is ${before}` } : {};
}

/** Returns an action that changes `what` of the current call or room at once. Without a change it had no effect. */
function changes(what: 'localAudio' | 'localVideo' | 'sharing', act: (media: MediaControls) => void) {
  return ({ participations: { present } }: Acting): Acted => {
    const valueOf = (participation: Participation, word: string) => String(participation.read(word));
    const [state, before] = [valueOf(present, 'state'), valueOf(present, what)];
    act(present.controls);
    return valueOf(present, what) === before ? { idle: `${what} stays ${before}, in ${state}` } : {};
  };
}

/** Returns the value of `$call`. Its id is known once the exchange has assigned it. */
const identified = (call: DirectCall) => ({
  get id() {
    return call.callId;
  },
});
