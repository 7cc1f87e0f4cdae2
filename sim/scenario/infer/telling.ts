import type { Act, AnyBeat, Sight } from './beats.ts';
import { isAct } from './beats.ts';
import { Calls, type CallStory, type Leg } from './calls.ts';
import type { Channels } from './channels.ts';
import type { Command, Payload } from './facts.ts';
import type { People } from './people.ts';

/** What one command of the library brings with it comes this close behind, milliseconds. */
const TOGETHER_MS = 500;
/** Who acts on a call that is over has not heard of it yet; later than this it is no crossing. */
const CROSSING_MS = 2_000;

/** A story as far as it is told: its beats, the calls as they stand, and what could not be said. */
export class Telling {
  readonly beats: AnyBeat[] = [];
  readonly calls = new Calls();
  /** What the scenario cannot say, in sentences. */
  readonly notes = new Set<string>();
  readonly people: People;
  readonly #channels: Channels;

  constructor(people: People, channels: Channels) {
    this.people = people;
    this.#channels = channels;
  }

  /** Somebody did what this command says. */
  act(call: CallStory, leg: Leg, command: Command, act: Pick<Act, 'action' | 'with' | 'fails' | 'comment'>): void {
    const crossed = crossedBy(call, leg, command);
    const beat: Act = { kind: 'act', at: crossed ?? command.at, device: leg.device, callId: call.id, ...act };
    if (crossed === undefined) this.beats.push(beat);
    else {
      // Right behind what it crossed, before anything is to be seen of that.
      const index = this.beats.findLastIndex((other) => isAct(other) && other.at === crossed);
      this.beats.splice(index < 0 ? this.beats.length : index + 1, 0, { ...beat, crossing: true });
      this.#endedByBoth(call, leg);
    }
  }

  see(call: CallStory, { device }: Leg, at: number, values: Payload, timer?: Sight['timer']): void {
    this.beats.push({
      kind: 'sight',
      at,
      device,
      callId: call.id,
      values,
      ...(timer === undefined ? {} : { timer }),
    });
  }

  /** The exchange told this side that the call is over. */
  over(call: CallStory, leg: Leg, at: number, values: Payload): void {
    if (leg.over?.how === 'refused' && at <= leg.over.at) this.#forget(call, leg);
    else if (leg.over) return;
    leg.over = { at, how: 'told' };
    this.see(call, leg, at, values);
  }

  /**
   * Takes back acts of this device on other calls that came just before: what the library does to other calls when one
   * becomes active is one act, not several. Whoever left in between did both.
   *
   * @returns whether there were any.
   */
  takeBack(callId: string, device: string, at: number, actions: readonly string[]): boolean {
    const taken = this.beats.filter(
      (beat): beat is Act =>
        isAct(beat) &&
        beat.at >= at - TOGETHER_MS &&
        beat.device === device &&
        beat.callId !== callId &&
        actions.includes(beat.action) &&
        this.#channels.isOpen(device, beat.at, at),
    );
    for (const act of taken) {
      // What it led to at this device is seen of a call that is not in hand any more.
      const isOfIt = (beat: AnyBeat) =>
        beat === act ||
        (beat.kind === 'sight' && beat.device === device && beat.callId === act.callId && beat.at >= act.at);
      const kept = this.beats.filter((beat) => !isOfIt(beat));
      this.beats.length = 0;
      for (const beat of kept) this.beats.push(beat);
    }
    return taken.length > 0;
  }

  /** A call that nobody dialled since the recording began. */
  stranger(callId: string): void {
    if (callId !== '')
      this.notes.add('A call is left out that was under way before the recording began, or whose dial was refused.');
  }

  /** Of an end that crossed another this side believes that it was its own. */
  #endedByBoth(call: CallStory, { device }: Leg): void {
    for (const [index, beat] of this.beats.entries()) {
      if (beat.kind !== 'sight' || beat.device !== device || beat.callId !== call.id) continue;
      const { endedBy: _, ...values } = beat.values;
      this.beats[index] = { ...beat, values };
    }
  }

  /** The accept failed, but what the exchange told first is how the call ended here. */
  #forget(call: CallStory, leg: Leg): void {
    const index = this.beats.findLastIndex(
      (beat) => beat.kind === 'sight' && beat.device === leg.device && beat.callId === call.id,
    );
    this.beats.splice(index, 1);
  }
}

/** When what this command crossed was said; undefined where it crossed nothing. */
function crossedBy(call: CallStory, leg: Leg, { at, type }: Command): number | undefined {
  if (leg.over?.how === 'told' && at - leg.over.at < CROSSING_MS)
    return call.ending?.at ?? call.accept?.at ?? leg.over.at;
  const accepted = call.accept;
  if (type === 'cancel' && accepted?.reply && at - accepted.reply.at < CROSSING_MS) return accepted.at;
  return undefined;
}
