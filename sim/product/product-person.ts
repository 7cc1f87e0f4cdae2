import * as v from 'valibot';
import { genderType } from '../../src/protocol/product/values.ts';

/**
 * A person that a server is started with. `price` is in coins a minute, `joined_at` in milliseconds since the epoch.
 */
export const productPerson = v.object({
  u_id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  nickname: v.string(),
  gender_type: genderType,
  age: v.number(),
  city: v.string(),
  price: v.number(),
  verified: v.boolean(),
  accepts_video: v.boolean(),
  joined_at: v.number(),
  /** Required for a login on a server that is not in demo mode. */
  password: v.optional(v.string()),
});
export type ProductPerson = v.InferOutput<typeof productPerson>;

/** The default user of the app, in demo mode alone (D19). */
const TEST_USER = 'testUser';

/** Returns the people that a server may have. */
export function welcomePeople(people: Iterable<ProductPerson>, isDemo: boolean): ProductPerson[] {
  return [...people].filter(({ u_id }) => isDemo || u_id !== TEST_USER);
}
