/** The signals that a device receives as story events: the observable values of its call after each. */
import { type CallStory, isHeld, legOf, type Leg } from './calls.ts';
import type { Signal } from './facts.ts';
import { userIn } from './recorded-users.ts';
import type { StoryBuilder } from './story-builder.ts';

export function addSignal(story: StoryBuilder, signal: Signal): void {
  const { type, device, at, payload, callId } = signal;
  const call = story.calls.get(callId);
  if (type === 'turn_changed') return;
  if (!call) return type === 'dial_rcv' ? undefined : story.stranger(callId);
  if (type === 'dial_rcv') {
    call.rang = true;
    return;
  }
  if (type === 'dial') {
    // The call rings again at a device that reconnects.
    if (!call.legs.has(device)) story.see(call, legOf(call, device), at, { state: 'ringing' });
    return;
  }
  const leg = legOf(call, device);
  switch (type) {
    case 'accept':
      for (const kind of ['audio', 'video'] as const)
        seeRemote(story, call, leg, { at, kind, is: payload[kind] === true });
      return;
    case 'audio':
    case 'video':
      return seeRemote(story, call, leg, { at, kind: type, is: payload['is_enabled'] === true });
    case 'hold':
      if (payload['holded_by'] !== story.users.userOf(device)) story.see(call, leg, at, { onHold: isHeld(call) });
      return;
    case 'recording':
      if (!leg.over) story.see(call, leg, at, { remoteRecording: payload['recording_status'] });
      return;
    case 'custom_items_update':
    case 'custom_items_delete':
      return story.see(call, leg, at, { items: payload['custom_items'] });
    case 'other_device_accepted':
      return story.over(call, leg, at, { result: 'other_device_accepted' });
    default:
      if (payload['end_result'] !== undefined) seeEnd(story, call, leg, signal);
  }
}

function seeEnd(story: StoryBuilder, call: CallStory, leg: Leg, { at, type, payload }: Signal): void {
  if (type === 'unknown_end') {
    leg.over ??= { at, how: 'notified' };
    story.notes.add('The server ended a call without a reason (unknown_end); no scenario makes the exchange do so.');
    return;
  }
  const endedBy = userIn(payload, 'ended_by');
  story.over(call, leg, at, { result: payload['end_result'], ...(endedBy === undefined ? {} : { endedBy }) });
}

interface RemoteMedia {
  readonly at: number;
  readonly kind: 'audio' | 'video';
  readonly is: boolean;
}

/** Adds an observation of the other side's media, if it changed. */
function seeRemote(story: StoryBuilder, call: CallStory, leg: Leg, { at, kind, is }: RemoteMedia): void {
  if (kind === 'video' && call.dial.payload['is_video_call'] !== true) return;
  if (leg.remote[kind] === is) return;
  leg.remote[kind] = is;
  story.see(call, leg, at, { [kind === 'audio' ? 'remoteAudio' : 'remoteVideo']: is });
}
