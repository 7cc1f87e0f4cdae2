/** The commands of a device as events: most are actions of a user, some the library sends by itself. */
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { type CallStory, isHeld, legOf, type Leg, wantedMedia } from './calls.ts';
import { type Command, type Payload, textOf } from './facts.ts';
import type { StoryBuilder } from './story-builder.ts';

/** The time from the establishment of a call to a media state that is sent at once: a round trip. Milliseconds. */
const ESTABLISHING_MS = 250;
/** A reaction that is faster than this is no deliberate action. Milliseconds. */
const RACE_MS = 50;
const ENDED_BY_HAND = ['end', 'cancel', 'decline'];
const RESULTS: Readonly<Record<string, string>> = {
  cancel: 'canceled',
  decline: 'declined',
  no_answer: 'no_answer',
  timeout: 'timed_out',
  connection_lost: 'connection_lost',
};
const TIMERS: Readonly<Record<string, 'ring' | 'connection'>> = { no_answer: 'ring', timeout: 'connection' };

export function addCommand(story: StoryBuilder, command: Command): void {
  const { type, device, at, callId, reply } = command;
  if (type === 'dial') return dial(story, command);
  const call = story.calls.get(callId);
  if (!call) return story.stranger(callId);
  const leg = legOf(call, device);
  switch (type) {
    case 'accept':
      return accept(story, call, leg, command);
    case 'cancel':
    case 'decline':
    case 'end':
      hangUp(story, call, leg, command);
      return ended(story, call, leg, command);
    case 'no_answer':
    case 'timeout':
    case 'connection_lost':
      return ended(story, call, leg, command);
    case 'connected':
      if (command.payload['reconnect'] === true) return;
      leg.connectedAt = at;
      return story.see(call, leg, at, { state: 'connected' });
    case 'audio':
    case 'video':
      return media(story, call, leg, { command, kind: type });
    case 'hold':
      return hold(story, call, leg, command);
    case 'recording':
      return record(story, call, leg, command);
    case 'offer':
    case 'answer':
      leg.isDescribed = true;
      return;
    default:
      if (reply?.error === undefined) story.notes.add(`The command ${type} has no action in a scenario.`);
  }
}

function dial(story: StoryBuilder, command: Command): void {
  const { at, device, callId, payload, reply } = command;
  const { users, calls } = story;
  const callee = textOf(payload['callee_id']);
  const error = reply?.error;
  // A callee needs an actor, unless the user does not exist.
  if (error !== ErrorCode.ERR_CALLEE_DOES_NOT_EXIST) users.actorOf(callee);
  const call: CallStory = {
    id: callId === '' ? `unacknowledged ${at}` : callId,
    dial: command,
    callee,
    legs: new Map(),
  };
  calls.add(call);
  const leg = legOf(call, device, wantedMedia(payload['constraints']));
  const { custom_items: items } = payload;
  story.events.push({
    kind: 'act',
    at,
    device,
    action: 'dial',
    callId: call.id,
    with: {
      callee,
      ...(isVideo(call) ? { video: true } : {}),
      ...options(story, call, leg, at),
      ...(items === undefined ? {} : { items }),
    },
    ...(error === undefined ? {} : { fails: error }),
  });
  if (!reply) return;
  if (error !== undefined) leg.over = { at: reply.at, how: 'notified' };
  story.see(call, leg, reply.at, error === undefined ? { state: 'dialing' } : { result: 'dial_failed' });
}

function accept(story: StoryBuilder, call: CallStory, leg: Leg, command: Command): void {
  const { at, payload, reply } = command;
  Object.assign(leg.on, wantedMedia(payload['constraints']));
  const values = options(story, call, leg, at);
  story.act(call, leg, command, { action: 'accept', ...(Object.keys(values).length > 0 ? { with: values } : {}) });
  if (!reply) return;
  if (reply.error === undefined) call.accept = command;
  else if (!leg.over) {
    leg.over = { at: reply.at, how: 'refused' };
    story.see(call, leg, reply.at, { result: 'accept_failed' });
  }
}

const isVideo = (call: CallStory): boolean => call.dial.payload['is_video_call'] === true;

