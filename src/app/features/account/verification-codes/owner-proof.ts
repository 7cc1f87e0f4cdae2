import * as v from 'valibot';
import type { OwnerProof } from '../../../../protocol/product/accounts.ts';
import { m } from '../../../core/i18n/generated/messages.js';

/** What somebody has typed to show that they own the account; `by` is null before they have. */
export interface TypedProof {
  readonly by: 'password' | 'code' | null;
  readonly text: string;
}

export const NO_PROOF: TypedProof = { by: null, text: '' };

const CODE = /^\d{6}$/;

/** A field of a form that takes a proof: what the server is asked with. */
export const typedProof = v.pipe(
  v.custom<TypedProof>(() => true),
  v.check(
    ({ by, text }) => (by === 'code' ? CODE.test(text) : text !== ''),
    () => m.owner_needed(),
  ),
  v.transform(({ by, text }): OwnerProof => (by === 'code' ? { code: text } : { password: text })),
);
