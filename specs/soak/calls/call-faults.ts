/** The faults of a soak run of calls: a share of the messages, and a share of the channels. */
import type { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import { type MessageFault, messageRule } from '../../../sim/faults/message-rule.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { SoakDevice } from './soak-device.ts';

/** The shares of all messages. Together they are five percent. */
const LOST = 0.015;
const DOUBLED = 0.01;
const DELAYED = 0.02;
const OVERTAKEN = 0.005;

/** The longest time for which a channel stays half open. Milliseconds of the clock of the devices. */
const LONGEST_FREEZE_MS = 15_000;

/** The faults so far. */
export interface FaultCounts {
  messages: number;
  faulty: number;
  resets: number;
  freezes: number;
}

/** Loses, doubles, delays and reorders a share of all messages. Returns the function that ends these faults. */
export function spoilMessages(messages: Pick<FaultEngine, 'add'>, random: () => number): () => void {
  const cmd = 'any';
  const faults: readonly (readonly [MessageFault, share: number])[] = [
    [{ kind: 'drop', cmd }, LOST],
    [{ kind: 'duplicate', cmd, copies: 2 }, DOUBLED],
    [{ kind: 'delay', cmd, by: '200ms', jitter: '5s', reorder: true }, DELAYED],
    [{ kind: 'reorder', cmd, behind: 1 }, OVERTAKEN],
  ];
  const ends = faults.map(([fault, p]) => messages.add(messageRule(fault, { p }, { random })));
  return () => ends.forEach((end) => end());
}

/** Resets the channel of a device, or keeps it half open for a while. */
export function breakChannel(
  device: SoakDevice,
  { clock, random, counts }: { readonly clock: Clock; readonly random: () => number; readonly counts: FaultCounts },
): void {
  if (random() < 0.5) {
    counts.resets += 1;
    device.reset();
    return;
  }
  counts.freezes += 1;
  clock.after(LONGEST_FREEZE_MS * random(), device.freeze());
}
