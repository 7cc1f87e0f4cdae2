import { useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { Slider } from '../../../../ui/kit/choices.tsx';
import type { DiscoverFilter } from '../discover-filter.ts';
import { languageName } from '../language-name.ts';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import styles from './filter-sheet.module.css';

const YOUNGEST = 18;
const OLDEST = 60;
const DEAREST = 120;

interface FilterSheetProps {
  filter: DiscoverFilter;
  onChange(filter: DiscoverFilter): void;
  onClose(): void;
}

/** Edits the filters without a chip: city, age, price and language. */
export function FilterSheet({ filter, onChange, onClose }: FilterSheetProps) {
  const { data: options } = useProductQuery('options', {}, { staleTime: Infinity });
  const [draft, setDraft] = useState(filter);
  const { city: _city, age_from: _from, age_to: _to, price_to: _price, language: _language, ...traits } = draft;
  const set = (name: keyof DiscoverFilter, value: string | undefined): void => {
    const { [name]: _old, ...rest } = draft;
    setDraft(value === undefined ? rest : { ...rest, [name]: value });
  };

  return (
    <Modal label={m.filter_title()} onClose={onClose}>
      <form
        className={styles.sheet}
        onSubmit={(event) => {
          event.preventDefault();
          onChange(draft);
          onClose();
        }}
      >
        <h2>{m.filter_title()}</h2>
        <SelectField
          prompt={m.field_choose()}
          label={m.filter_city()}
          optional={m.field_optional()}
          value={draft.city ?? ''}
          options={(options?.cities ?? []).map((city) => ({ value: city, text: city }))}
          onChange={(value) => set('city', value || undefined)}
        />
        <Ranges draft={draft} set={set} />
        <SelectField
          prompt={m.field_choose()}
          label={m.filter_language()}
          optional={m.field_optional()}
          value={draft.language ?? ''}
          options={(options?.languages ?? []).map((code) => ({ value: code, text: languageName(code) }))}
          onChange={(value) => set('language', value || undefined)}
        />
        <div className={styles.actions}>
          <Button onClick={() => setDraft(traits)}>{m.home_empty_action()}</Button>
          <Button look="primary" type="submit">
            {m.filter_apply()}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface RangesProps {
  draft: DiscoverFilter;
  /** Sets one filter. Undefined removes it. */
  set(name: keyof DiscoverFilter, value: string | undefined): void;
}

/** Edits the ages and the highest price. The end of a slider is no filter. */
function Ranges({ draft, set }: RangesProps) {
  const from = Number(draft.age_from ?? YOUNGEST);
  const to = Number(draft.age_to ?? OLDEST);
  const price = Number(draft.price_to ?? DEAREST);

  return (
    <>
      <Slider
        label={m.filter_age_from()}
        value={from}
        min={YOUNGEST}
        max={OLDEST}
        text={m.age_years({ age: from })}
        onChange={(value) => set('age_from', value === YOUNGEST ? undefined : String(Math.min(value, to)))}
      />
      <Slider
        label={m.filter_age_to()}
        value={to}
        min={YOUNGEST}
        max={OLDEST}
        text={to === OLDEST ? m.filter_any_age() : m.age_years({ age: to })}
        onChange={(value) => set('age_to', value === OLDEST ? undefined : String(Math.max(value, from)))}
      />
      <Slider
        label={m.filter_price()}
        value={price}
        min={10}
        max={DEAREST}
        step={10}
        text={price === DEAREST ? m.filter_any_price() : m.person_price({ price })}
        onChange={(value) => set('price_to', value === DEAREST ? undefined : String(value))}
      />
    </>
  );
}
