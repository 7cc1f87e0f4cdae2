import { useState } from 'react';
import * as v from 'valibot';
import type { LoginAnswer } from '../../../../protocol/product/accounts.ts';
import { readContact } from '../../../../protocol/product/contact.ts';
import { CodeEntry } from '../verification-codes/code-entry.tsx';
import { createCodeRequest } from '../verification-codes/code-request.ts';
import { codeField, contactField, newPasswordField } from '../../../ui/forms/fields.ts';
import { PasswordChoice } from '../../../ui/forms/password-choice.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { usePorts, useProduct } from '../../../core/hooks/areas.ts';
import styles from '../register/page.module.css';

const schema = v.object({
  contact: contactField,
  code: codeField,
  password: newPasswordField,
});

interface ResetFormProps {
  onSignedIn(answer: LoginAnswer): void;
  onBack(): void;
}

/** Sets a new password after a code is confirmed. The server ends every other session of the user. */
export function ResetForm({ onSignedIn, onBack }: ResetFormProps) {
  const ports = usePorts();
  const { product } = useProduct();
  const [codes] = useState(() =>
    createCodeRequest({
      clock: ports.clock,
      request: (to) => product.ask('sendCode', { body: { to, purpose: 'reset' } }),
    }),
  );
  const form = useForm({
    schema,
    initial: { contact: '', code: '', password: '' },
    send: async (body) => onSignedIn(await product.ask('resetPassword', { body })),
  });
  const known = readContact(form.values.contact);

  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure} />
      <TextField {...form.field('contact')} label={m.contact_label()} autoComplete="username" />
      <CodeEntry {...form.field('code')} request={codes} to={known?.value ?? null} />
      <PasswordChoice {...form.field('password')} label={m.password_new_label()} own={[known?.value ?? '']} />
      <div className={styles.buttons}>
        <Button onClick={onBack}>{m.register_back()}</Button>
        <Button type="submit" look="primary" busy={form.isSending}>
          {m.reset_submit()}
        </Button>
      </div>
    </form>
  );
}
