import { passwordStrength } from '../../../protocol/product/password-rules.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Meter } from '../../../ui/kit/meter.tsx';
import { PasswordField } from '../../../ui/kit/password-field.tsx';
import type { FieldControl } from '../../../ui/kit/text-field.tsx';
import styles from './password-choice.module.css';

const MOST = 4;

interface PasswordChoiceProps extends FieldControl<string> {
  label: string;
  /** The user's own data that a password must not contain, as far as the page knows it. */
  own?: readonly string[];
  error?: string | undefined;
}

/** Shows a field for a new password, and how hard the password is to guess. */
export function PasswordChoice({ own = [], ...field }: PasswordChoiceProps) {
  const words = [m.strength_none, m.strength_weak, m.strength_fair, m.strength_good, m.strength_strong];
  const strength = passwordStrength(field.value, own);
  return (
    <div className={styles.choice}>
      <PasswordField {...field} hint={m.password_hint()} showLabel={m.password_show()} autoComplete="new-password" />
      <Meter label={m.strength_label()} value={strength} max={MOST} text={words[strength]?.() ?? ''} />
    </div>
  );
}
