import type { Media } from '../../../src/protocol/product/media.ts';
import type { Person } from '../../../src/protocol/product/people.ts';
import type { Profile } from '../../../src/protocol/product/profiles.ts';

/** A user with the given fields. */
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

/** A picture that the server has stored. */
export const keptPhoto: Media = {
  media_id: 'media-1',
  kind: 'photo',
  url: '/media/media-1',
  small: '/media/media-1/small',
  width: 900,
  height: 1_200,
  status: 'pending',
  reason: null,
};

/** The user's own profile, as of a man who has just registered. */
export const ownProfile: Profile = {
  u_id: 'kai',
  gender_type: 'man',
  nickname: 'Kai',
  profile_url: '',
  birthday: '1996-02-03',
  birthday_locked: false,
  age: 30,
  city: '台南',
  intro: '',
  height: null,
  job: '',
  languages: [],
  tags: [],
  photos: [],
  voice_intro: null,
  verified: false,
  joined_at: 0,
};
