import type { Requirement } from '../../../../protocol/product/points.ts';
import type { Profile } from '../../../../protocol/product/profiles.ts';
import { m } from '../../../core/i18n/generated/messages.js';

/** One step, with the path of its screen. */
export interface ToDoStep {
  readonly key: string;
  readonly done: boolean;
  readonly text: string;
  readonly to: string;
}

/**
 * Returns the steps that a woman completes to be found and paid.
 * | @param missing - the requirements before a payout. Undefined when they are unknown: the step is then left out.
 */
export function toDoSteps(
  profile: Pick<Profile, 'photos' | 'intro' | 'verified'>,
  missing: readonly Requirement[] | undefined,
): readonly ToDoStep[] {
  const payout = { key: 'payout', text: m.todo_payout(), to: '/current-points' };
  return [
    { key: 'photo', done: profile.photos.length > 0, text: m.todo_photo(), to: '/woman-edit' },
    { key: 'intro', done: profile.intro !== '', text: m.todo_intro(), to: '/woman-edit' },
    { key: 'identity', done: profile.verified, text: m.todo_identity(), to: '/identity-verification' },
    ...(missing === undefined ? [] : [{ ...payout, done: !missing.includes('payout_account') }]),
  ];
}
