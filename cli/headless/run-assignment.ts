/** Runs the assignment of a peer host: dials once, or answers. */
import type { Client } from '../../src/calls/client/client.ts';
import type { DirectCall } from '../../src/calls/direct-call/direct-call.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { FollowedCall } from './followed-call.ts';
import type { Assignment, HostEvent } from './messages.ts';
import { failureOf } from '../sign-in-failure.ts';
import { signIn } from './sign-in.ts';
import { createWrtcPlatform, type HeadlessPlatform } from './platform/wrtc-platform.ts';

export interface RunningAssignment {
  /** Accepts the call that rings, or the next one. */
  accept(): void;
  /** Ends the current call. Resolves to false without one. */
  hangUp(): Promise<boolean>;
}

export function runAssignment(
  assignment: Assignment,
  emit: (event: HostEvent) => void,
  log: (line: string) => void,
): RunningAssignment {
  let current: FollowedCall | null = null;
  // The command to accept may arrive before the call rings here.
  let accept = (): void => undefined;
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  const platform = createWrtcPlatform(assignment.media, (level, line) => {
    // Every error of the library belongs in the report, also in a call that succeeds.
    if (level === 'error') current?.failed({ message: line });
    log(line);
  });
  const track = (call: FollowedCall) => {
    current = call;
    void call.ended.then(() => {
      if (current === call) current = null;
    });
  };

  const start = async () => {
    const client = await signIn(assignment, platform);
    platform.onChannel = (isOpen) => emitInOrder({ type: 'channel', isOpen });
    if (assignment.role === 'dial') dial(client, assignment, platform, emitInOrder, track);
    else answer(client, assignment, platform, emitInOrder, track, () => current !== null, accepted);
  };
  // The parent ends this process after the report, so the last request of the library (the summary) is sent first.
  // Events in
  // the meantime are printed after the report.
  let settling: Promise<void> | null = null;
  const emitInOrder = (event: HostEvent) => {
    if (event.type !== 'ended' && !settling) return emit(event);
    const emitted = (settling ?? Promise.resolve())
      .then(() => (event.type === 'ended' ? platform.requestsSettled() : undefined))
      .then(() => emit(event));
    settling = emitted;
    void emitted.then(() => {
      if (settling === emitted) settling = null;
    });
  };
  start().catch((error: unknown) => emit(failure(error, assignment)));

  return {
    accept: () => accept(),
    async hangUp() {
      if (!current) return false;
      await current.hangUp();
      return true;
    },
  };
}

function dial(
  client: Client,
  assignment: Assignment,
  platform: HeadlessPlatform,
  emit: (event: HostEvent) => void,
  track: (call: FollowedCall) => void,
): void {
  const { video, peerId = '' } = assignment;
  const followed = new FollowedCall(assignment, platform, emit);
  const call = client.dial(
    { userId: peerId, isVideoCall: video, callOption: { remoteMediaView: followed.element } },
    (_call, error) => {
      if (error) followed.failed({ code: error.code, name: error.name, message: error.message });
      else followed.dialled();
    },
  );
  // Set only now, because a dial that the library refuses throws.
  emit({ type: 'dialing', peer: peerId, video });
  followed.follow(call);
  track(followed);
}

function answer(
  client: Client,
  assignment: Assignment,
  platform: HeadlessPlatform,
  emit: (event: HostEvent) => void,
  track: (call: FollowedCall) => void,
  isBusy: () => boolean,
  accepted: Promise<void>,
): void {
  const wait = () => emit({ type: 'waiting', userId: assignment.userId });

  const ring = (call: DirectCall) => {
    if (assignment.callId !== undefined && call.callId !== assignment.callId) return;
    // One call at a time: a second caller receives busy.
    if (isBusy()) return call.end();
    const followed = new FollowedCall(assignment, platform, emit);
    followed.follow(call);
    track(followed);
    emit({ type: 'incoming', peer: call.remoteUser.userId, video: call.isVideoCall });
    if (assignment.reaction === 'wait') void accepted.then(() => react(call, followed, assignment));
    else if (assignment.reaction !== 'ignore') {
      platform.clock.after(assignment.reactAfterMs ?? 0, () => react(call, followed, assignment));
    }
    if (assignment.keep) void followed.ended.then(() => (isOut ? emit(putOut(assignment)) : wait()));
  };
  let isOut = false;
  const onSessionLost = () => {
    isOut = true;
    // A connected call goes on without the exchange.
    if (!isBusy()) emit(putOut(assignment));
  };
  client.addListener('headless', { onRinging: ring, onSessionLost });
  wait();
}

/** Reports that the exchange refuses this user after a restart or a change of its users. */
function putOut({ userId }: Assignment): HostEvent {
  const { code, name, message } = new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
  const text = `The exchange no longer admits ${userId} (${code}). Choose a known user with --as, or set RINGBACK_TOKEN.`;
  return { type: 'failed', cause: 'refused', message: text, error: { code, name, message } };
}

function react(call: DirectCall, followed: FollowedCall, assignment: Assignment): void {
  if (call.isEnded) return;
  if (assignment.reaction === 'decline') call.end();
  else {
    call.accept({ callOption: { remoteMediaView: followed.element, videoEnabled: assignment.video } });
  }
}

function failure(error: unknown, { userId }: Assignment): HostEvent {
  const failed = failureOf(error, 'The call');
  const isSelf = error instanceof CallError && error.code === ErrorCode.MY_USER_ID_NOT_ALLOWED;
  return isSelf ? { ...failed, message: `${userId} cannot dial ${userId}: choose another user with --as.` } : failed;
}
