import { AtSign, CircleAlert, RefreshCw, Smartphone } from 'lucide-react';
import { useState } from 'react';
import * as v from 'valibot';
import { readContact } from '../../../../protocol/product/contact.ts';
import type { ContactStatus } from '../../../../protocol/product/verification.ts';
import { CodeEntry } from '../verification-codes/code-entry.tsx';
import { createCodeRequest } from '../verification-codes/code-request.ts';
import { OwnerProofField } from '../verification-codes/owner-proof-field.tsx';
import { NO_PROOF, typedProof } from '../verification-codes/owner-proof.ts';
import { codeField } from '../../../ui/forms/fields.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { UsernameOfPassword } from '../../../ui/forms/username-of-password.tsx';
import { formatMoment } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { refusalText, waitText } from '../../../core/product/refusal-text.ts';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { usePorts, useProduct, useSession, useTicks } from '../../../core/hooks/areas.ts';
import { homePath } from '../../../core/session/home-path.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './account-verification.module.css';

type Kind = ContactStatus['kind'];

/**
 * Shows the e-mail address and phone number of the user. A code sent to the new address or number confirms a change.
 */
export default function AccountVerification() {
  const { data, error, refetch } = useProductQuery('contacts', {});
  const { user } = useSession();
  const { minutes } = useTicks();
  const { genderType } = useStore(user.user);
  const now = useStore(minutes);
  const [changes, setChanges] = useState<Kind | null>(null);
  return (
    <div className={styles.screen}>
      <PageHeader title={m.account_title()} lede={m.account_lede()} back={homePath(genderType)} />
      {data === undefined && error === null && <Loading />}
      {data === undefined && error !== null && (
        <StateCard icon={<CircleAlert />} title={m.load_failed()} hint={refusalText(error)} role="alert">
          <Button look="primary" onClick={() => void refetch()}>
            <RefreshCw aria-hidden="true" size={18} />
            {m.retry()}
          </Button>
        </StateCard>
      )}
      <ul className={styles.list}>
        {data?.contacts.map((contact) => (
          <li key={contact.kind} className={styles.contact}>
            <ListRow
              start={contact.kind === 'email' ? <AtSign aria-hidden="true" /> : <Smartphone aria-hidden="true" />}
              title={nameOf(contact.kind)}
              detail={contact.masked ?? m.account_none()}
              end={
                contact.verified_at === null ? (
                  <StatusChip tone="calm">{m.account_missing()}</StatusChip>
                ) : (
                  <StatusChip tone="good">{m.account_verified()}</StatusChip>
                )
              }
            />
            {(contact.confirms_from ?? 0) > now && (
              <p className={styles.hint}>{m.account_confirms_from({ at: formatMoment(contact.confirms_from ?? 0) })}</p>
            )}
            {changes === contact.kind ? (
              <ChangeContact kind={contact.kind} onDone={() => setChanges(null)} />
            ) : (
              <Button onClick={() => setChanges(contact.kind)}>
                {contact.masked === null ? m.account_add() : m.account_change()}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data && <p className={styles.hint}>{m.account_recovery()}</p>}
    </div>
  );
}

function ChangeContact({ kind, onDone }: { kind: Kind; onDone(): void }) {
  const ports = usePorts();
  const { product } = useProduct();
  const { data } = useProductQuery('ownerProofs', {});
  const confirm = useProductMutation('confirmContact', { invalidates: ['contacts', 'ownerProofs', 'points'] });
  const [codes] = useState(() =>
    createCodeRequest({
      clock: ports.clock,
      request: (contact) => product.ask('changeContact', { body: { contact } }),
    }),
  );
  const isOfKind = (typed: string): boolean => readContact(typed)?.kind === kind;
  const form = useForm({
    schema: v.object({
      contact: v.pipe(
        v.string(),
        v.check(isOfKind, () => (kind === 'email' ? m.email_wrong() : m.phone_wrong())),
      ),
      code: codeField,
      proof: typedProof,
    }),
    initial: { contact: '', code: '', proof: NO_PROOF },
    refusals: { wrong_credentials: () => m.owner_wrong() },
    async send(body) {
      await confirm.mutateAsync({ body });
      onDone();
    },
  });
  const { contact } = form.values;
  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure} />
      <TextField
        {...form.field('contact')}
        label={kind === 'email' ? m.account_new_email() : m.account_new_phone()}
        type={kind === 'email' ? 'email' : 'tel'}
        autoComplete={kind === 'email' ? 'email' : 'tel'}
      />
      <CodeEntry
        {...form.field('code')}
        request={codes}
        to={isOfKind(contact) ? (readContact(contact)?.value ?? null) : null}
      />
      <UsernameOfPassword />
      <OwnerProofField change="contact" {...form.field('proof')} />
      {data && <p className={styles.hint}>{m.account_cool_off({ wait: waitText(data.cool_off_seconds) })}</p>}
      <div className={styles.buttons}>
        <Button onClick={onDone}>{m.dialog_cancel()}</Button>
        <Button type="submit" look="primary" busy={form.isSending}>
          {m.account_confirm()}
        </Button>
      </div>
    </form>
  );
}

function Loading() {
  return (
    <div role="status" className={styles.list}>
      <span className="visually-hidden">{m.load_busy()}</span>
      <Skeleton className={styles.skeleton} />
      <Skeleton className={styles.skeleton} />
    </div>
  );
}

const nameOf = (kind: Kind): string => (kind === 'email' ? m.account_email() : m.account_phone());
