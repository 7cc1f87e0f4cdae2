import type { GenderType } from '../../../../protocol/product/values.ts';
import { useSession } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';

/** Returns true for a man's view of a woman: he can send gifts to her and spend coins. */
export function useIsPaid({ gender_type }: { gender_type: GenderType }): boolean {
  const { genderType } = useStore(useSession().user.user);
  return genderType === 'man' && gender_type === 'woman';
}
