import type { AskOf } from '../../../../protocol/product/api.ts';
import type { GenderType } from '../../../../protocol/product/values.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';
import { ProductError } from '../../../core/product/product-error.ts';
import type { RegistrationDraft } from './registration-draft.ts';

/** The input that is never stored. */
export interface Secrets {
  readonly password: string;
  readonly code: string;
}

/** Returns the body of the registration request. */
export function registrationOf(
  kind: GenderType,
  draft: RegistrationDraft,
  { password, code }: Secrets,
): AskOf<'register'>['body'] {
  const { contact, nickname, birthday, city, voice, video, tier, languages, intro } = draft;
  const all = { contact, nickname, birthday, city, password, code, terms_accepted: true } as const;
  return kind === 'man'
    ? { gender_type: 'man', ...all }
    : { gender_type: 'woman', ...all, service: { voice, video, tier, languages: [...languages], intro } };
}

type Asks = Pick<ProductClient, 'ask'>;

/**
 * Checks that a nickname is free, before the registration is sent.
 * @throws ProductError `taken`, with the field `nickname`.
 */
export async function refuseTaken(product: Asks, nickname: string): Promise<void> {
  const free = await product.ask('available', { query: { nickname } });
  if (!free.nickname) {
    throw new ProductError('refused', 'the nickname is taken', {
      status: 409,
      refusal: { code: 'taken', message: '', field: 'nickname' },
    });
  }
}

/** Uploads a picture as the first photo of the signed-in user. */
export async function putFirstPhoto(product: Asks, picture: Blob): Promise<void> {
  const { media_id } = await product.ask('uploadMedia', { query: { for: 'profile' }, body: picture });
  await product.ask('changeProfile', { body: { photos: [media_id] } });
}

const ADULT_YEARS = 18;

/** Returns the latest birthday, as `2008-11-21`, of a user who is eighteen today. */
export function lastAdultBirthday(now: number): string {
  const date = new Date(now);
  const year = String(date.getFullYear() - ADULT_YEARS);
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
