import type { GenderType } from '../../../protocol/product/values.ts';

/** Returns the path of a user's home page. */
export function homePath(genderType: GenderType | null): string {
  return genderType === 'woman' ? '/home-woman' : '/home-man';
}
