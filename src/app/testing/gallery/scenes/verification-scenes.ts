import type { OwnerProofs } from '../../../../protocol/product/accounts.ts';
import type { ContactStatus, IdentityStatus } from '../../../../protocol/product/verification.ts';
import type { Scene, Scenes } from '../scene.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const now = Date.now();
const none: IdentityStatus = {
  state: 'none',
  document_kind: null,
  steps: [],
  submitted_at: null,
  decided_at: null,
  expires_at: null,
  reasons: [],
  tries_left: 3,
  next_try_at: null,
};
const draft: IdentityStatus = { ...none, state: 'draft', document_kind: 'id_card' };

const identity = (changes: Partial<IdentityStatus>, from = none): Scene => ({
  path: '/identity-verification',
  as: 'woman',
  api: { identity: { ...from, ...changes } },
});

const account = '/account-verification';
const email = {
  kind: 'email',
  masked: 'm***@example.com',
  verified_at: now - 40 * DAY_MS,
  confirms_from: now - 40 * DAY_MS,
} as const;
const phone = { kind: 'phone', masked: '+8869*****678', verified_at: now, confirms_from: now + 3 * DAY_MS } as const;
const noPhone = { kind: 'phone', masked: null, verified_at: null, confirms_from: null } as const;
const proofs = { has_password: true, contact: email.masked, contact_from: null, cool_off_seconds: 259_200 };
const noProofs = { ...proofs, has_password: false, contact: null };

/** Returns a scene with a change of the last contact, in which the sheet asks for a proof. */
const changing = (contacts: readonly ContactStatus[], ownerProofs: OwnerProofs | 'failed', asks: string): Scene => ({
  path: account,
  as: 'woman',
  api: { contacts: { contacts: [...contacts] }, ownerProofs },
  async play({ shown }) {
    (await shown('main li:last-child button')).click();
    await shown(asks);
  },
});
const unprovable = changing([phone], noProofs, 'main fieldset p + p');

export const verificationScenes: Scenes = {
  'account-verification': {
    path: account,
    as: 'woman',
    api: { contacts: { contacts: [email, phone] } },
  },
  'account-verification-empty': {
    path: account,
    as: 'man',
    api: { contacts: { contacts: [email, noPhone] } },
  },
  'account-verification-change': changing([email, noPhone], proofs, 'main fieldset input'),
  'account-verification-too-new': changing(
    [phone],
    { ...noProofs, contact_from: phone.confirms_from },
    'main fieldset p + p',
  ),
  'account-verification-no-proof': {
    ...unprovable,
    async play(stage) {
      await unprovable.play?.(stage);
      (await stage.shown('main form [type=submit]')).click();
      await stage.shown('main fieldset [role=alert] svg');
    },
  },
  'account-verification-proof-failed': changing([phone], 'failed', 'main fieldset button'),
  'account-verification-loading': { path: account, as: 'woman', answers: 'loading' },
  'account-verification-failed': { path: account, as: 'woman', answers: 'failed' },
  'account-verification-offline': {
    path: account,
    as: 'woman',
    offline: true,
    api: { contacts: { contacts: [email] } },
  },
  'identity-verification': identity({}),
  'identity-verification-front': identity({}, draft),
  'identity-verification-selfie': identity({ steps: ['front', 'back'] }, draft),
  'identity-verification-review': identity({ steps: ['front', 'back', 'selfie'] }, draft),
  'identity-verification-pending': identity({ state: 'pending', submitted_at: now, tries_left: 2 }, draft),
  'identity-verification-approved': identity({ state: 'approved', expires_at: now + 730 * DAY_MS }, draft),
  'identity-verification-rejected': identity(
    {
      state: 'rejected',
      steps: ['front'],
      reasons: [
        { step: 'back', reason: 'expired_document' },
        { step: 'selfie', reason: 'no_match' },
      ],
      tries_left: 2,
    },
    draft,
  ),
  'identity-verification-no-tries': identity(
    { state: 'rejected', reasons: [{ step: 'front', reason: 'unreadable' }], tries_left: 0, next_try_at: now + DAY_MS },
    draft,
  ),
  'identity-verification-expired': identity({ state: 'expired', expires_at: now - DAY_MS }, draft),
  'identity-verification-loading': { path: '/identity-verification', as: 'woman', answers: 'loading' },
  'identity-verification-failed': { path: '/identity-verification', as: 'woman', answers: 'failed' },
  'identity-verification-offline': { ...identity({}, draft), offline: true },
};
