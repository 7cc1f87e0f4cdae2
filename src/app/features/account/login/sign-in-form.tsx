import { useState } from 'react';
import * as v from 'valibot';
import type { LoginAnswer } from '../../../../protocol/product/accounts.ts';
import { readContact } from '../../../../protocol/product/contact.ts';
import { CodeEntry } from '../verification-codes/code-entry.tsx';
import { createCodeRequest, secondsUntil } from '../verification-codes/code-request.ts';
import { codeField, contactField } from '../../../ui/forms/fields.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { PasswordField } from '../../../../ui/kit/password-field.tsx';
import { Segments } from '../../../../ui/kit/segments.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { ProductError } from '../../../core/product/product-error.ts';
import { refusalCode } from '../../../core/product/refusal-text.ts';
import { usePorts, useProduct, useTicks } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from '../register/page.module.css';

type Way = 'password' | 'code';

const needed = (): string => m.field_needed();
const schemas = {
  password: v.object({
    user_id: v.pipe(v.string(), v.trim(), v.minLength(1, needed)),
    password: v.pipe(v.string(), v.minLength(1, needed)),
    code: v.string(),
  }),
  code: v.object({
    user_id: contactField,
    password: v.string(),
    code: codeField,
  }),
};

interface SignInFormProps {
  onSignedIn(answer: LoginAnswer): void;
  onForgotten(): void;
}

/** Signs a user in by user id, phone number or e-mail address, with a password or a code. */
export function SignInForm({ onSignedIn, onForgotten }: SignInFormProps) {
  const ports = usePorts();
  const { product } = useProduct();
  const { seconds } = useTicks();
  const [way, setWay] = useState<Way>('password');
  const [lockedUntil, setLockedUntil] = useState(0);
  const locked = secondsUntil(lockedUntil, useStore(seconds));
  const [codes] = useState(() =>
    createCodeRequest({
      clock: ports.clock,
      request: (to) => product.ask('sendCode', { body: { to, purpose: 'login' } }),
    }),
  );
  const form = useForm({
    schema: schemas[way],
    initial: { user_id: '', password: '', code: '' },
    async send({ user_id, password, code }) {
      try {
        onSignedIn(
          await product.ask('login', { body: way === 'password' ? { user_id, password } : { user_id, code } }),
        );
      } catch (error) {
        if (refusalCode(error) === 'locked' && error instanceof ProductError) {
          setLockedUntil(ports.clock.wallTime() + (error.refusal?.retry_after ?? 60) * 1_000);
        }
        throw error;
      }
    },
  });
  const isLocked = way === 'password' && locked > 0;

  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={isLocked ? m.login_locked({ seconds: formatNumber(locked) }) : form.failure} />
      <TextField
        {...form.field('user_id')}
        label={m.login_identifier()}
        hint={m.login_identifier_hint()}
        autoComplete="username"
      />
      <WayChoice way={way} onChange={setWay} />
      {way === 'password' ? (
        <PasswordField
          {...form.field('password')}
          label={m.password_label()}
          showLabel={m.password_show()}
          autoComplete="current-password"
        />
      ) : (
        <CodeEntry {...form.field('code')} request={codes} to={readContact(form.values.user_id)?.value ?? null} />
      )}
      <Button type="submit" look="primary" busy={form.isSending} disabled={isLocked}>
        {m.login_submit()}
      </Button>
      <Button look="plain" onClick={onForgotten}>
        {m.login_forgotten()}
      </Button>
    </form>
  );
}

function WayChoice({ way, onChange }: { way: Way; onChange(way: Way): void }) {
  return (
    <Segments<Way>
      label={m.login_way()}
      options={[
        { value: 'password', text: m.password_label() },
        { value: 'code', text: m.code_label() },
      ]}
      value={way}
      onChange={onChange}
    />
  );
}
