import type { Person } from '../../../protocol/product/people.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const rows: readonly [
  string,
  string,
  Person['gender_type'],
  number,
  string,
  number,
  Person['presence'],
  number | null,
][] = [
  ['pei-han', '沛涵', 'woman', 26, '台北', 40, 'online', 0],
  ['yu-an', '予安', 'woman', 24, '台中', 30, 'in_call', 0],
  ['mina', 'Mina', 'woman', 29, '高雄', 50, 'online', 0],
  ['ruo-xi', '若希', 'woman', 27, '新竹', 30, 'offline', 3],
  ['kai', '阿凱', 'man', 31, '台北', 20, 'online', 0],
  ['jing-wen', '靜雯', 'woman', 33, '台南', 60, 'online', 0],
  ['long-name', '一個名字真的非常非常長的人', 'woman', 28, '花蓮', 120, 'online', 0],
  ['zhi-hao', '志豪', 'man', 35, '台中', 30, 'offline', 75],
  ['sofia', 'Sofia Alexandra', 'woman', 25, '台北', 80, 'offline', 60 * 26],
  ['bo-yu', '柏宇', 'man', 22, '桃園', 0, 'offline', null],
  ['xin-yi', '心怡', 'woman', 30, '高雄', 40, 'online', 0],
  ['ting', '小婷', 'woman', 23, '嘉義', 30, 'in_call', 0],
];

/** Returns twelve users in every state that a user can have. */
export function galleryPeople(now: number): Person[] {
  return rows.map(([u_id, nickname, gender_type, age, city, price, presence, minutesAgo], index) => ({
    u_id,
    nickname,
    profile_url: u_id === 'ting' ? '' : `/portraits/${u_id}.svg`,
    gender_type,
    age,
    city,
    price,
    verified: index % 3 === 0,
    accepts_video: index % 4 !== 3,
    joined_at: now - index * 2 * DAY_MS,
    presence,
    last_seen_at: minutesAgo === null || presence !== 'offline' ? null : now - minutesAgo * 60_000,
  }));
}
