import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { GenderType } from '../../../../protocol/product/values.ts';
import { createCodeRequest } from '../verification-codes/code-request.ts';
import { withData } from '../../../ui/data/with-data.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { ProgressSteps } from '../../../ui/kit/progress-steps.tsx';
import { focusScreen } from '../../../ui/layers/focus-screen.ts';
import type { ChosenPhoto } from '../../people/chosen-photo.ts';
import { usePorts, useProduct, useSession } from '../../../core/hooks/areas.ts';
import { Brand } from '../../shell/brand.tsx';
import { onDemand } from '../../shell/on-demand.tsx';
import { AccountStep } from './account-step.tsx';
import { OfflineNote } from './offline-note.tsx';
import styles from './page.module.css';
import { forgetDraft, loadDraft, type RegistrationDraft, saveDraft } from './registration-draft.ts';
import { putFirstPhoto, registrationOf, type Secrets } from './registration.ts';

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

type Step = 'account' | 'basics' | 'photo' | 'service' | 'done';

/**
 * Guides a new user through the steps of the registration. Going back or reloading keeps the input, except password and
 * code.
 */
export function RegisterFlow({ kind, openPresence }: RegisterFlowProps) {
  const ports = usePorts();
  const { product } = useProduct();
  const { session } = useSession();
  const [draft, setDraft] = useState(() => loadDraft(ports.sessionStorage, kind));
  const [secrets, setSecrets] = useState<Secrets>({ password: '', code: '' });
  const [photo, setPhoto] = useState<ChosenPhoto | null>(null);
  const [step, setStep] = useState<Step>('account');
  const [isPhotoLost, setIsPhotoLost] = useState(false);
  /** The first step, until another step is shown. The shell sets the focus when the screen opens. */
  const firstStep = useRef<Step | null>(step);
  const place = useId();
  const [codes] = useState(() =>
    createCodeRequest({
      clock: ports.clock,
      request: (to) => product.ask('sendCode', { body: { to, purpose: 'register' } }),
    }),
  );
  const steps: readonly Step[] =
    kind === 'man' ? ['account', 'basics', 'photo'] : ['account', 'basics', 'photo', 'service'];
  const names = {
    account: m.step_account(),
    basics: m.step_basics(),
    photo: m.step_photo(),
    service: m.step_service(),
    done: '',
  };

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
    session.signIn(answer);
    openPresence();
    if (photo !== null) await addPhoto(photo);
    setStep('done');
  }

  /**
   * Adds the chosen photo. A failure does not undo the registration: the account exists, and a photo can be added
   * later.
   */
  async function addPhoto(chosen: ChosenPhoto): Promise<void> {
    try {
      const { portraitOf } = await import('../../people/chosen-photo.ts');
      await putFirstPhoto(product, await portraitOf(chosen));
    } catch (error) {
      ports.logger.warn('the photo was not added', error);
      setIsPhotoLost(true);
    }
  }

  return (
    <main className={styles.page}>
      <Link to="/home" className={styles.back}>
        <Brand />
      </Link>
      {step === 'done' ? (
        <Welcome kind={kind} nickname={draft.nickname} isPhotoLost={isPhotoLost} />
      ) : (
        <>
          <header>
            <h1 aria-describedby={place}>{kind === 'man' ? m.register_man_title() : m.register_woman_title()}</h1>
            <p id={place}>{m.register_step({ step: String(steps.indexOf(step) + 1), steps: String(steps.length) })}</p>
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
          onBack={(basics) => {
            keep(basics);
            setStep('account');
          }}
          onDone={(basics) => {
            keep(basics);
            setStep('photo');
          }}
        />
      )}
      {step === 'photo' && (
        <PhotoStep
          photo={photo}
          isLast={kind === 'man'}
          onPhoto={setPhoto}
          onBack={() => setStep('basics')}
          onDone={async () => {
            if (kind === 'man') return finish({});
            setStep('service');
          }}
        />
      )}
      {step === 'service' && (
        <ServiceStep
          draft={draft}
          onBack={(offer) => {
            keep(offer);
            setStep('photo');
          }}
          onDone={(offer) => finish(offer)}
        />
      )}
    </main>
  );
}
