import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';
import { useForm } from '../../../ui/forms/use-form.ts';
import { UsernameOfPassword } from '../../../ui/forms/username-of-password.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { PasswordField } from '../../../../ui/kit/password-field.tsx';
import { useProduct, useSession } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import styles from './settings.module.css';

/** Closes the account permanently. */
export function CloseAccount() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section aria-labelledby="settings-close">
      <h2 id="settings-close">{m.settings_account()}</h2>
      <p className={styles.hint}>{m.settings_close_hint()}</p>
      <Button look="danger" onClick={() => setIsOpen(true)}>
        {m.settings_close()}
      </Button>
      {isOpen && <CloseSheet onClose={() => setIsOpen(false)} />}
    </section>
  );
}

/** Confirms the closing with the password, so that another person at an open page cannot close the account. */
function CloseSheet({ onClose }: { onClose(): void }) {
  const { product } = useProduct();
  const { session } = useSession();
  const { toasts } = useUi();
  const navigate = useNavigate();
  const form = useForm({
    schema: v.object({
      password: v.pipe(
        v.string(),
        v.minLength(1, () => m.field_needed()),
      ),
    }),
    initial: { password: '' },
    refusals: { wrong_credentials: () => m.settings_close_wrong() },
    async send(body) {
      await product.ask('deleteMe', { body });
      session.clear();
      toasts.show(m.settings_closed());
      await navigate('/home');
    },
  });
  return (
    <Modal label={m.settings_close()} onClose={onClose}>
      <form {...form.props} className={styles.sheet}>
        <h2>{m.settings_close()}</h2>
        <p>{m.settings_close_text()}</p>
        <FormFailure words={form.failure} />
        <UsernameOfPassword />
        <PasswordField
          {...form.field('password')}
          label={m.password_label()}
          showLabel={m.password_show()}
          autoComplete="current-password"
        />
        <div className={styles.buttons}>
          <Button onClick={onClose}>{m.dialog_cancel()}</Button>
          <Button look="danger" type="submit" busy={form.isSending}>
            {m.settings_close()}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
