import type { DialQuestion } from './calls/call-event.ts';

/** The decisions that an exchange leaves to its host. */
export interface CallPolicy {
  /**
   * Returns whether this access token lets this user log in. `accessToken` is null when the client sent none. Default:
   * every user may.
   */
  readonly mayLogIn?: (userId: string, accessToken: string | null) => boolean | Promise<boolean>;
  /**
   * Decides whether a call may be dialled. A false refuses the dial with `ERR_NO_PERMISSION`. Default: every call may
   * be.
   */
  readonly mayDial?: (dial: DialQuestion) => Promise<boolean>;
}
