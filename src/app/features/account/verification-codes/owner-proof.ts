import * as v from 'valibot';
import type { OwnerProof } from '../../../../protocol/product/accounts.ts';
import { m } from '../../../core/i18n/generated/messages.js';

/** A proof as the user typed it. `by` is null before the user has chosen a method. */
export interface TypedProof {
  readonly by: 'password' | 'code' | null;
  readonly text: string;
}

export const NO_PROOF: TypedProof = { by: null, text: '' };

const CODE = /^\d{6}$/;

/** Validates a typed proof and converts it to the proof of the request. */
export const typedProof = v.pipe(
  v.custom<TypedProof>(() => true),
  v.check(
    ({ by, text }) => (by === 'code' ? CODE.test(text) : text !== ''),
    () => m.owner_needed(),
  ),
  v.transform(({ by, text }): OwnerProof => (by === 'code' ? { code: text } : { password: text })),
);
