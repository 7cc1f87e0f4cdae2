import { BadgeCheck, CircleAlert, Hourglass, RefreshCw, ShieldCheck, TimerOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import {
  type DocumentKind,
  type DocumentStep,
  type IdentityStatus,
  type RejectionReason,
  STEPS_OF,
} from '../../../../protocol/product/verification.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { formatDay } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../../ui/kit/button.tsx';
import { Checkbox, RadioCards } from '../../../../ui/kit/choices.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { ProgressSteps } from '../../../../ui/kit/progress-steps.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { TextArea } from '../../../ui/forms/text-area.tsx';
import { focusOnceActive } from '../../../../ui/layers/focus.ts';
import { outdate } from '../../../core/product/product-queries.ts';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useEvents } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import styles from './identity-verification.module.css';
import { pageOf } from './identity-steps.ts';
import { TakePicture } from './take-picture.tsx';

const NOTE_MOST = 200;
const NOT_BEGUN: { kind: DocumentKind; consent: boolean } = { kind: 'id_card', consent: false };

/** Guides a woman through the verification of her identity: a document, a picture of herself, a review. */
export default function IdentityVerification() {
  const { events } = useEvents();
  const queries = useQueryClient();
  const { data, error, refetch } = useProductQuery('identity', {});
  useEffect(() => events.on('verification_changed', () => outdate(queries, ['identity'])), [events, queries]);

  return (
    <div className={styles.screen}>
      <PageHeader title={m.identity_title()} lede={m.identity_lede()} back="/home-woman" />
      {data !== undefined && <Way identity={data} />}
      {data === undefined && error === null && (
        <div role="status" className={styles.way}>
          <span className="visually-hidden">{m.load_busy()}</span>
          <Skeleton className={styles.skeleton} />
        </div>
      )}
      {data === undefined && error !== null && (
        <StateCard icon={<CircleAlert />} title={m.load_failed()} hint={refusalText(error)} role="alert">
          <Button look="primary" onClick={() => void refetch()}>
            <RefreshCw aria-hidden="true" size={18} />
            {m.retry()}
          </Button>
        </StateCard>
      )}
      {/* Drawn after the part above it, since that part would move it while the user reads. */}
      {(data !== undefined || error !== null) && <Privacy canWithdraw={data !== undefined && data.state !== 'none'} />}
    </div>
  );
}

function Way({ identity }: { identity: IdentityStatus }) {
  const [chosen, setChosen] = useState<DocumentKind | null>(null);
  const [isSent, setIsSent] = useState(false);
  const put = useProductMutation('putIdentityDocument', { invalidates: ['identity'] });
  const kind = chosen ?? (identity.state === 'draft' ? identity.document_kind : null);
  const page = pageOf(identity, kind);
  if (page.page === 'status') {
    return (
      <Status identity={identity} isAnswer={isSent} onAgain={() => setChosen(identity.document_kind ?? 'id_card')} />
    );
  }
  if (page.page === 'start' || kind === null) return <Start onStart={setChosen} />;
  const names = [...STEPS_OF[kind].map(stepName), m.identity_review()];
  return (
    <section className={styles.way}>
      <ProgressSteps
        label={m.identity_progress()}
        doneText={m.step_done()}
        steps={names}
        present={page.page === 'picture' ? page.place : names.length - 1}
      />
      {page.page === 'picture' ? (
        <>
          <StepTitle key={page.step}>{stepName(page.step)}</StepTitle>
          <p className={styles.hint}>{stepHint(page.step)}</p>
          <TakePicture
            key={page.step}
            step={page.step}
            onPicture={(picture) => put.mutateAsync({ body: { document_kind: kind, step: page.step, picture } })}
          />
        </>
      ) : (
        <Review
          onDone={() => {
            setChosen(null);
            setIsSent(true);
          }}
        />
      )}
    </section>
  );
}

/** Renders the title of a step and moves the focus to it, so that a screen reader announces the step. */
function StepTitle({ children }: { children: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (title.current !== null) focusOnceActive(title.current, () => true);
  }, []);
  return (
    <h2 ref={title} tabIndex={-1}>
      {children}
    </h2>
  );
}

function Start({ onStart }: { onStart(kind: DocumentKind): void }) {
  const form = useForm({
    schema: v.object({
      kind: v.picklist(['id_card', 'passport', 'residence_permit']),
      consent: v.pipe(
        v.boolean(),
        v.literal(true, () => m.identity_consent_needed()),
      ),
    }),
    initial: NOT_BEGUN,
    send: async ({ kind }) => onStart(kind),
  });
  return (
    <form {...form.props} className={styles.way}>
      <RadioCards
        label={m.identity_kind()}
        value={form.values.kind}
        options={[
          { value: 'id_card', text: m.identity_id_card(), hint: m.identity_two_sides() },
          { value: 'passport', text: m.identity_passport(), hint: m.identity_one_page() },
          { value: 'residence_permit', text: m.identity_permit(), hint: m.identity_two_sides() },
        ]}
        onChange={(kind) => form.set('kind', kind)}
      />
      <Checkbox
        name="consent"
        label={m.identity_consent()}
        checked={form.values.consent}
        error={form.errors.consent}
        onChange={(agreed) => form.set('consent', agreed)}
      />
      <Button type="submit" look="primary">
        {m.identity_start()}
      </Button>
    </form>
  );
}

