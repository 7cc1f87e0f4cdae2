import type { EventFrame, ReplyFrame, RoomEventFrame } from '../../../src/protocol/envelope.ts';
import type { Devices } from '../directory/devices.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { Link } from '../ports.ts';
import type { Journal } from './journal.ts';
import type { Outbox } from './outbox.ts';

/** A frame for a device, with its text. */
export interface Outgoing {
  readonly frame: EventFrame | RoomEventFrame | ReplyFrame;
  /** The frame as JSON. */
  readonly text: string;
}

/**
 * The single exit of messages to devices. The exchange of a cluster gets a router that also reaches the devices of
 * other nodes.
 */
export interface Router {
  /**
   * Sends a message after the queued writes, in order. Does nothing when the device has no channel then.
   *
   * @param link - the channel of the command that the message answers. Default: the channel of the device.
   */
  send(device: DeviceId, message: Outgoing, link?: Link): void;
  /** Closes the present channel of a device after the messages before. */
  close(device: DeviceId, code: number, reason: string): void;
}

/** Sends to the devices that are connected to this exchange. */
export class LocalRouter implements Router {
  readonly #devices: Pick<Devices, 'link'>;
  readonly #outbox: Pick<Outbox, 'send'>;
  readonly #journal: Pick<Journal, 'record'>;

  constructor(devices: Pick<Devices, 'link'>, outbox: Pick<Outbox, 'send'>, journal: Pick<Journal, 'record'>) {
    this.#devices = devices;
    this.#outbox = outbox;
    this.#journal = journal;
  }

  send(device: DeviceId, { frame, text }: Outgoing, link?: Link): void {
    this.#outbox.send(() => {
      const open = link ?? this.#devices.link(device);
      if (!open) return;
      this.#journal.record('out', device, frame);
      open.send(text);
    }, device);
  }

  close(device: DeviceId, code: number, reason: string): void {
    const link = this.#devices.link(device);
    this.#outbox.send(() => link?.close(code, reason), device);
  }
}
