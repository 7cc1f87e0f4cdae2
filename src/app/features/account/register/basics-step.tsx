import { HeartHandshake } from 'lucide-react';
import { useState } from 'react';
import * as v from 'valibot';
import { CITY_CHARACTERS, NICKNAME_CHARACTERS } from '../../../../protocol/product/profile-limits.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../../ui/kit/button.tsx';
import { DateField } from '../../../../ui/kit/date-field.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { usePorts, useProduct } from '../../../core/hooks/areas.ts';
import { lastAdultBirthday, refuseTaken } from './registration.ts';
import styles from './page.module.css';
import type { RegistrationDraft } from './registration-draft.ts';

type Basics = Pick<RegistrationDraft, 'nickname' | 'birthday' | 'city'>;

interface BasicsStepProps {
  draft: Basics;
  onBack(now: Basics): void;
  onDone(basics: Basics): void;
}

const needed = (): string => m.field_needed();
const text = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, needed),
    v.maxLength(most, () => m.field_long({ most: String(most) })),
  );
const schema = v.object({
  nickname: text(NICKNAME_CHARACTERS),
  birthday: v.pipe(v.string(), v.minLength(1, needed)),
  city: text(CITY_CHARACTERS),
});

/** Asks for the nickname, the birthday and the city. The registration of a user under eighteen ends here. */
export function BasicsStep({ draft, onBack, onDone }: BasicsStepProps) {
  const ports = usePorts();
  const { product } = useProduct();
  const [isTooYoung, setIsTooYoung] = useState(false);
  const lastDay = lastAdultBirthday(ports.clock.wallTime());
  const form = useForm({
    schema,
    initial: draft,
    async send(basics) {
      if (basics.birthday > lastDay) {
        setIsTooYoung(true);
        return;
      }
      await refuseTaken(product, basics.nickname);
      onDone(basics);
    },
  });

  if (isTooYoung) return <TooYoung onMend={() => setIsTooYoung(false)} />;
  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure} />
      <TextField
        {...form.field('nickname')}
        label={m.nickname_label()}
        hint={m.nickname_hint({ most: NICKNAME_CHARACTERS })}
        autoComplete="nickname"
        maxLength={NICKNAME_CHARACTERS}
      />
      <DateField
        {...form.field('birthday')}
        label={m.birthday_label()}
        hint={m.birthday_hint()}
        autoComplete="bday"
        max={new Date(ports.clock.wallTime()).toISOString().slice(0, 10)}
      />
      <TextField
        {...form.field('city')}
        label={m.city_label()}
        autoComplete="address-level2"
        suggestions={m.city_list().split('|')}
        maxLength={CITY_CHARACTERS}
      />
      <div className={styles.buttons}>
        <Button onClick={() => onBack(form.values)}>{m.register_back()}</Button>
        <Button type="submit" look="primary" busy={form.isSending}>
          {m.register_next()}
        </Button>
      </div>
    </form>
  );
}

/** Ends the registration. The user can mend a mistaken birthday. */
function TooYoung({ onMend }: { onMend(): void }) {
  return (
    <StateCard icon={<HeartHandshake />} title={m.too_young_title()} hint={m.too_young_hint()} role="alert">
      <LinkButton to="/home" look="primary">
        {m.too_young_leave()}
      </LinkButton>
      <Button look="plain" onClick={onMend}>
        {m.too_young_mend()}
      </Button>
    </StateCard>
  );
}