function Review({ onDone }: { onDone(): void }) {
  const submit = useProductMutation('submitIdentity', { invalidates: ['identity'] });
  const form = useForm({
    schema: v.object({
      note: v.pipe(
        v.string(),
        v.maxLength(NOTE_MOST, () => m.field_long({ most: String(NOTE_MOST) })),
      ),
    }),
    initial: { note: '' },
    async send({ note }) {
      await submit.mutateAsync({ body: { consent: true, note } });
      onDone();
    },
  });
  return (
    <form {...form.props} className={styles.way}>
      <StepTitle>{m.identity_review()}</StepTitle>
      <p className={styles.hint}>{m.identity_review_hint()}</p>
      <FormFailure words={form.failure} />
      <TextArea {...form.field('note')} label={m.identity_note()} optional={m.field_optional()} most={NOTE_MOST} />
      <Button type="submit" look="primary" busy={form.isSending}>
        {m.identity_submit()}
      </Button>
    </form>
  );
}

interface StatusProps {
  identity: IdentityStatus;
  /** True when the status answers the request that the user has just sent. */
  isAnswer: boolean;
  onAgain(): void;
}

function Status({ identity, isAnswer, onAgain }: StatusProps) {
  const { state, reasons, expires_at, tries_left, next_try_at } = identity;
  const again =
    tries_left > 0 ? (
      <Button look="primary" onClick={onAgain}>
        {m.identity_retry()}
      </Button>
    ) : (
      <p className={styles.hint}>{m.identity_no_tries({ day: formatDay(next_try_at ?? 0) })}</p>
    );
  if (state === 'pending') {
    return (
      <StateCard
        icon={<Hourglass />}
        title={m.identity_pending()}
        hint={m.identity_pending_hint()}
        isAnswer={isAnswer}
      />
    );
  }
  if (state === 'approved') {
    return (
      <StateCard
        icon={<BadgeCheck />}
        title={m.identity_approved()}
        hint={m.identity_approved_hint({ day: formatDay(expires_at ?? 0) })}
        isAnswer={isAnswer}
      >
        <LinkButton to="/home-woman">{m.welcome_go()}</LinkButton>
      </StateCard>
    );
  }
  if (state === 'rejected') {
    return (
      <StateCard
        icon={<CircleAlert />}
        title={m.identity_rejected()}
        hint={m.identity_rejected_hint()}
        isAnswer={isAnswer}
      >
        <Reasons reasons={reasons} />
        {again}
      </StateCard>
    );
  }
  return (
    <StateCard
      icon={<TimerOff />}
      title={state === 'expired' ? m.identity_expired() : m.identity_waiting()}
      hint={m.identity_expired_hint()}
      isAnswer={isAnswer}
    >
      {again}
    </StateCard>
  );
}

function Reasons({ reasons }: Pick<IdentityStatus, 'reasons'>) {
  return (
    <ul className={styles.reasons}>
      {reasons.map(({ step, reason }) => (
        <li key={step}>
          <strong>{stepName(step)}</strong> {reasonText(reason)}
        </li>
      ))}
    </ul>
  );
}

function Privacy({ canWithdraw }: { canWithdraw: boolean }) {
  const { dialogs } = useUi();
  const withdraw = useProductMutation('withdrawIdentity', { invalidates: ['identity'] });

  async function ask(): Promise<void> {
    const agreed = await dialogs.confirm({
      title: m.identity_withdraw_title(),
      text: m.identity_withdraw_text(),
      confirm: m.identity_withdraw_confirm(),
      isDangerous: true,
    });
    if (agreed) withdraw.mutate({});
  }

  return (
    <section className={styles.privacy}>
      <h2>
        <ShieldCheck aria-hidden="true" size={18} />
        {m.identity_privacy()}
      </h2>
      <p>{m.identity_privacy_text()}</p>
      {canWithdraw && (
        <Button look="plain" busy={withdraw.isPending} onClick={() => void ask()}>
          {m.identity_withdraw()}
        </Button>
      )}
      <FormFailure words={withdraw.error ? refusalText(withdraw.error) : null} />
    </section>
  );
}

function stepName(step: DocumentStep): string {
  return { front: m.identity_front, back: m.identity_back, selfie: m.identity_selfie }[step]();
}

function stepHint(step: DocumentStep): string {
  return { front: m.identity_front_hint, back: m.identity_back_hint, selfie: m.identity_selfie_hint }[step]();
}

function reasonText(reason: RejectionReason): string {
  return {
    unreadable: m.identity_unreadable,
    expired_document: m.identity_expired_document,
    no_match: m.identity_no_match,
  }[reason]();
}
