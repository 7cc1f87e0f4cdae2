import type { EventFrame, EventHead } from '../../../src/protocol/envelope.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type { ServerEvent } from '../../../src/protocol/messages/events.ts';
import type { RoomEvent } from '../../../src/protocol/messages/rooms.ts';
import type { Leg } from '../calls/call.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** The parts that send events to devices. */
export type Delivery = Pick<Core, 'ids' | 'router'>;

/** Shared by all frames. */
const BY_WEBSOCKET = Object.freeze({ channel: 'websocket' } as const);

/** Returns the frame of an event. `sequence` is 0 for an event that is not counted. */
export function frameOf<Event extends ServerEvent | RoomEvent>(
  core: Pick<Delivery, 'ids'>,
  event: Event,
  sequence: number,
): Event & EventHead {
  // Each member by its name: V8 gives every object that is made by a spread a hidden class of its own.
  const { cmd, type, payload } = event;
  return {
    version: PROTOCOL_VERSION,
    message_id: core.ids.uuid(),
    cmd,
    type,
    delivery_info: BY_WEBSOCKET,
    sequence_number: sequence,
    payload,
    // These are all members of an event and of its head.
  } as unknown as Event & EventHead;
}

/**
 * Appends the next signal of a leg to its log, and sends it if the device is connected.
 *
 * @param isCounted - false for a signal that the device accepts whatever numbers it knows. It has the number 0.
 */
export function signal(core: Delivery, leg: Leg, event: ServerEvent, isCounted = true): void {
  core.router.send(
    leg.device,
    leg.signals.append((sequence) => frameOf(core, event, isCounted ? sequence : 0)),
  );
}

/** Sends a device an event that is not kept and not counted. */
export function notify(core: Delivery, device: DeviceId, event: ServerEvent): void {
  const frame = frameOf(core, event, 0);
  core.router.send(device, { frame, text: JSON.stringify(frame) });
}

/** Sends a signal again. */
export function resend(core: Delivery, leg: Leg, frame: EventFrame): void {
  core.router.send(leg.device, { frame, text: JSON.stringify(frame) });
}
