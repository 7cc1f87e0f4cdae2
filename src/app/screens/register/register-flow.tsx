import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { GenderType } from '../../../protocol/product/values.ts';
import { createCodeRequest } from '../../codes/code-request.ts';
import { m } from '../../i18n/generated/messages.js';
import { ProgressSteps } from '../../kit/progress-steps.tsx';
import { useServices } from '../../services/services-context.ts';
import { Brand } from '../../shell/brand.tsx';
import { AccountStep } from './account-step.tsx';
import { BasicsStep } from './basics-step.tsx';
import { OfflineNote } from './offline-note.tsx';
import styles from './page.module.css';
import { forgetDraft, loadDraft, type RegistrationDraft, saveDraft } from './registration-draft.ts';
import { registrationOf, type Secrets } from './registration.ts';
import { ServiceStep } from './service-step.tsx';
import { Welcome } from './welcome.tsx';

interface RegisterFlowProps {
  kind: GenderType;
  openPresence(): void;
}

type Step = 'account' | 'basics' | 'service' | 'done';

/** From a contact to an account, step by step. Going back keeps what was filled in; so does a reload, but for the secrets. */
export function RegisterFlow({ kind, openPresence }: RegisterFlowProps) {
  const { product, session, ports } = useServices();
  const [draft, setDraft] = useState(() => loadDraft(ports.sessionStorage, kind));
  const [secrets, setSecrets] = useState<Secrets>({ password: '', code: '' });
  const [step, setStep] = useState<Step>('account');
  const [codes] = useState(() =>
    createCodeRequest({
      clock: ports.clock,
      request: (to) => product.ask('sendCode', { body: { to, purpose: 'register' } }),
    }),
  );
  const steps: readonly Step[] = kind === 'man' ? ['account', 'basics'] : ['account', 'basics', 'service'];
  const names = { account: m.step_account(), basics: m.step_basics(), service: m.step_service(), done: '' };

  // A step is a page of its own to whoever reads it out or scrolls.
  useEffect(() => {
    if (step !== 'account') scrollTo({ top: 0, behavior: 'instant' });
  }, [step]);

  function keep(changes: Partial<RegistrationDraft>): RegistrationDraft {
    const next = { ...draft, ...changes };
    setDraft(next);
    saveDraft(ports.sessionStorage, kind, next);
    return next;
  }

  async function finish(changes: Partial<RegistrationDraft>): Promise<void> {
    const body = registrationOf(kind, keep(changes), secrets);
    const answer = await product.ask('register', { body });
    forgetDraft(ports.sessionStorage, kind);
    setStep('done');
    session.signIn(answer);
    openPresence();
  }

  return (
    <main className={styles.page}>
      <Link to="/home" className={styles.back}>
        <Brand />
      </Link>
      {step === 'done' ? (
        <Welcome kind={kind} nickname={draft.nickname} />
      ) : (
        <>
          <header>
            <h1>{kind === 'man' ? m.register_man_title() : m.register_woman_title()}</h1>
            <p>{m.register_step({ step: String(steps.indexOf(step) + 1), steps: String(steps.length) })}</p>
          </header>
          <ProgressSteps
            label={m.register_progress()}
            steps={steps.map((one) => names[one])}
            present={steps.indexOf(step)}
          />
          <OfflineNote />
        </>
      )}
      {step === 'account' && (
        <>
          <AccountStep
            {...secrets}
            contact={draft.contact}
            codes={codes}
            onContact={(contact) => keep({ contact })}
            onDone={({ contact, password, code }) => {
              keep({ contact });
              setSecrets({ password, code });
              setStep('basics');
            }}
          />
          <p className={styles.other}>
            {m.register_have_account()} <Link to="/login">{m.login_window_title()}</Link>
          </p>
        </>
      )}
      {step === 'basics' && (
        <BasicsStep
          draft={draft}
          isLast={kind === 'man'}
          onBack={(basics) => {
            keep(basics);
            setStep('account');
          }}
          onDone={async (basics) => {
            if (kind === 'man') return finish(basics);
            keep(basics);
            setStep('service');
          }}
        />
      )}
      {step === 'service' && (
        <ServiceStep
          draft={draft}
          onBack={(offer) => {
            keep(offer);
            setStep('basics');
          }}
          onDone={(offer) => finish(offer)}
        />
      )}
    </main>
  );
}
