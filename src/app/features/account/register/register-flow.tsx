import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { GenderType } from '../../../../protocol/product/values.ts';
import { withData } from '../../../ui/data/with-data.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { ProgressSteps } from '../../../../ui/kit/progress-steps.tsx';
import { focusScreen } from '../../../../ui/layers/focus.ts';
import { Brand } from '../../shell/brand.tsx';
import { onDemand } from '../../shell/on-demand.tsx';
import { AccountStep } from './account-step.tsx';
import { OfflineNote } from './offline-note.tsx';
import styles from './page.module.css';
import { type Registration, type RegisterStep, useRegistration } from './use-registration.ts';

const loading = <Skeleton className={styles.loading} />;
const { Part: BasicsStep, preload: preloadBasics } = onDemand(
  async () => (await import('./basics-step.tsx')).BasicsStep,
  loading,
);
const { Part: PhotoStep, preload: preloadPhoto } = onDemand(
  async () => (await import('./photo-step.tsx')).PhotoStep,
  loading,
);
const { Part: ServiceStep, preload: preloadService } = onDemand(
  () => withData(async () => (await import('./service-step.tsx')).ServiceStep),
  loading,
);
const { Part: Welcome, preload: preloadWelcome } = onDemand(
  () => withData(async () => (await import('./welcome.tsx')).Welcome),
  loading,
);

interface RegisterFlowProps {
  kind: GenderType;
  openPresence(): void;
}

/**
 * Guides a new user through the steps of the registration. Going back or reloading keeps the input, except password and
 * code.
 */
export function RegisterFlow({ kind, openPresence }: RegisterFlowProps) {
  const registration = useRegistration(kind, openPresence);
  const { step } = registration;
  /** The first step, until another step is shown. The shell sets the focus when the screen opens. */
  const firstStep = useRef<RegisterStep | null>(step);

  // Loads the code of the later steps while the user fills in the first one.
  useEffect(() => {
    preloadBasics();
    preloadPhoto();
    if (kind === 'woman') preloadService();
    preloadWelcome();
  }, [kind]);

  // Each step starts at its top with the focus on its title, as a page would.
  useEffect(() => {
    if (step === firstStep.current) return;
    firstStep.current = null;
    scrollTo({ top: 0, behavior: 'instant' });
    focusScreen();
  }, [step]);

  return (
    <main className={styles.page}>
      <Link to="/home" className={styles.back}>
        <Brand />
      </Link>
      {step !== 'done' && <Progress registration={registration} />}
      <StepForm registration={registration} />
    </main>
  );
}

/** Shows the title of the registration and its progress. */
function Progress({ registration: { kind, step, steps } }: { registration: Registration }) {
  const place = useId();
  const names = {
    account: m.step_account(),
    basics: m.step_basics(),
    photo: m.step_photo(),
    service: m.step_service(),
    done: '',
  };
  return (
    <>
      <header>
        <h1 aria-describedby={place}>{kind === 'man' ? m.register_man_title() : m.register_woman_title()}</h1>
        <p id={place}>{m.register_step({ step: String(steps.indexOf(step) + 1), steps: String(steps.length) })}</p>
      </header>
      <ProgressSteps
        label={m.register_progress()}
        doneText={m.step_done()}
        steps={steps.map((one) => names[one])}
        present={steps.indexOf(step)}
      />
      <OfflineNote />
    </>
  );
}

/** Shows the form of the present step, or the welcome after the last one. */
function StepForm({ registration }: { registration: Registration }) {
  const { kind, draft, finish, go, step } = registration;
  switch (step) {
    case 'account':
      return <Account registration={registration} />;
    case 'basics':
      return (
        <BasicsStep draft={draft} onBack={(basics) => go('account', basics)} onDone={(basics) => go('photo', basics)} />
      );
    case 'photo':
      return (
        <PhotoStep
          photo={registration.photo}
          isLast={kind === 'man'}
          onPhoto={registration.setPhoto}
          onBack={() => go('basics')}
          onDone={async () => {
            if (kind === 'man') return finish({});
            go('service');
          }}
        />
      );
    case 'service':
      return <ServiceStep draft={draft} onBack={(offer) => go('photo', offer)} onDone={(offer) => finish(offer)} />;
    case 'done':
      return <Welcome kind={kind} nickname={draft.nickname} isPhotoLost={registration.isPhotoLost} />;
    default:
      return step satisfies never;
  }
}

function Account({ registration }: { registration: Registration }) {
  const { codes, draft, go, keep, secrets, setSecrets } = registration;
  return (
    <>
      <AccountStep
        {...secrets}
        contact={draft.contact}
        codes={codes}
        onContact={(contact) => keep({ contact })}
        onDone={({ contact, password, code }) => {
          setSecrets({ password, code });
          go('basics', { contact });
        }}
      />
      <p className={styles.other}>
        {m.register_have_account()} <Link to="/login">{m.login_window_title()}</Link>
      </p>
    </>
  );
}
