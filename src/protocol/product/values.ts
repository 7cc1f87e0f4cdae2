/** Values that several areas share. */
import * as v from 'valibot';

/** The two kinds of users (app-shell §1). */
export const genderType = v.picklist(['man', 'woman']);
export type GenderType = v.InferOutput<typeof genderType>;

/** The presence of a user as others see it. */
export const presence = v.picklist(['online', 'in_call', 'offline']);
export type Presence = v.InferOutput<typeof presence>;

/** A user id in a request. */
export const userId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

/** A time, milliseconds since the epoch. */
export const time = v.number();

/** The empty answer of a successful request. */
export const done = v.strictObject({});

const PAGE_ITEMS = 20;
const PAGE_MOST = 50;

/** The query of every paged request. `cursor` is the `next` of the former page. `limit` is at most 50 (default: 20). */
export const pageQuery = {
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  limit: v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(PAGE_MOST)),
    String(PAGE_ITEMS),
  ),
};

/** Makes the schema of a page. `next` is the cursor of the next page, null on the last. */
export const pageOf = <const Item extends v.GenericSchema>(item: Item) =>
  v.object({ items: v.array(item), next: v.nullable(v.string()) });
