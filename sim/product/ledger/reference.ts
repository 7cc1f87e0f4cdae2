import * as v from 'valibot';

/** What a transfer is for. Each kind of transfer names what it has. */
export const reference = v.strictObject({
  /** The two it is between: who pays and who earns. */
  man: v.optional(v.string()),
  woman: v.optional(v.string()),
  call: v.optional(v.string()),
  /** Which minute of the call, from 1. */
  minute: v.optional(v.number()),
  gift: v.optional(v.string()),
  /** How many of the gift. */
  count: v.optional(v.number()),
  /** How many of the coins were bought, where not all were: they alone earn. */
  bought: v.optional(v.number()),
  channel: v.optional(v.string()),
  deposit: v.optional(v.string()),
  redemption: v.optional(v.string()),
});
export type Reference = v.InferOutput<typeof reference>;
