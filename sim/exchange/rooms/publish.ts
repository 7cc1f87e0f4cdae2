import type { DeliveryInfo, RoomEventFrame } from '../../../src/protocol/envelope.ts';
import type { RoomEvent } from '../../../src/protocol/messages/rooms.ts';
import type { Core } from '../core.ts';
import { frameOf, type Delivery } from '../delivery/deliver.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { participantPayload, type Instant, type Member, type Room } from './room.ts';

/** Returns the present moment by both clocks. */
export const instant = ({ clock }: Pick<Core, 'clock'>): Instant => ({ wall: clock.wallTime(), clock: clock.now() });

type PublishNeeds = Delivery & Pick<Core, 'rooms'>;

/**
 * Sends devices an event that is not counted: about an invitation into a room.
 *
 * @param channel - `missed_signal` for an event that is sent again, since the device may have missed it.
 */
export function notify(
  core: PublishNeeds,
  room: Room,
  devices: readonly DeviceId[],
  event: RoomEvent,
  channel: DeliveryInfo['channel'] = 'websocket',
): void {
  core.rooms.told(room, devices);
  const frame = { ...frameOf(core, event, 0), delivery_info: { channel } };
  const text = JSON.stringify(frame);
  for (const device of devices) core.router.send(device, { frame, text });
}

/** Returns the number of the room's next event. The store gets it too, so that no number counts two events. */
function nextOf({ rooms }: PublishNeeds, room: Room, from?: DeviceId): number {
  room.sequence += 1;
  rooms.changed(room, from);
  return room.sequence;
}

/**
 * Sends every participant of a room the room's next event. A participant without a channel gets a snapshot later.
 *
 * @param from - the device whose command caused the event. It may be in no room.
 */
export function publish(core: PublishNeeds, room: Room, event: RoomEvent, from: DeviceId): void {
  send(core, [...room.members.values()], frameOf(core, event, nextOf(core, room, from)));
}

/** An event about one participant. */
type ParticipantEvent = Extract<RoomEvent, { payload: { participant: unknown } }>;
/** The content of such an event, besides its room and its participant. */
type About = ParticipantEvent extends infer Event
  ? Event extends ParticipantEvent
    ? { readonly type: Event['type'] } & Omit<Event['payload'], 'room_id' | 'participant'>
    : never
  : never;

/**
 * Sends every participant of a room an event about one of them.
 *
 * @param without - the participant who does not get the event. The next number counts for it too.
 */
export function publishAbout(
  core: PublishNeeds & Pick<Core, 'clock'>,
  room: Room,
  about: Member,
  { type, ...more }: About,
  without?: Member,
): void {
  const now = instant(core);
  const exited = about.state === 'exited' ? now : null;
  const sequence = nextOf(core, room, about.device);
  const frameFor = (receiver: DeviceId | null): RoomEventFrame =>
    // The type and the rest of the content belong together, as `About` states.
    frameOf(
      core,
      {
        cmd: 'COMM',
        type,
        payload: { room_id: room.id, participant: participantPayload(about, receiver, now, exited), ...more },
      } as ParticipantEvent,
      sequence,
    );
  const receivers = [...room.members.values()].filter((member) => member !== without);
  send(
    core,
    receivers.filter((member) => member !== about),
    frameFor(null),
  );
  if (receivers.includes(about)) send(core, [about], frameFor(about.device));
}

function send(core: Delivery, members: readonly Member[], frame: RoomEventFrame): void {
  if (members.length === 0) return;
  const text = JSON.stringify(frame);
  for (const { device } of members) core.router.send(device, { frame, text });
}
