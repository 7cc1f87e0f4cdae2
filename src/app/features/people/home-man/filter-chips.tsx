import { SlidersHorizontal } from 'lucide-react';
import { m } from '../../../core/i18n/generated/messages.js';
import { type DiscoverFilter, TRAITS, type Trait } from '../discover-filter.ts';
import styles from './filter-chips.module.css';

interface FilterChipsProps {
  filter: DiscoverFilter;
  onChange(filter: DiscoverFilter): void;
  /** Opens the sheet with the other filters. */
  onMore(): void;
}

const names: Record<Trait, () => string> = {
  online: m.filter_online,
  favorite: m.filter_favorite,
  new: m.filter_new,
  near: m.filter_nearby,
  video: m.filter_video,
  verified: m.filter_verified,
};

/** Renders a chip for each trait, and the button that opens the other filters. */
export function FilterChips({ filter, onChange, onMore }: FilterChipsProps) {
  const more = [filter.city, filter.age_from ?? filter.age_to, filter.price_to, filter.language];
  const count = more.filter((value) => value !== undefined).length;
  return (
    <div className={styles.chips} role="group" aria-label={m.home_filters()}>
      <button type="button" className={styles.chip} aria-haspopup="dialog" data-more={count > 0} onClick={onMore}>
        <SlidersHorizontal aria-hidden="true" size={16} />
        {count > 0 ? m.filter_more_count({ count }) : m.filter_more()}
      </button>
      {TRAITS.map((trait) => (
        <button
          key={trait}
          type="button"
          className={styles.chip}
          aria-pressed={filter[trait] !== undefined}
          onClick={() => {
            const { [trait]: chosen, ...rest } = filter;
            onChange(chosen === undefined ? { ...rest, [trait]: 'yes' } : rest);
          }}
        >
          {names[trait]()}
        </button>
      ))}
    </div>
  );
}
