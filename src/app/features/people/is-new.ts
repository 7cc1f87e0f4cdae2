import type { Person } from '../../../protocol/product/people.ts';

const NEW_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/** Returns true for a user who has joined recently. */
export function isNew(person: Pick<Person, 'joined_at'>, now: number): boolean {
  return now - person.joined_at <= NEW_FOR_MS;
}
