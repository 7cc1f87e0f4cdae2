import {
  type DocumentKind,
  type DocumentStep,
  type IdentityStatus,
  STEPS_OF,
} from '../../../../protocol/product/verification.ts';

/** The pages of the identity verification. */
export type IdentityPage =
  | { readonly page: 'start' }
  | { readonly page: 'picture'; readonly step: DocumentStep; readonly place: number; readonly of: number }
  | { readonly page: 'review' }
  | { readonly page: 'status' };

/** Returns the page to show: the first missing picture, the review, or the result of the review. */
export function pageOf(
  { state, steps, tries_left }: Pick<IdentityStatus, 'state' | 'steps' | 'tries_left'>,
  kind: DocumentKind | null,
): IdentityPage {
  if (state === 'pending' || state === 'approved' || tries_left === 0) return { page: 'status' };
  if (kind === null) return state === 'none' || state === 'draft' ? { page: 'start' } : { page: 'status' };
  const needed = STEPS_OF[kind];
  const step = needed.find((one) => !steps.includes(one));
  return step === undefined
    ? { page: 'review' }
    : { page: 'picture', step, place: needed.indexOf(step), of: needed.length };
}
