import * as v from 'valibot';
import { LANGUAGES } from '../../../../protocol/product/profile-limits.ts';
import type { GenderType } from '../../../../protocol/product/values.ts';
import type { KeyValueStore } from '../../../core/ports/key-value-store.ts';

/** The input of a registration that the tab stores. It has no password and no code. */
const registrationDraft = v.object({
  contact: v.string(),
  nickname: v.string(),
  birthday: v.string(),
  city: v.string(),
  voice: v.boolean(),
  video: v.boolean(),
  tier: v.picklist(['gentle', 'usual', 'premium']),
  languages: v.array(v.picklist(LANGUAGES)),
  intro: v.string(),
});
export type RegistrationDraft = v.InferOutput<typeof registrationDraft>;

export const EMPTY_DRAFT: RegistrationDraft = {
  contact: '',
  nickname: '',
  birthday: '',
  city: '',
  voice: true,
  video: true,
  tier: 'usual',
  languages: ['zh'],
  intro: '',
};

const keyOf = (kind: GenderType): string => `ringback_register_${kind}`;

/** Returns the draft of this tab. Returns an empty one when none is stored or the stored one is invalid. */
export function loadDraft(storage: KeyValueStore, kind: GenderType): RegistrationDraft {
  try {
    const read = v.safeParse(registrationDraft, JSON.parse(storage.getItem(keyOf(kind)) ?? 'null'));
    return read.success ? read.output : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Stores the fields of the draft and drops every other field. */
export function saveDraft(storage: KeyValueStore, kind: GenderType, draft: RegistrationDraft): void {
  const { contact, nickname, birthday, city, voice, video, tier, languages, intro } = draft;
  storage.setItem(
    keyOf(kind),
    JSON.stringify({ contact, nickname, birthday, city, voice, video, tier, languages, intro }),
  );
}

/** Deletes the draft of this tab. */
export function forgetDraft(storage: KeyValueStore, kind: GenderType): void {
  storage.removeItem(keyOf(kind));
}
