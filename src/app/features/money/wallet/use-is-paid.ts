import type { GenderType } from '../../../../protocol/product/values.ts';
import { useServices } from '../../../services/services-context.ts';
import { useStore } from '../../../core/store/use-store.ts';

/** Whether a man has to do with a woman here: then gifts may be given, and coins are spent. */
export function useIsPaid({ gender_type }: { gender_type: GenderType }): boolean {
  const { genderType } = useStore(useServices().user.user);
  return genderType === 'man' && gender_type === 'woman';
}
