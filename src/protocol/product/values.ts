/** Values that several areas speak of. */
import * as v from 'valibot';

/** The two kinds of users (app-shell §1). */
export const genderType = v.picklist(['man', 'woman']);
export type GenderType = v.InferOutput<typeof genderType>;

/** What others see of somebody's presence. */
export const presence = v.picklist(['online', 'in_call', 'offline']);
export type Presence = v.InferOutput<typeof presence>;

/** A user id, as requests name somebody. */
export const userId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

/** Milliseconds since the epoch. */
export const time = v.number();

/** An answer that says no more than that it was done. */
export const done = v.strictObject({});

const PAGE_ITEMS = 20;
const PAGE_MOST = 50;

/** What every paged request takes: `cursor` as the page before named it, `limit` at most 50 (20). */
export const pageQuery = {
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  limit: v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(PAGE_MOST)),
    String(PAGE_ITEMS),
  ),
};

/** A page: `next` is the cursor of the page after it, null on the last. */
export const pageOf = <const Item extends v.GenericSchema>(item: Item) =>
  v.object({ items: v.array(item), next: v.nullable(v.string()) });
