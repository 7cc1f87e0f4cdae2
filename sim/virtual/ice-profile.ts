/** How long ICE takes, milliseconds: what was measured between Chromium and wrtc peers on a path that was cut. */
export interface IceProfile {
  /** Both sides have descriptions and a candidate, until they are connected. */
  readonly connect: number;
  /** The path is gone, until a side says `disconnected`: the longest. wrtc says it after 5 s to 7.5 s, as its pings fall. */
  readonly disconnected: number;
  /** The other side closed without a word, until this side says `disconnected`. */
  readonly closeNoticed: number;
  /** `disconnected` until `failed`. */
  readonly failedAfter: number;
  /** The path is back before `failed`, until the sides are connected again. */
  readonly heal: number;
  /** The path is back under a restart that began while it was gone, until the sides are connected. */
  readonly restartHeal: number;
  /** Checks that never succeed, until they are given up. */
  readonly checksGivenUp: number;
  /** A description is set, until its candidate is gathered. */
  readonly gather: number;
}

export const MEASURED_ICE: IceProfile = {
  connect: 20,
  disconnected: 7_500,
  closeNoticed: 7_600,
  failedAfter: 10_000,
  heal: 40,
  restartHeal: 60,
  checksGivenUp: 15_000,
  gather: 3,
};
