import { Link } from 'react-router-dom';
import * as v from 'valibot';
import { readContact } from '../../../../protocol/product/contact.ts';
import { CodeEntry } from '../verification-codes/code-entry.tsx';
import type { CodeRequest } from '../verification-codes/code-request.ts';
import { codeField, contactField, newPasswordField } from '../../../ui/forms/fields.ts';
import { PasswordChoice } from '../../../ui/forms/password-choice.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Checkbox } from '../../../../ui/kit/choices.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { useProduct } from '../../../core/hooks/areas.ts';
import styles from './page.module.css';
import type { Secrets } from './registration.ts';

interface AccountStepProps extends Secrets {
  contact: string;
  codes: CodeRequest;
  onContact(contact: string): void;
  onDone(done: Secrets & { contact: string }): void;
}

const schema = v.pipe(
  v.object({
    contact: contactField,
    code: codeField,
    password: newPasswordField,
    terms: v.pipe(
      v.boolean(),
      v.literal(true, () => m.terms_needed()),
    ),
  }),
);

/** Asks for the contact and the password. The user continues only after the code is confirmed. */
export function AccountStep({ contact, password, code, codes, onContact, onDone }: AccountStepProps) {
  const { product } = useProduct();
  const form = useForm({
    schema,
    initial: { contact, code, password, terms: password !== '' },
    async send(values) {
      await product.ask('checkCode', {
        body: { to: values.contact, purpose: 'register', code: values.code },
      });
      onDone(values);
    },
  });
  const { onChange, ...field } = form.field('contact');
  const known = readContact(form.values.contact);

  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure} />
      <TextField
        {...field}
        label={m.contact_label()}
        hint={m.contact_hint()}
        autoComplete="username"
        onChange={(typed) => {
          onContact(typed);
          onChange(typed);
        }}
      />
      <CodeEntry {...form.field('code')} request={codes} to={known?.value ?? null} />
      <PasswordChoice {...form.field('password')} label={m.password_label()} own={[known?.value ?? '']} />
      <Checkbox
        name="terms"
        checked={form.values.terms}
        error={form.errors.terms}
        onChange={(agreed) => form.set('terms', agreed)}
        label={m.terms_label()}
      />
      <p className={styles.links}>
        <Link to="/service">{m.terms_service()}</Link>
        <Link to="/privacy">{m.terms_privacy()}</Link>
      </p>
      <Button type="submit" look="primary" busy={form.isSending}>
        {m.register_next()}
      </Button>
    </form>
  );
}
