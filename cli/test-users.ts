import type { ProductPerson } from '../sim/product/product-person.ts';
import { demoPeople } from '../sim/server/demo-people.ts';

/**
 * Creates test users from their ids. Each one has the profile of the demo user with the same id, or of another demo
 * user.
 */
export function testUsers(ids: readonly string[]): ProductPerson[] {
  const people = demoPeople();
  return [...new Set(ids)].flatMap((u_id, at) => {
    const known = people.find((person) => person.u_id === u_id);
    const model = known ?? people[at % people.length];
    return model ? [{ ...model, u_id, nickname: known?.nickname ?? u_id }] : [];
  });
}
