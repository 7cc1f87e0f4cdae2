/** Verification of contacts, and of a woman's identity. */
import * as v from 'valibot';
import { code, codeSent, contactText, ownerChange, ownerProof, ownerProofs } from './accounts.ts';
import { endpoints } from '../endpoint.ts';
import { done, time } from './values.ts';

/** The longest picture of an identity document, characters of base64. */
export const IDENTITY_PICTURE_CHARS = 1_400_000;

const contactKind = v.picklist(['email', 'phone']);

const contactStatus = v.object({
  kind: contactKind,
  /** The masked contact: `m***@example.com`, `+8869*****678`. Null without one. */
  masked: v.nullable(v.string()),
  verified_at: v.nullable(time),
  /** When it may confirm redemptions and changes of payout accounts. */
  confirms_from: v.nullable(time),
});
export type ContactStatus = v.InferOutput<typeof contactStatus>;

export const documentStep = v.picklist(['front', 'back', 'selfie']);
export type DocumentStep = v.InferOutput<typeof documentStep>;
export const documentKind = v.picklist(['id_card', 'passport', 'residence_permit']);
export type DocumentKind = v.InferOutput<typeof documentKind>;
/** The reason why a picture was rejected. */
export const rejectionReason = v.picklist(['unreadable', 'expired_document', 'no_match']);
export type RejectionReason = v.InferOutput<typeof rejectionReason>;

export const identityStatus = v.object({
  state: v.picklist(['none', 'draft', 'pending', 'approved', 'rejected', 'expired']),
  document_kind: v.nullable(documentKind),
  /** The uploaded pictures. */
  steps: v.array(documentStep),
  submitted_at: v.nullable(time),
  /** When the reviewer decides, or decided. */
  decided_at: v.nullable(time),
  /** When an approval expires. */
  expires_at: v.nullable(time),
  /** The faults, step by step. Empty unless rejected. */
  reasons: v.array(v.object({ step: documentStep, reason: rejectionReason })),
  tries_left: v.number(),
  /** When another try is allowed. Null while tries are left. */
  next_try_at: v.nullable(time),
});
export type IdentityStatus = v.InferOutput<typeof identityStatus>;

/** The pictures that a kind of document needs. A passport has no back. */
export const STEPS_OF: Readonly<Record<DocumentKind, readonly DocumentStep[]>> = {
  id_card: ['front', 'back', 'selfie'],
  passport: ['front', 'selfie'],
  residence_permit: ['front', 'back', 'selfie'],
};

export const verificationEndpoints = endpoints({
  contacts: {
    method: 'GET',
    path: '/verification/contact',
    access: 'user',
    about: 'Returns the masked e-mail and phone of the user, and when each was verified.',
    answer: v.object({ contacts: v.array(contactStatus) }),
  },
  changeContact: {
    method: 'POST',
    path: '/verification/contact',
    access: 'user',
    about: 'Sends a code to a new e-mail or phone. The server saves the contact after its confirmation.',
    body: v.strictObject({ contact: contactText }),
    answer: codeSent,
  },
  confirmContact: {
    method: 'POST',
    path: '/verification/contact/confirm',
    access: 'user',
    about:
      'Sets the e-mail or phone of the user, in place of the former one. The former contacts get a security notice.',
    body: v.strictObject({ contact: contactText, code, proof: ownerProof }),
    answer: v.object({ contacts: v.array(contactStatus) }),
  },
  ownerProofs: {
    method: 'GET',
    path: '/verification/owner',
    access: 'user',
    about: 'Lists the proofs of ownership that the user has, for changes of contacts, payout account and password.',
    answer: ownerProofs,
  },
  sendOwnerCode: {
    method: 'POST',
    path: '/verification/owner/code',
    access: 'user',
    about: 'Sends a code for one of these changes to a contact of the user that is old enough.',
    body: v.strictObject({ change: ownerChange }),
    answer: codeSent,
  },
  identity: {
    method: 'GET',
    path: '/verification/identity',
    access: 'woman',
    about: 'Returns the state of the verification of her identity.',
    answer: identityStatus,
  },
  putIdentityDocument: {
    method: 'POST',
    path: '/verification/identity/documents',
    access: 'woman',
    about: 'Adds a picture to the draft, in place of the former picture of its step. The server never serves it.',
    body: v.strictObject({
      document_kind: documentKind,
      step: documentStep,
      /** A JPEG, PNG or WebP in base64. */
      picture: v.pipe(v.string(), v.maxLength(IDENTITY_PICTURE_CHARS), v.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
    }),
    answer: identityStatus,
  },
  submitIdentity: {
    method: 'POST',
    path: '/verification/identity/submit',
    access: 'woman',
    about: 'Submits the draft to the reviewer, at most three times in thirty days.',
    body: v.strictObject({ consent: v.literal(true), note: v.optional(v.pipe(v.string(), v.maxLength(200)), '') }),
    answer: identityStatus,
  },
  withdrawIdentity: {
    method: 'DELETE',
    path: '/verification/identity',
    access: 'woman',
    about: 'Deletes her pictures and the verification.',
    answer: done,
  },
});
