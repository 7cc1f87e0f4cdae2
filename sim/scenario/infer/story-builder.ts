import { isAnsweredOnWire } from '../format/actions.ts';
import { type Act, isAct, type CallObservation, type StoryEvent } from './story-events.ts';
import { Calls, type CallStory, type Leg } from './calls.ts';
import type { Channels, Command, Payload } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';

/** Commands that the library sends together are this close. Milliseconds. */
const TOGETHER_MS = 500;
/** An action on an ended call within this time crossed its end. Milliseconds. */
const CROSSING_MS = 2_000;

/** A story under construction: its events, the current state of its calls, and its notes. */
export class StoryBuilder {
  readonly events: StoryEvent[] = [];
  readonly calls = new Calls();
  /** What the scenario cannot express, in sentences. */
  readonly notes = new Set<string>();
  readonly users: RecordedUsers;
  readonly #channels: Channels;

  constructor(users: RecordedUsers, channels: Channels) {
    this.users = users;
    this.#channels = channels;
  }

  /** Adds the action behind a command. */
  act(call: CallStory, leg: Leg, command: Command, act: Pick<Act, 'action' | 'with' | 'fails' | 'comment'>): void {
    const crossed = crossedBy(call, leg, command);
    const isRefused = (!command.reply || command.reply.error !== undefined) && isAnsweredOnWire(act.action);
    const event: Act = {
      kind: 'act',
      at: crossed ?? command.at,
      device: leg.device,
      callId: call.id,
      ...act,
      ...(isRefused ? { refused: true } : {}),
    };
    if (crossed === undefined) this.events.push(event);
    else {
      // The action goes right behind the one that it crossed, before any observation of that.
      const index = this.events.findLastIndex((other) => isAct(other) && other.at === crossed);
      this.events.splice(index < 0 ? this.events.length : index + 1, 0, { ...event, crossing: true });
      this.#endedByBoth(call, leg);
    }
  }

  see(call: CallStory, { device }: Leg, at: number, values: Payload, timer?: CallObservation['timer']): void {
    this.events.push({
      kind: 'callObservation',
      at,
      device,
      callId: call.id,
      values,
      ...(timer === undefined ? {} : { timer }),
    });
  }

  /** Records that the exchange notified this side of the end of the call. */
  over(call: CallStory, leg: Leg, at: number, values: Payload): void {
    if (leg.over?.how === 'refused' && at <= leg.over.at) this.#forget(call, leg);
    else if (leg.over) return;
    leg.over = { at, how: 'notified' };
    this.see(call, leg, at, values);
  }

  /**
   * Removes acts of this device on other calls just before. What the library does to other calls when one becomes
   * active is one act, not several. If the device was offline in between, its user did both, and the acts stay.
   * @returns whether any were removed.
   */
  takeBack(callId: string, device: string, at: number, actions: readonly string[]): boolean {
    const taken = this.events.filter(
      (event): event is Act =>
        isAct(event) &&
        event.at >= at - TOGETHER_MS &&
        event.device === device &&
        event.callId !== callId &&
        actions.includes(event.action) &&
        this.#channels.isOpen(device, event.at, at),
    );
    for (const act of taken) {
      // Its observations at this device concern a call that is no longer the current one.
      const isOfIt = (event: StoryEvent) =>
        event === act ||
        (event.kind === 'callObservation' &&
          event.device === device &&
          event.callId === act.callId &&
          event.at >= act.at);
      const kept = this.events.filter((event) => !isOfIt(event));
      this.events.length = 0;
      for (const event of kept) this.events.push(event);
    }
    return taken.length > 0;
  }

  /** Adds a note about a call whose dial is not in the recording. */
  stranger(callId: string): void {
    if (callId !== '') this.notes.add('A call is left out: it began before the recording, or its dial was refused.');
  }

  /** Corrects a leg whose end crossed another end: this side takes its own for the cause. */
  #endedByBoth(call: CallStory, { device }: Leg): void {
    for (const [index, event] of this.events.entries()) {
      if (event.kind !== 'callObservation' || event.device !== device || event.callId !== call.id) continue;
      const { endedBy: _, ...values } = event.values;
      this.events[index] = { ...event, values };
    }
  }

  /** Removes a failed accept: the earlier signal of the exchange decides how the call ended here. */
  #forget(call: CallStory, leg: Leg): void {
    const index = this.events.findLastIndex(
      (event) => event.kind === 'callObservation' && event.device === leg.device && event.callId === call.id,
    );
    this.events.splice(index, 1);
  }
}

/** Returns when the command that this one crossed was sent. Undefined if it crossed none. */
function crossedBy(call: CallStory, leg: Leg, { at, type }: Command): number | undefined {
  if (leg.over?.how === 'notified' && at - leg.over.at < CROSSING_MS)
    return call.ending?.at ?? call.accept?.at ?? leg.over.at;
  const accepted = call.accept;
  if (type === 'cancel' && accepted?.reply && at - accepted.reply.at < CROSSING_MS) return accepted.at;
  return undefined;
}
