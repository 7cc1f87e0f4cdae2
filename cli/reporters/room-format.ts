/** The wording of the events and figures of a stay in a room. All reporters share it. */
import type { MeasuredMember, MemberReport, RoomHostEvent, RoomReport } from '../headless/room/room-messages.ts';
import type { Second } from '../headless/messages.ts';
import { channelLine, meterWords, qualityLine, seconds, wholeMeterWords } from './format.ts';

type Entered = Extract<RoomHostEvent, { type: 'entered' }>;
type Measured = Extract<RoomHostEvent, { type: 'measured' }>;

export type RoomEvent = Exclude<RoomHostEvent, { type: 'ready' | 'failed' | 'gathered' | 'dispersed' }>;

const NOTHING = 'no media arrived';
/** The width of the column of names. A longer name is cut. */
const NAME = 12;
const named = (name: string, words: string): string => `${name.slice(0, NAME).padEnd(NAME)}  ${words}`;

export const enteredLine = ({ roomId, roomType, participants, afterMs }: Entered): string =>
  `room ${roomId}  ${roomType}  entered ${seconds(afterMs)}  ${others(participants.length)}`;

const others = (count: number): string =>
  count === 0 ? 'no other participant' : `${count} other participant${count === 1 ? '' : 's'}`;

/** Formats a line for each participant, and one for the mix of a large room. */
export function meterLines({ participants, mix }: Pick<Measured, 'participants' | 'mix'>): string[] {
  const names = namesOf(participants);
  return [
    ...participants.map(({ second }, at) => named(names[at] as string, secondWords(second, mix !== undefined))),
    ...(mix === undefined ? [] : [named('mix', secondWords(mix, false))]),
  ];
}

/** @param isMixed - whether the sound of the participant is part of the mix. */
function secondWords(second: Second | null, isMixed: boolean): string {
  if (second) return meterWords(second);
  return isMixed ? 'in the mix' : 'connecting...';
}

/** Formats the lines of a whole stay. */
export function stayLines({ participants, mix }: RoomReport): string[] {
  const names = namesOf(participants);
  const wordsOf = ({ received, quality }: Pick<MemberReport, 'received' | 'quality'>, missing: string): string =>
    received.audio || received.video ? [...wholeMeterWords(received), qualityLine(quality)].join('  ') : missing;
  const absent = mix ? 'in the mix' : NOTHING;
  return [
    ...participants.map((member, at) => named(names[at] as string, wordsOf(member, absent))),
    ...(mix ? [named('mix', wordsOf(mix, NOTHING))] : []),
  ];
}

/** Formats the end of a stay: left after 10.0s */
export const stayEndLine = ({ result, duration }: RoomReport): string => `${RESULTS[result]} ${seconds(duration)}`;

const RESULTS: Readonly<Record<RoomReport['result'], string>> = {
  left: 'left after',
  deleted: 'the room was deleted after',
  kicked: 'removed by another client of the same user after',
  lost: 'lost the connection to the room after',
};

/** Formats a line for an event that is none of media. Null for the others. */
export function newsLine(event: RoomEvent): string | null {
  switch (event.type) {
    case 'arrived':
      return `${event.user} entered`;
    case 'departed':
      return `${event.user} left`;
    case 'channel':
      return channelLine(event.isOpen);
    case 'disconnected':
      return 'reconnecting...';
    case 'reconnected':
      return 'reconnected';
    default:
      return null;
  }
}

/** Returns the name of each participant. Several clients of one user get numbers. */
function namesOf(members: readonly Pick<MeasuredMember, 'user'>[]): string[] {
  const seen = new Map<string, number>();
  const isTwice = ({ user }: Pick<MeasuredMember, 'user'>) => members.filter((one) => one.user === user).length > 1;
  return members.map((member) => {
    const count = (seen.get(member.user) ?? 0) + 1;
    seen.set(member.user, count);
    return isTwice(member) ? `${member.user} ${count}` : member.user;
  });
}
