import type { GenderType } from '../../../protocol/product/values.ts';
import { m } from '../../core/i18n/generated/messages.js';

interface Place {
  readonly to: string;
  readonly for: 'men' | 'women' | 'users';
  label(): string;
}

/** The screens of the account, in the order of the list. */
const places: readonly Place[] = [
  { to: '/man-info', for: 'men', label: m.place_profile },
  { to: '/woman-edit', for: 'women', label: m.place_profile },
  { to: '/deposit-record', for: 'men', label: m.place_deposits },
  { to: '/current-points', for: 'women', label: m.place_points },
  { to: '/income-details', for: 'women', label: m.place_income },
  { to: '/redemption-records', for: 'women', label: m.place_redemptions },
  { to: '/transactions-chat-record', for: 'users', label: m.place_charges },
  { to: '/transactions-record/all', for: 'users', label: m.place_transactions },
  { to: '/identity-verification', for: 'women', label: m.place_identity },
  { to: '/account-verification', for: 'users', label: m.place_account },
  { to: '/settings', for: 'users', label: m.place_settings },
];

/** Returns the screens for a kind of user. */
export function placesOf(kind: GenderType | null): readonly Place[] {
  const kinds = ['users', kind === 'woman' ? 'women' : 'men'];
  return places.filter((place) => kinds.includes(place.for));
}
