import * as v from 'valibot';
import { OwnerProofField } from '../verification-codes/owner-proof-field.tsx';
import { NO_PROOF, typedProof } from '../verification-codes/owner-proof.ts';
import { newPasswordField } from '../../../ui/forms/fields.ts';
import { PasswordChoice } from '../../../ui/forms/password-choice.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { UsernameOfPassword } from '../../../ui/forms/username-of-password.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useUi } from '../../../ui/use-ui.ts';
import styles from './settings.module.css';

const schema = v.object({ password: newPasswordField, proof: typedProof });

/** Changes the password, or sets the first one, after the user has proved to own the account. */
export function ChangePassword({ onClose }: { onClose(): void }) {
  const { toasts } = useUi();
  const { data } = useProductQuery('ownerProofs', {});
  const { data: me } = useProductQuery('myProfile', {});
  const change = useProductMutation('changePassword', { invalidates: ['ownerProofs', 'sessions'] });
  const form = useForm({
    schema,
    initial: { password: '', proof: NO_PROOF },
    refusals: { wrong_credentials: () => m.owner_wrong() },
    async send(body) {
      await change.mutateAsync({ body });
      onClose();
      toasts.show(m.settings_password_changed());
    },
  });
  const title = data?.has_password === false ? m.settings_password_set() : m.settings_password_change();
  return (
    <Modal label={title} onClose={onClose}>
      <form {...form.props} className={styles.sheet}>
        <h2>{title}</h2>
        <p>{m.settings_password_text()}</p>
        <FormFailure words={form.failure} />
        <UsernameOfPassword />
        <PasswordChoice {...form.field('password')} label={m.password_new_label()} own={me ? [me.nickname] : []} />
        <OwnerProofField change="password" {...form.field('proof')} />
        <div className={styles.buttons}>
          <Button onClick={onClose}>{m.dialog_cancel()}</Button>
          <Button look="primary" type="submit" busy={form.isSending}>
            {title}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
