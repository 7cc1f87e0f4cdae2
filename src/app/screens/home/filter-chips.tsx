import { ChevronDown } from 'lucide-react';
import { m } from '../../i18n/generated/messages.js';
import type { PeopleFilter, PeopleTrait } from '../../people/people-filter.ts';
import styles from './filter-chips.module.css';

interface FilterChipsProps {
  filter: PeopleFilter;
  cities: readonly string[];
  onChange(filter: PeopleFilter): void;
}

const names: Record<PeopleTrait, () => string> = {
  online: m.filter_online,
  new: m.filter_new,
  video: m.filter_video,
  verified: m.filter_verified,
};

export function FilterChips({ filter, cities, onChange }: FilterChipsProps) {
  const chip = (trait: PeopleTrait) => (
    <button
      key={trait}
      type="button"
      className={styles.chip}
      aria-pressed={filter.traits.has(trait)}
      onClick={() => onChange({ ...filter, traits: toggled(filter.traits, trait) })}
    >
      {names[trait]()}
    </button>
  );

  return (
    <div className={styles.chips} role="group" aria-label={m.home_filters()}>
      {chip('online')}
      {chip('new')}
      <span className={styles.nearby} data-pressed={filter.city !== null || undefined}>
        <select
          className={styles.chip}
          aria-label={m.filter_nearby_label()}
          value={filter.city ?? ''}
          onChange={(event) => onChange({ ...filter, city: event.target.value || null })}
        >
          <option value="">{m.filter_nearby()}</option>
          {withChosen(cities, filter.city).map((city) => (
            <option key={city} value={city}>
              {city}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" size={16} />
      </span>
      {chip('video')}
      {chip('verified')}
    </div>
  );
}

function toggled(traits: ReadonlySet<PeopleTrait>, trait: PeopleTrait): ReadonlySet<PeopleTrait> {
  const next = new Set(traits);
  if (!next.delete(trait)) next.add(trait);
  return next;
}

/** A city from the address is offered even while, or although, nobody is there. */
function withChosen(cities: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || cities.includes(chosen) ? cities : [...cities, chosen];
}
