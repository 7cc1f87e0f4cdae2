/** The times of ICE, in milliseconds, as measured between Chromium and wrtc peers on a path that was cut. */
export interface IceProfile {
  /** From the moment both sides have descriptions and a candidate until they are connected. */
  readonly connect: number;
  /**
   * From the loss of the path until a side is `disconnected`: the longest. wrtc takes 5 s to 7.5 s, depending on its
   * pings.
   */
  readonly disconnected: number;
  /** From the silent close of the other side until this side is `disconnected`. */
  readonly closeNoticed: number;
  /** From `disconnected` until `failed`. */
  readonly failedAfter: number;
  /** From the return of the path before `failed` until the sides are connected again. */
  readonly heal: number;
  /** From the return of the path until the sides are connected, for a restart that began while it was gone. */
  readonly restartHeal: number;
  /** The time until checks that never succeed are given up. */
  readonly checksGivenUp: number;
  /** From setting a description until its candidate is gathered. */
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