/**
 * Returns the options of a dial or an accept: the media that is off, and whether other calls of the device are held,
 * not ended.
 */
function options(story: StoryBuilder, call: CallStory, { device, on }: Leg, at: number): Payload {
  const held = story.takeBack(call.id, device, at, ['hold']);
  story.takeBack(call.id, device, at, ENDED_BY_HAND);
  const isHolding = held || story.calls.othersOf(device, call.id).length > 0;
  return {
    ...(isHolding ? { hold: true } : {}),
    ...(on.audio ? {} : { audioEnabled: false }),
    ...(isVideo(call) && !on.video ? { videoEnabled: false } : {}),
  };
}

/** Returns whether a leg that ends its call had media. Its report of that may be lost. */
const hadMedia = (leg: Leg, { payload }: Command): boolean =>
  leg.connectedAt !== undefined || payload['was_connected'] === true;

function hangUp(story: StoryBuilder, call: CallStory, leg: Leg, command: Command): void {
  const { at, type: action } = command;
  const accepted = call.accept?.reply?.at;
  const isEarly = action === 'end' && accepted !== undefined && !hadMedia(leg, command) && !leg.over;
  if (!isEarly) return story.act(call, leg, command, { action });
  // A user who hangs up before media flows knew of the accept.
  story.see(call, leg, accepted, { state: 'established' });
  const comment = 'It happened at the moment of the accept: in another run the order may differ.';
  story.act(call, leg, command, { action, ...(at - accepted < RACE_MS ? { comment } : {}) });
}

function ended(story: StoryBuilder, call: CallStory, leg: Leg, command: Command): void {
  const { at, type } = command;
  call.ending ??= command;
  if (leg.over) return;
  leg.over = { at, how: 'own' };
  const result = RESULTS[type] ?? (hadMedia(leg, command) ? 'completed' : 'not_connected');
  story.see(call, leg, at, { result }, TIMERS[type]);
}

interface MediaCommand {
  readonly command: Command;
  readonly kind: 'audio' | 'video';
}

/**
 * Handles a media state. One that changed before the call was established is sent then, before a description. A later
 * one is an action.
 */
function media(story: StoryBuilder, call: CallStory, leg: Leg, { command, kind }: MediaCommand): void {
  const is = command.payload['is_enabled'] === true;
  const isFirst = !leg.reportedMedia.has(kind);
  leg.reportedMedia.add(kind);
  if (leg.on[kind] === is || leg.over) return;
  leg.on[kind] = is;
  const action = kind === 'audio' ? (is ? 'unmute' : 'mute') : is ? 'startVideo' : 'stopVideo';
  const established = call.accept?.reply?.at ?? command.at;
  if (!isFirst || leg.isDescribed || command.at - established >= ESTABLISHING_MS)
    return story.act(call, leg, command, { action });
  const dialled = leg.device === call.dial.device ? call.dial.reply?.at : undefined;
  story.events.push({
    kind: 'act',
    at: dialled ?? command.at,
    device: leg.device,
    action,
    callId: call.id,
    comment: 'It happened before the call was established. The trace does not show exactly when.',
  });
}

function hold(story: StoryBuilder, call: CallStory, leg: Leg, command: Command): void {
  const { at, device, payload, reply } = command;
  const is = payload['is_on_hold'] === true;
  const force = !is && story.takeBack(call.id, device, at, ENDED_BY_HAND);
  const fails = reply?.error;
  story.act(call, leg, command, {
    action: is ? 'hold' : 'unhold',
    ...(force ? { with: { force: true } } : {}),
    ...(fails === undefined ? {} : { fails }),
  });
  if (fails !== undefined) return;
  leg.holds = is;
  story.see(call, leg, reply?.at ?? at, { onHold: isHeld(call) });
}

function record(story: StoryBuilder, call: CallStory, leg: Leg, command: Command): void {
  const { recording_status: status, recording_type: type } = command.payload;
  // The library itself ends a recording with its call.
  if (leg.over) return;
  story.act(
    call,
    leg,
    command,
    status === 'recording' ? { action: 'startRecording', with: { type } } : { action: 'stopRecording' },
  );
}
