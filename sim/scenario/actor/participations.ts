import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';
import type { CallError } from '../../../src/protocol/errors.ts';
import type { Untimed } from '../../../src/trace/events.ts';
import { CALL_LISTENERS } from '../format/paths.ts';
import type { LocalParticipant } from '../../../src/calls/room/participant.ts';
import type { Room } from '../../../src/calls/room/room.ts';
import { ActionImpossible } from '../run/world.ts';
import { connectionOf, readCall } from './read-call.ts';

/** The media of this device in a call or a room, as users control it. */
export type MediaControls = Pick<
  DirectCall & LocalParticipant,
  'muteMicrophone' | 'unmuteMicrophone' | 'startVideo' | 'stopVideo' | 'startScreenShare' | 'stopScreenShare'
>;

/** The custom items of a call or a room. */
export type ItemHolder = Pick<DirectCall | Room, 'updateCustomItems' | 'deleteCustomItems' | 'deleteAllCustomItems'>;

/** One thing that a user takes part in. Each kind has an area of values in paths. */
export interface Participation {
  /** The area: `call` of `alice.call.state`. */
  readonly area: string;
  /** The peer connection that carries its media. Null while there is none. */
  readonly connection: RtcPeerConnection | null;
  /** @throws ActionImpossible when the user has no media in it. */
  readonly controls: MediaControls;
  readonly items: ItemHolder;
  /** Returns a value by the last part of its path. */
  read(what: string): unknown;
}

/** A direct call that a user dialed or received. */
class CallParticipation implements Participation {
  readonly area = 'call';
  readonly call: DirectCall;

  constructor(call: DirectCall) {
    this.call = call;
  }

  get controls(): MediaControls {
    return this.call;
  }

  get items(): ItemHolder {
    return this.call;
  }

  get connection(): RtcPeerConnection | null {
    return connectionOf(this.call);
  }

  read(what: string): unknown {
    return readCall(this.call, what);
  }
}

/** What a user takes part in, the current participation, and the events that the library emitted for them. */
export class Participations {
  /** The codes of refusals. */
  readonly errors: number[] = [];
  /** The listeners that were called, in order. */
  readonly told: string[] = [];
  reconnected = 0;
  /** The id of the last recording that was started. */
  recordingId = '';
  readonly #person: string;
  readonly #note: (event: Untimed) => void;
  #all: readonly Participation[] = [];

  constructor(person: string, note: (event: Untimed) => void) {
    this.#person = person;
    this.#note = note;
  }

  /** The current participation: the last one that began. Undefined before the first. */
  get current(): Participation | undefined {
    return this.#all.at(-1);
  }

  /** The current call or room. @throws ActionImpossible when there is none. */
  get present(): Participation {
    const { current } = this;
    if (!current) throw new ActionImpossible(`${this.#person} has no call`);
    return current;
  }

  /** The current call. @throws ActionImpossible when there is none. */
  get call(): DirectCall {
    const found = this.#all.findLast((one) => one instanceof CallParticipation);
    if (!found) throw new ActionImpossible(`${this.#person} has no call`);
    return found.call;
  }

  /** Returns the current participation of an area. Undefined before the first. */
  currentIn(area: string): Participation | undefined {
    return this.#all.findLast((one) => one.area === area);
  }

  /** Makes the previous participation the current one: the one that was put on hold. Returns whether there is one. */
  former(): boolean {
    const { current } = this;
    if (current) this.#all = [current, ...this.#all.slice(0, -1)];
    return this.#all.length > 1;
  }

  /** Adds a participation, or moves it to the end: it is the current one from now on. */
  add(participation: Participation): void {
    this.#all = [...this.#all.filter((one) => one !== participation), participation];
  }

  /** Adds a call that rings. */
  addRinging(call: DirectCall): void {
    this.addCall(call);
    this.noteListener('onRinging');
  }

  /** Adds a call, and listens to its events. */
  addCall(call: DirectCall): void {
    this.add(new CallParticipation(call));
    for (const name of CALL_LISTENERS) {
      call[name] = () => {
        if (name === 'onReconnected') this.reconnected += 1;
        this.noteListener(name);
      };
    }
  }

  /** Records the refusal of a dial, or an error of a room. */
  addRefusal({ code, message }: CallError): void {
    this.errors.push(code);
    this.#note({ kind: 'error', device: this.#person, code, message });
  }

  /** Records that a listener of the host was called. @param about - the id of the remote participant it got. */
  noteListener(name: string, about?: string): void {
    this.told.push(name);
    this.#note({ kind: 'told', device: this.#person, name, ...(about === undefined ? {} : { about }) });
  }
}
