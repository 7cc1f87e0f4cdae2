/** What a user hears and sees of another user, in words. */
import type { ReceivedMedia } from '../../../sim/scenario/actor/received-media.ts';
import type { Sense } from '../kit-messages.ts';

/** A user who perceives. */
export interface Perceiver {
  /** Returns the value at a path behind the name of the user. */
  read(path: readonly string[]): unknown;
  readonly received: ReceivedMedia | undefined;
}

/** A user who is perceived: the headless devices, and whether the user has a page. */
export interface Perceived {
  readonly user: string;
  readonly devices: readonly string[];
  readonly hasPage: boolean;
}

/** The sound or the pictures that a user receives now. */
export interface Perception {
  /** Whether it is that of the wanted user, or nothing where nothing is wanted. */
  readonly isSo: boolean;
  /** What it is, in words. */
  readonly found: string;
}

/** The states of a call that have media, or that lead to it. */
const LIVE = ['dialing', 'ringing', 'accepting', 'established', 'connected', 'reconnecting'];

const textAt = (who: Pick<Perceiver, 'read'>, what: 'state' | 'remote'): string => {
  const value = who.read(['call', what]);
  return typeof value === 'string' ? value : 'none';
};

/** Returns whether a user is in a call or a room, or on the way there. */
export const takesPart = (who: Pick<Perceiver, 'read'>): boolean =>
  who.read(['room', 'entered']) === true || LIVE.includes(textAt(who, 'state'));

/** Returns what a user perceives now. @param other - undefined for a sense of nothing. */
export function perceptionOf(who: Perceiver, sense: Sense, other: Perceived | undefined): Perception {
  const isSound = sense.startsWith('hears');
  if (who.read(['room', 'entered']) === true) return inRoom(who, isSound, other);
  const state = textAt(who, 'state');
  if (state !== 'connected')
    return { isSo: other === undefined, found: state === 'none' ? 'there is no call' : `the call is ${state}` };
  const media = who.received;
  const any = isSound ? media?.any?.sound : media?.any?.motion;
  const known = isSound ? (media?.heard ?? []) : media?.marker === 'advancing' ? ['a headless user'] : [];
  const isAnything = any === true || known.length > 0;
  const found = isAnything
    ? `${isSound ? 'sound' : 'pictures'} of ${isSound && known.length > 0 ? known.join(' and ') : 'an unknown source'}`
    : isSound
      ? 'silence'
      : 'no moving picture';
  if (other === undefined) return { isSo: !isAnything, found };
  const remote = textAt(who, 'remote');
  if (remote !== other.user) return { isSo: false, found: `the call is with ${remote}` };
  const isKnown = isSound ? other.devices.some((device) => known.includes(device)) : known.length > 0;
  return { isSo: isKnown || (other.hasPage && any === true), found };
}

function inRoom(who: Perceiver, isSound: boolean, other: Perceived | undefined): Perception {
  const names = who.read(['room', isSound ? 'heard' : 'seen']) as readonly string[];
  const found = names.length === 0 ? (isSound ? 'silence' : 'no moving picture') : names.join(' and ');
  if (other === undefined) return { isSo: names.length === 0, found };
  const there = who.read(['room', 'participants']);
  if (Array.isArray(there) && !there.includes(other.user))
    return { isSo: false, found: `${other.user} is not in the room` };
  return { isSo: names.some((name) => name === other.user || other.devices.includes(name)), found };
}
