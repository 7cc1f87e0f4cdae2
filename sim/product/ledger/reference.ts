import * as v from 'valibot';

/** The purpose of a transfer. Each kind of transfer sets the fields that it has. */
export const reference = v.strictObject({
  /** The user who pays. */
  man: v.optional(v.string()),
  /** The user who earns. */
  woman: v.optional(v.string()),
  call: v.optional(v.string()),
  /** The minute of the call, from 1. */
  minute: v.optional(v.number()),
  gift: v.optional(v.string()),
  /** The number of gifts. */
  count: v.optional(v.number()),
  /** How many of the coins were bought, when not all were. Only bought coins earn points. */
  bought: v.optional(v.number()),
  channel: v.optional(v.string()),
  deposit: v.optional(v.string()),
  redemption: v.optional(v.string()),
});
export type Reference = v.InferOutput<typeof reference>;
