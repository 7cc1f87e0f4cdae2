import type { CallUserPayload, UserPayload } from '../../protocol/entities.ts';
import type { DirectCallRole } from '../../protocol/enumerations.ts';

/** A user, as hosts see them (§3). A class, so that hosts which freeze plain objects leave it alone. */
export class User {
  readonly userId: string;
  readonly nickname: string;
  readonly profileUrl: string;
  readonly metaData: Readonly<Record<string, string>>;
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

/** Which side of a call a user is. */
export type DirectCallUserRole = DirectCallRole;

/** A user in a call: also has a role (§3). */
export class DirectCallUser extends User {
  readonly role: DirectCallUserRole;

  /** @internal */
  constructor(payload: CallUserPayload) {
    super(payload);
    this.role = payload.role;
  }
}
