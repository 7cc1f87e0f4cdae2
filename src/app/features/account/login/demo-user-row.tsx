import { ChevronRight } from 'lucide-react';
import type { DemoUser } from '../../../../protocol/product/accounts.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Picture } from '../../../ui/people/picture.tsx';
import styles from './demo-user-row.module.css';

interface DemoUserRowProps {
  user: DemoUser;
  isSigningIn: boolean;
  disabled: boolean;
  onChoose(): void;
}

/** Renders a demo user as a button that signs the visitor in. */
export function DemoUserRow({ user, isSigningIn, disabled, onChoose }: DemoUserRowProps) {
  const name = user.nickname || user.u_id;
  return (
    <button
      type="button"
      className={styles.row}
      disabled={disabled}
      aria-label={m.login_as({ name })}
      aria-busy={isSigningIn}
      onClick={onChoose}
    >
      <span className={styles.avatar}>
        <Picture url={user.profile_url} shape="round" />
      </span>
      <span className={styles.text}>
        <strong>{name}</strong>
        <small>{isSigningIn ? m.login_signing_in() : `${genderName(user)} · ${user.u_id}`}</small>
      </span>
      <ChevronRight aria-hidden="true" />
    </button>
  );
}

function genderName({ gender_type }: DemoUser): string {
  return gender_type === 'woman' ? m.gender_woman() : m.gender_man();
}
