import type { CallUserPayload, UserPayload } from '../../protocol/entities.ts';
import type { DirectCallRole } from '../../protocol/enumerations.ts';

/** A user of the application (§3). It is a class, so that hosts that freeze plain objects do not freeze it. */
export class User {
  /** The id of the user. */
  readonly userId: string;
  /** The name that the user shows. Empty without one. */
  readonly nickname: string;
  /** The address of the picture of the user. Empty without one. */
  readonly profileUrl: string;
  /** The texts that the application stores with the user. */
  readonly metaData: Readonly<Record<string, string>>;
  /** True while the account of the user is active. */
  readonly isActive: boolean;

  /** @internal */
  constructor(payload: UserPayload) {
    this.userId = payload.user_id;
    this.nickname = payload.nickname;
    this.profileUrl = payload.profile_url;
    this.metaData = { ...payload.metadata };
    this.isActive = payload.is_active;
  }
}

/** The role of a user in a call: `dc_caller` or `dc_callee`. */
export type DirectCallUserRole = DirectCallRole;

/** A user of a call, with the role in it (§3). */
export class DirectCallUser extends User {
  /** The role of the user in the call. */
  readonly role: DirectCallUserRole;

  /** @internal */
  constructor(payload: CallUserPayload) {
    super(payload);
    this.role = payload.role;
  }
}
