import { passwordStrength } from '../../../protocol/product/password-rules.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Meter } from '../kit/meter.tsx';
import { PasswordField } from '../kit/password-field.tsx';
import type { FieldControl } from '../kit/text-field.tsx';
import styles from './password-choice.module.css';

const MOST = 4;

interface PasswordChoiceProps extends FieldControl<string> {
  label: string;
  /** What belongs to the person, as far as it is known here. */
  own?: readonly string[];
  error?: string | undefined;
}

/** Has a password chosen, and says how hard it is to guess. */
export function PasswordChoice({ own = [], ...field }: PasswordChoiceProps) {
  const words = [m.strength_none, m.strength_weak, m.strength_fair, m.strength_good, m.strength_strong];
  const strength = passwordStrength(field.value, own);
  return (
    <div className={styles.choice}>
      <PasswordField {...field} hint={m.password_hint()} autoComplete="new-password" />
      <Meter label={m.strength_label()} value={strength} max={MOST} text={words[strength]?.() ?? ''} />
    </div>
  );
}
