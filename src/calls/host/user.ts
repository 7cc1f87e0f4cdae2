import type { UserPayload } from '../../protocol/entities.ts';

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
