import type { ProductAnswer } from '../../../protocol/product/api.ts';
import type { PersonDetail } from '../../../protocol/product/people.ts';
import type { Profile, Settings } from '../../../protocol/product/profiles.ts';
import type { SceneAnswers } from './scene.ts';
import type { Session } from '../../../protocol/product/accounts.ts';

export const galleryOptions: ProductAnswer<'options'> = {
  cities: ['台北', '台中', '高雄', '花蓮'],
  languages: ['zh', 'en', 'ja'],
  tags: ['旅行', '美食', '咖啡', '電影', '音樂', '登山', '寵物', '夜貓子', '幽默'],
};

const intro = '白天教小朋友畫畫，晚上喜歡聽人說故事。\n想聊旅行、貓，或是今天的晚餐。';

export const galleryPerson: PersonDetail = {
  u_id: 'pei-han',
  nickname: '沛涵',
  profile_url: '/portraits/pei-han.svg',
  gender_type: 'woman',
  age: 26,
  city: '台北',
  price: 40,
  verified: true,
  accepts_video: true,
  joined_at: 0,
  presence: 'online',
  last_seen_at: null,
  intro,
  height: 165,
  job: '美術老師',
  languages: ['zh', 'ja'],
  tags: ['旅行', '貓', '咖啡', '夜貓子'],
  photos: ['pei-han', 'yu-an', 'mina'].map((media_id) => ({
    media_id,
    url: `/portraits/${media_id}.svg`,
    small: `/portraits/${media_id}.svg`,
  })),
  voice_intro: null,
  prices: { voice: 20, video: 40 },
  accepts_voice: true,
  gifts: [
    { gift_id: 'rose', name: '玫瑰', count: 1_208 },
    { gift_id: 'milk-tea', name: '奶茶', count: 96 },
    { gift_id: 'cake', name: '蛋糕', count: 41 },
    { gift_id: 'bear', name: '熊熊', count: 17 },
    { gift_id: 'fireworks', name: '煙火', count: 9 },
    { gift_id: 'bouquet', name: '花束', count: 6 },
    { gift_id: 'sports-car', name: '跑車', count: 2 },
    { gift_id: 'castle', name: '城堡', count: 1 },
  ],
  response_rate: 92,
  favorite: true,
  watched: false,
};

/** A man's profile, as a woman sees it. */
export const galleryMan: PersonDetail = {
  ...galleryPerson,
  u_id: 'kai',
  nickname: '阿凱',
  profile_url: '/portraits/kai.svg',
  gender_type: 'man',
  price: 0,
  prices: { voice: 0, video: 0 },
  job: '工程師',
  photos: [],
  gifts: [],
  response_rate: null,
};

const photo = (media_id: string, status: 'approved' | 'pending' | 'rejected') => ({
  media_id,
  kind: 'photo' as const,
  url: `/portraits/${media_id}.svg`,
  small: `/portraits/${media_id}.svg`,
  width: 900,
  height: 1200,
  status,
  reason: status === 'rejected' ? ('blank' as const) : null,
});

const profile: Profile = {
  u_id: 'me',
  gender_type: 'woman',
  nickname: '沛涵',
  profile_url: '/portraits/pei-han.svg',
  birthday: '1999-05-20',
  birthday_locked: true,
  age: 26,
  city: '台北',
  intro,
  height: 165,
  job: '美術老師',
  languages: ['zh', 'ja'],
  tags: ['旅行', '咖啡'],
  photos: [photo('pei-han', 'approved'), photo('yu-an', 'pending'), photo('mina', 'rejected')],
  voice_intro: null,
  verified: false,
  joined_at: 0,
};

const settings: Settings = {
  resting: false,
  accepts_voice: true,
  accepts_video: true,
  prices: { voice: 20, video: 40 },
  quiet_hours: { from: 23 * 60, to: 8 * 60 },
};

export const galleryOwn: SceneAnswers = {
  myProfile: profile,
  mySettings: settings,
  today: { calls: 6, seconds: 5_400, missed: 2, favorites: 3, rating: 4.6 },
};

export const galleryOwnMan: SceneAnswers = {
  myProfile: { ...profile, gender_type: 'man', nickname: '阿凱', profile_url: '/portraits/kai.svg', photos: [] },
  today: { calls: 2, seconds: 1_440, missed: 0, favorites: 1, rating: null },
};

/** The own profile of a woman who has just registered. */
export const galleryOwnNew: SceneAnswers = {
  ...galleryOwn,
  myProfile: { ...profile, profile_url: '', intro: '', height: null, job: '', languages: [], tags: [], photos: [] },
};

/** Returns the session of the gallery's user. */
export const gallerySession = (now: number): Session => ({
  session_id: 'this',
  is_this: true,
  browser: 'Chrome',
  system: 'Android',
  began_at: now - 26 * 3_600_000,
  used_at: now,
});
