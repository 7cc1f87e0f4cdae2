import { passwordStrength } from '../../../protocol/product/password-rules.ts';
import { m } from '../../i18n/generated/messages.js';
import { Meter } from '../../kit/meter.tsx';

const MOST = 4;

/** How hard a password is to guess, while it is chosen. */
export function PasswordStrength({ password, own }: { password: string; own: readonly string[] }) {
  const words = [m.strength_none, m.strength_weak, m.strength_fair, m.strength_good, m.strength_strong];
  const strength = passwordStrength(password, own);
  return <Meter label={m.strength_label()} value={strength} max={MOST} text={words[strength]?.() ?? ''} />;
}
