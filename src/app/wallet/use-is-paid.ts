import type { Companion } from '../../../protocol/product/chat.ts';
import { useServices } from '../../services/services-context.ts';
import { useStore } from '../../store/use-store.ts';

/** Whether a man talks with a woman here: then gifts may be given, and coins are spent. */
export function useIsPaid({ gender_type }: Companion): boolean {
  const { genderType } = useStore(useServices().user.user);
  return genderType === 'man' && gender_type === 'woman';
}
