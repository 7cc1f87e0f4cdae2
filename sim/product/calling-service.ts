import type { BegunCall } from '../exchange/calls/call-event.ts';
import type { SignedIn } from '../exchange/directory/sessions.ts';
import type { ExchangeUser } from '../exchange/directory/users.ts';
import type { ExchangeListener } from '../exchange/events.ts';
import type { UserPresence } from '../exchange/exchange.ts';

/** The calling service, as the product sees it. */
export interface CallingService {
  /** Calls the listener at each event, at the moment it happens. Returns the function that removes it. */
  subscribe(listener: ExchangeListener): () => void;
  presenceOf(userId: string): UserPresence;
  /** Adds a user who may call and be called, or replaces a known one. */
  addUser(user: ExchangeUser): void;
  /** Removes a user who may no longer be connected, with their calls. */
  removeUser(userId: string): void;
  /** Ends a call with media for both sides. */
  endCall(callId: string): void;
  /** Ends every call between two users. */
  endCallsBetween(userId: string, other: string): void;
  /** Revokes the sessions of a user that this access token opened, or all. */
  signOut(userId: string, accessToken?: string): void;
  /** Does the same for the access token with this hash. */
  signOutAccess(userId: string, access: string): void;
  /** Returns the users who are signed in by access tokens, with the SHA-256 of the tokens in hexadecimal. */
  signedIn(): readonly SignedIn[];
  readonly liveCalls: readonly { readonly callId: string }[];
  /** The calls whose media has begun. A restarted server resumes billing them. */
  readonly begunCalls: readonly BegunCall[];
  /**
   * Returns whether a call is live here, and no other node has adopted it. Rejects when the other nodes or the database do not answer.
   */
  ownsCall(callId: string): Promise<boolean>;
  /** Resolves when the calling service has stored all that it must about its calls. */
  kept(): Promise<void>;
}
