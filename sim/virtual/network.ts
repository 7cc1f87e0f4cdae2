import { type Arrival, FaultEngine } from '../faults/fault-engine.ts';
import type { Message, MessageRule } from '../faults/message.ts';
import type { VirtualClock } from './clock.ts';
import type { ExchangeDoor } from './exchange-door.ts';
import { NetworkAttachment } from './network-attachment.ts';
import { type Carrier, LATENCY_MS, type TraceLine } from './transit.ts';

/** The network of a world: any number of devices and one exchange, in one process and on one clock. */
export class VirtualNetwork implements Carrier {
  readonly clock: VirtualClock;
  readonly door: ExchangeDoor;
  /** Every message sent, in order. */
  readonly trace: TraceLine[] = [];
  /** The engine that carries the messages. */
  readonly faults: FaultEngine;

  constructor(clock: VirtualClock, door: ExchangeDoor) {
    this.clock = clock;
    this.door = door;
    const start = clock.now();
    this.faults = new FaultEngine({
      clock,
      latencyMs: LATENCY_MS,
      noted: (message, fate) => {
        this.trace.push({ ...message, at: clock.now() - start, dropped: fate === 'drop', fate });
      },
    });
  }

  /** Connects a device. */
  attach(device: string): NetworkAttachment {
    return new NetworkAttachment(this, device);
  }

  /** Adds a rule. The first rule that applies to a message decides. Returns a function that removes the rule. */
  rule(rule: MessageRule): () => void {
    return this.faults.add(rule);
  }

  /** Loses the next `times` messages of a type in a direction. Returns a function that removes the rule. */
  drop(type: string, direction: Message['direction'], times = 1): () => void {
    let left = times;
    return this.rule((message) => {
      if (message.type !== type || message.direction !== direction || left === 0) return undefined;
      left -= 1;
      return 'drop';
    });
  }

  carry(message: Message, arrival: Arrival): void {
    this.faults.carry(message, arrival);
  }
}
