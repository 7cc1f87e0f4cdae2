import type { Person } from '../../../src/protocol/product/people.ts';

/** Somebody, with whatever the test is about. */
export function somebody(values: Partial<Person> = {}): Person {
  return {
    u_id: 'mina',
    nickname: 'Mina',
    profile_url: '/portraits/mina.svg',
    gender_type: 'woman',
    age: 29,
    city: '高雄',
    price: 50,
    verified: true,
    accepts_video: true,
    joined_at: 0,
    presence: 'online',
    last_seen_at: null,
    ...values,
  };
}

export const loginAnswer = {
  token: 'new-token',
  u_id: 'kai',
  gender_type: 'man',
  calling_user_id: 'call-kai',
  calling_access_token: 'call-token',
} as const;
