/** The media that participants of a room received of each other: the table, and what is missing. Pure. */
import type { FrameReading } from '../../../cli/headless/signals/frame-meter.ts';
import { hasGoodMarkers } from '../../../cli/headless/signals/frame-meter.ts';
import { SAME_TONE_HZ } from '../../../cli/headless/signals/tone-meter.ts';

/** The share of the time for which a tone must be heard. */
const HEARD_SHARE = 0.8;

/** The media of one participant, as another one measured it. */
export interface Arrived extends Pick<FrameReading, 'frames' | 'fps' | 'markers' | 'rising' | 'steps'> {
  /** The strongest tone, hertz. Null without one. */
  readonly tone: number | null;
  /** The number of windows that the tone carried, and of all. */
  readonly carried: number;
  readonly windows: number;
}

export interface ToneOfUser {
  readonly userId: string;
  /** Hertz. */
  readonly tone: number;
}

/** What each participant received: by its user, and by the user who sent. */
export type Arrivals = ReadonlyMap<string, ReadonlyMap<string, Arrived>>;

/** Returns the share of the time for which the tone of the sender was heard. */
const heardShare = ({ tone, carried, windows }: Arrived, sent: number): number =>
  tone !== null && Math.abs(tone - sent) <= SAME_TONE_HZ && windows > 0 ? carried / windows : 0;

/** Returns a row for each participant, with a cell for each sender: heard share, frames per second, marker steps. */
export function arrivalRows(users: readonly ToneOfUser[], arrivals: Arrivals): string[][] {
  return users.map(({ userId: receiver }) => [
    receiver,
    ...users.map(({ userId, tone }) => {
      if (userId === receiver) return '-';
      const arrived = arrivals.get(receiver)?.get(userId);
      if (!arrived) return 'none';
      return `${(100 * heardShare(arrived, tone)).toFixed(0)} % ${arrived.fps.toFixed(1)} ${arrived.steps}`;
    }),
  ]);
}

/** Returns a line for each tone that was not heard, and for each picture without rising markers. */
export function missingArrivals(users: readonly ToneOfUser[], arrivals: Arrivals): string[] {
  return users.flatMap(({ userId: receiver }) =>
    users.flatMap(({ userId, tone }) => {
      if (userId === receiver) return [];
      const arrived = arrivals.get(receiver)?.get(userId);
      if (!arrived) return [`${receiver} received nothing of ${userId}`];
      return [
        ...(heardShare(arrived, tone) >= HEARD_SHARE ? [] : [`${receiver} did not hear ${userId}`]),
        ...(hasGoodMarkers(arrived) ? [] : [`${receiver} did not see ${userId}`]),
      ];
    }),
  );
}
