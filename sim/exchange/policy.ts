import type { HttpResponse } from '../http/request.ts';
import type { DialQuestion } from './calls/call-event.ts';
import type { ExchangeUser } from './directory/users.ts';

/** The users of an invitation into a room. */
export interface InvitationQuestion {
  readonly inviter: string;
  readonly invitee: string;
}

/** The decisions that an exchange leaves to its host. */
export interface CallPolicy {
  /**
   * Returns whether the server is above its maximum rate. New dials are then refused with `ERR_SERVER_INTERNAL_ERROR`, and
   * live calls go on. Default: never.
   */
  readonly isOverloaded?: () => boolean;
  /**
   * Returns the answer to a request that failed since a service of the server is down. Null for another failure, which is
   * answered with 500. Default: every failure is another one.
   */
  readonly explain?: (error: unknown) => Promise<HttpResponse | null>;
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
  /**
   * Decides whether a user may be invited into a room. A false refuses the invitation with `ERR_NO_PERMISSION`. Default:
   * every user may be.
   */
  readonly mayInvite?: (question: InvitationQuestion) => Promise<boolean>;
  /**
   * Finds a user that the exchange does not have, before a dial or an invitation to that user. Another node of the
   * cluster may have registered the user. Resolves with undefined for a user who may not be called. Default: the
   * exchange has every user.
   */
  readonly findUser?: (userId: string) => Promise<ExchangeUser | undefined>;
}
