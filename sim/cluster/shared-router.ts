import * as v from 'valibot';
import type { Outgoing, Router } from '../exchange/delivery/router.ts';
import type { Devices } from '../exchange/directory/devices.ts';
import type { DeviceId } from '../exchange/directory/sessions.ts';
import type { Link } from '../exchange/ports.ts';
import type { NodeLink, NodeName } from './node-link.ts';
import type { CallsElsewhere } from './calls-elsewhere.ts';
import type { SharedDevices } from './shared-devices.ts';

const device = { userId: v.string(), clientId: v.string() };
const frameTo = v.object({ ...device, text: v.string() });
const closeOf = v.object({ ...device, code: v.number(), reason: v.string() });

interface Parts {
  readonly link: NodeLink;
  readonly here: Router;
  readonly channels: Pick<Devices, 'has'>;
  readonly devices: Pick<SharedDevices, 'nodeOf'>;
  readonly callsElsewhere: Pick<CallsElsewhere, 'begun' | 'ended'>;
  /**
   * Returns whether a node is not the owner of a call any more, and may not have noticed it. Its events have numbers that
   * the owner uses for others.
   */
  readonly isStale: (callId: string, from: NodeName) => boolean;
  /** Runs a function after the queued writes, in order. */
  readonly afterWrites: (send: () => void) => void;
}

/** Sends to devices at any node. */
export class SharedRouter implements Router {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { link, here, channels } = parts;
    link.receive('frame', (message, from) => {
      const { userId, clientId, text } = v.parse(frameTo, message);
      // Another exchange made the text from a frame of this type.
      const frame = JSON.parse(text) as Outgoing['frame'];
      const callId = callOf(frame);
      if (callId !== null && parts.isStale(callId, from)) return;
      if (callId !== null) parts.callsElsewhere[isEnd(frame) ? 'ended' : 'begun']({ userId, clientId }, callId);
      here.send({ userId, clientId }, { frame, text });
    });
    link.receive('close', (message) => {
      const { userId, clientId, code, reason } = v.parse(closeOf, message);
      if (channels.has({ userId, clientId })) here.close({ userId, clientId }, code, reason);
    });
  }

  send(to: DeviceId, message: Outgoing, channel?: Link): void {
    const { here, channels, devices, link, afterWrites } = this.#parts;
    const node = channel || channels.has(to) ? undefined : devices.nodeOf(to);
    if (node === undefined) return here.send(to, message, channel);
    const { userId, clientId } = to;
    afterWrites(() => link.send(node, 'frame', { userId, clientId, text: message.text }));
  }

  close(to: DeviceId, code: number, reason: string): void {
    const { here, channels, devices, link, afterWrites } = this.#parts;
    const node = channels.has(to) ? undefined : devices.nodeOf(to);
    if (node === undefined) return here.close(to, code, reason);
    const { userId, clientId } = to;
    afterWrites(() => link.send(node, 'close', { userId, clientId, code, reason }));
  }
}

/** Returns the call of an event. Null for an event of no call, and for a reply. */
function callOf(frame: Outgoing['frame']): string | null {
  return 'message_id' in frame && 'call_id' in frame.payload ? frame.payload.call_id : null;
}

/** Returns whether a call is over for a device after this event. */
const isEnd = (frame: Outgoing['frame']): boolean => 'message_id' in frame && 'end_result' in frame.payload;
