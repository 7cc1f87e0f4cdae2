import { useState } from 'react';
import type { OwnerChange } from '../../../../protocol/product/accounts.ts';
import { formatMoment } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { PasswordField } from '../../../../ui/kit/password-field.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import type { FieldControl } from '../../../../ui/kit/text-field.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { usePorts, useProduct } from '../../../core/hooks/areas.ts';
import { CodeEntry } from './code-entry.tsx';
import { createCodeRequest } from './code-request.ts';
import type { TypedProof } from './owner-proof.ts';
import styles from './owner-proof.module.css';

interface OwnerProofFieldProps extends FieldControl<TypedProof> {
  /** The change that the proof is for. A code is valid only for this change. */
  change: OwnerChange;
  error?: string | undefined;
}

/** Asks the user to prove to own the account, by the password or by a code to a confirmed contact. */
export function OwnerProofField({ change, value, onChange, error, ...field }: OwnerProofFieldProps) {
  const ports = usePorts();
  const { product } = useProduct();
  const { data, error: failure, refetch } = useProductQuery('ownerProofs', {});
  const [codes] = useState(() =>
    createCodeRequest({ clock: ports.clock, request: () => product.ask('sendOwnerCode', { body: { change } }) }),
  );
  const fits = data?.has_password ? 'password' : 'code';
  // A method that was chosen earlier may no longer be available after a change of contact.
  const isToBeHad = { password: data?.has_password !== false, code: data?.contact !== null };
  const by = value.by !== null && isToBeHad[value.by] ? value.by : fits;
  const hasBoth = data?.has_password === true && data.contact !== null;
  const takesText = data !== undefined && (by === 'password' || data.contact !== null);
  const typed = {
    ...field,
    value: by === value.by ? value.text : '',
    onChange: (text: string) => onChange({ by, text }),
  };
  return (
    <fieldset className={styles.proof}>
      <legend>{m.owner_title()}</legend>
      <p className={styles.hint}>{m.owner_hint()}</p>
      {data === undefined && !failure && <Skeleton className={styles.skeleton} />}
      {data === undefined && failure && (
        <>
          <FormFailure words={refusalText(failure)} />
          <Button onClick={() => void refetch()}>{m.retry()}</Button>
        </>
      )}
      {data && by === 'password' && (
        <PasswordField
          showLabel={m.password_show()}
          {...typed}
          error={error}
          label={change === 'password' ? m.owner_password_now() : m.password_label()}
          autoComplete="current-password"
        />
      )}
      {data && by === 'code' && data.contact !== null && (
        <>
          <p className={styles.hint}>{m.owner_code_to({ contact: data.contact })}</p>
          <CodeEntry {...typed} label={m.owner_code_label()} error={error} request={codes} to={data.contact} isMasked />
        </>
      )}
      {data && data.contact === null && (by === 'code' || data.contact_from !== null) && (
        <p className={styles.hint}>
          {data.contact_from === null ? m.owner_none() : m.owner_cooling({ at: formatMoment(data.contact_from) })}
        </p>
      )}
      {!takesText && data !== undefined && <FormFailure words={error ?? null} />}
      {hasBoth && (
        <Button look="plain" onClick={() => onChange({ by: by === 'code' ? 'password' : 'code', text: '' })}>
          {by === 'code' ? m.owner_by_password() : m.owner_by_code()}
        </Button>
      )}
    </fieldset>
  );
}
