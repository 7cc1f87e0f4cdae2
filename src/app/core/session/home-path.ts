import type { GenderType } from '../../../protocol/product/values.ts';

/** Where somebody is at home. */
export function homePath(genderType: GenderType | null): string {
  return genderType === 'woman' ? '/home-woman' : '/home-man';
}
