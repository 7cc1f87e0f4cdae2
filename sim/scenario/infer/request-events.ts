/** The HTTP requests of users as events: the custom items of a call. A request without an action becomes a note. */
import { codeOf, type Payload, type Request } from './facts.ts';
import type { StoryBuilder } from './story-builder.ts';

export function addRequest(story: StoryBuilder, request: Request): void {
  const { at, device, method, path, body, answer } = request;
  const about = /^\/v1\/direct_calls\/([^/]+)\/custom_items$/.exec(path)?.[1];
  if (about === undefined) return noteOther(story, request);
  const call = story.calls.get(decodeURIComponent(about));
  if (!call) return story.stranger(about);
  const payload = (typeof body === 'object' && body !== null ? body : {}) as Payload;
  const refused = codeOf(answer?.body);
  story.events.push({
    kind: 'act',
    at,
    device,
    callId: call.id,
    ...actOf(method, payload),
    ...(refused === undefined ? {} : { fails: refused }),
  });
}

function actOf(method: string, { custom_items, keys }: Payload) {
  if (method === 'PUT') return { action: 'updateItems', with: { items: custom_items } };
  return keys === undefined ? { action: 'deleteAllItems' } : { action: 'deleteItems', with: { keys } };
}

function noteOther({ notes }: StoryBuilder, { method, path, answer }: Request): void {
  const what = /^\/v1\/users\/[^/]+\/(login|calls|push)/.exec(path)?.[1];
  const refused = codeOf(answer?.body);
  if (what === 'login' && refused !== undefined)
    notes.add(`A sign-in that was refused with ${refused} is left out: an actor has no wrong password.`);
  if (what === 'calls') notes.add('Requests for the call history are left out: no action asks for it.');
  if (what === 'push') notes.add(`Push tokens (${method}) are left out: no action sets or removes one.`);
}
