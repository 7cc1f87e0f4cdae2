import type { CallUserPayload } from '../../protocol/entities.ts';
import type { DirectCallRole } from '../../protocol/enumerations.ts';
import { User } from '../host/user.ts';
import type { CustomItems } from '../host/custom-items.ts';

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

/** The users and the data of a call. The caller gets the id and the callee's name with the acknowledgement. */
export class CallIdentity {
  readonly role: DirectCallRole;
  readonly isVideoCall: boolean;
  #callId = '';
  #caller: DirectCallUser;
  #callee: DirectCallUser;
  #customItems: CustomItems;
  #customItemsAt = 0;

  constructor(facts: {
    role: DirectCallRole;
    isVideoCall: boolean;
    callId?: string;
    caller: CallUserPayload;
    callee: CallUserPayload;
    customItems: CustomItems;
  }) {
    this.role = facts.role;
    this.isVideoCall = facts.isVideoCall;
    this.#callId = facts.callId ?? '';
    this.#caller = new DirectCallUser(facts.caller);
    this.#callee = new DirectCallUser(facts.callee);
    this.#customItems = { ...facts.customItems };
  }

  get callId(): string {
    return this.#callId;
  }

  get caller(): DirectCallUser {
    return this.#caller;
  }

  get callee(): DirectCallUser {
    return this.#callee;
  }

  get local(): DirectCallUser {
    return this.role === 'dc_caller' ? this.#caller : this.#callee;
  }

  get remote(): DirectCallUser {
    return this.role === 'dc_caller' ? this.#callee : this.#caller;
  }

  /** A copy, since hosts may freeze it. */
  get customItems(): CustomItems {
    return { ...this.#customItems };
  }

  /** Sets the call's id and users from the acknowledgement of the exchange. */
  acknowledged(facts: {
    call_id: string;
    caller: CallUserPayload;
    callee: CallUserPayload;
    custom_items: CustomItems;
  }): void {
    this.#callId = facts.call_id;
    this.#caller = new DirectCallUser(facts.caller);
    this.#callee = new DirectCallUser(facts.callee);
    this.#customItems = { ...facts.custom_items };
  }

  /** Applies newer custom items, not older ones (§3). Returns whether it applied them. */
  updateCustomItems(items: CustomItems, affectedAt: number): boolean {
    if (affectedAt <= this.#customItemsAt) return false;
    this.#customItemsAt = affectedAt;
    this.#customItems = { ...items };
    return true;
  }

  /** Returns the participant with this user id. Null without one. */
  participant(userId: string | null): DirectCallUser | null {
    return [this.#caller, this.#callee].find((user) => user.userId === userId) ?? null;
  }
}
