import type { Person } from '../../protocol/product.ts';

/** The chips above the grid. Each narrows; together they narrow further. */
export const peopleTraits = ['online', 'new', 'video', 'verified'] as const;
export type PeopleTrait = (typeof peopleTraits)[number];

export interface PeopleFilter {
  readonly traits: ReadonlySet<PeopleTrait>;
  readonly city: string | null;
}

const NEW_FOR_MS = 7 * 24 * 60 * 60 * 1000;

export function filterPeople(people: readonly Person[], filter: PeopleFilter, now: number): readonly Person[] {
  return people.filter(
    (person) =>
      (filter.city === null || person.city === filter.city) &&
      Array.from(filter.traits).every((trait) => hasTrait(person, trait, now)),
  );
}

export function isNew(person: Person, now: number): boolean {
  return now - person.joined_at <= NEW_FOR_MS;
}

function hasTrait(person: Person, trait: PeopleTrait, now: number): boolean {
  switch (trait) {
    case 'online':
      return person.presence === 'online';
    case 'new':
      return isNew(person, now);
    case 'video':
      return person.accepts_video;
    case 'verified':
      return person.verified;
    default:
      return trait satisfies never;
  }
}

/** The cities to choose from, in the order in which they are spelt. */
export function citiesOf(people: readonly Person[], locale: string): readonly string[] {
  return Array.from(new Set(people.map((person) => person.city))).toSorted(new Intl.Collator(locale).compare);
}
