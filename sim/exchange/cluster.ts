import type { AnyCommandFrame, ReplyFrame } from '../../src/protocol/envelope.ts';
import type { Router } from './delivery/router.ts';
import type { DeviceDirectory } from './directory/devices.ts';
import type { DeviceId, SessionRegistry } from './directory/sessions.ts';
import type { TokenIssuer } from './directory/short-lived-tokens.ts';
import type { RateLimiter } from './limits/token-buckets.ts';

/** The rate limits of devices and users, by the settings of their budgets. */
export type LimitName = 'messages' | 'accountMessages' | 'sent' | 'dials' | 'invitations' | 'logins' | 'loginFailures';

/** Another exchange, which owns calls. */
export interface CommandOwner {
  /**
   * Runs a command there, and returns its reply. A device whose session this exchange has checked sent it. Rejects with
   * RequestConflict as the owner does, and when the owner cannot be reached.
   */
  command(from: DeviceId, frame: AnyCommandFrame): Promise<ReplyFrame>;
}

/**
 * What a cluster of exchanges replaces in each of its nodes. A function gets the part of the node itself as `here`, and
 * returns one that also knows the other nodes. A call stays at the exchange where it was dialled.
 */
export interface Cluster {
  devices(here: DeviceDirectory): DeviceDirectory;
  router(here: Router): Router;
  /** Returns the exchange that owns a call. Null for this one, and for an unknown call. */
  ownerOf(callId: string): CommandOwner | null;
  /** Default: each node has its own sessions. */
  sessions?(here: SessionRegistry): SessionRegistry;
  /** Default: each node has its own short-lived tokens. */
  shortLivedTokens?(here: TokenIssuer): TokenIssuer;
  /** Default: each node counts alone. */
  rateLimiter?(name: LimitName, here: RateLimiter): RateLimiter;
}
