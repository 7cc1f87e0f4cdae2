import { useState } from 'react';
import type { GenderType } from '../../../../protocol/product/values.ts';
import type { Logger } from '../../../core/ports/ports.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';
import { usePorts, useProduct, useSession } from '../../../core/hooks/areas.ts';
import type { ChosenPhoto } from '../../people/chosen-photo.ts';
import { type CodeRequest, createCodeRequest } from '../verification-codes/code-request.ts';
import { forgetDraft, loadDraft, type RegistrationDraft, saveDraft } from './registration-draft.ts';
import { putFirstPhoto, registrationOf, type Secrets } from './registration.ts';

/** A step of the registration, in order. `done` follows the last one. */
export type RegisterStep = 'account' | 'basics' | 'photo' | 'service' | 'done';

/** The registration of a new user, at one of its steps. */
export interface Registration {
  readonly kind: GenderType;
  readonly step: RegisterStep;
  /** The steps of this kind of user, without `done`. */
  readonly steps: readonly RegisterStep[];
  /** The input that going back or reloading keeps. */
  readonly draft: RegistrationDraft;
  /** The input that a reload loses. */
  readonly secrets: Secrets;
  readonly photo: ChosenPhoto | null;
  /** True when the user is registered and the photo was not added. */
  readonly isPhotoLost: boolean;
  readonly codes: CodeRequest;
  keep(changes: Partial<RegistrationDraft>): void;
  setSecrets(secrets: Secrets): void;
  setPhoto(photo: ChosenPhoto | null): void;
  /** Keeps the changes and shows another step. */
  go(step: RegisterStep, changes?: Partial<RegistrationDraft>): void;
  /**
   * Registers the user with the draft, the changes and the photo, and signs the user in.
   *
   * @throws ProductError when the product refuses the registration.
   */
  finish(changes: Partial<RegistrationDraft>): Promise<void>;
}

/** Returns the registration of a kind of user, which begins with the draft that a reload kept. */
export function useRegistration(kind: GenderType, openPresence: () => void): Registration {
  const ports = usePorts();
  const { product } = useProduct();
  const { session } = useSession();
  const [draft, setDraft] = useState(() => loadDraft(ports.sessionStorage, kind));
  const [secrets, setSecrets] = useState<Secrets>({ password: '', code: '' });
  const [photo, setPhoto] = useState<ChosenPhoto | null>(null);
  const [step, setStep] = useState<RegisterStep>('account');
  const [isPhotoLost, setIsPhotoLost] = useState(false);
  const [codes] = useState(() =>
    createCodeRequest({
      clock: ports.clock,
      request: (to) => product.ask('sendCode', { body: { to, purpose: 'register' } }),
    }),
  );

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
    if (photo !== null) setIsPhotoLost(!(await addPhoto(photo, product, ports.logger)));
    setStep('done');
  }

  return {
    kind,
    step,
    steps: kind === 'man' ? ['account', 'basics', 'photo'] : ['account', 'basics', 'photo', 'service'],
    draft,
    secrets,
    photo,
    isPhotoLost,
    codes,
    keep,
    setSecrets,
    setPhoto,
    go(next, changes) {
      if (changes !== undefined) keep(changes);
      setStep(next);
    },
    finish,
  };
}

/**
 * Adds the chosen photo. A failure does not undo the registration: the account exists, and a photo can be added later.
 *
 * @returns whether the photo was added.
 */
async function addPhoto(chosen: ChosenPhoto, product: Pick<ProductClient, 'ask'>, logger: Logger): Promise<boolean> {
  try {
    const { portraitOf } = await import('../../people/chosen-photo.ts');
    await putFirstPhoto(product, await portraitOf(chosen));
    return true;
  } catch (error) {
    logger.warn('the photo was not added', error);
    return false;
  }
}
