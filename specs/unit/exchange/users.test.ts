import { describe, expect, it } from 'vitest';
import { Users } from '../../../sim/exchange/directory/users.ts';

const ANN = { user_id: 'ann', nickname: 'Ann', profile_url: 'https://example.test/ann' };

describe('the users that an exchange knows', () => {
  it('are in messages with all members, which have defaults', () => {
    const users = new Users([ANN, { ...ANN, user_id: 'bob', metadata: { city: 'Taipei' }, is_active: false }]);
    expect(users.payload('ann')).toEqual({ ...ANN, metadata: {}, is_active: true });
    expect(users.payload('bob')).toMatchObject({ metadata: { city: 'Taipei' }, is_active: false });
    expect([users.payload('eve'), users.has('eve')]).toEqual([undefined, false]);
  });

  it('are one object for all calls, which no message and no host can change', () => {
    const metadata = { city: 'Taipei' };
    const users = new Users([{ ...ANN, metadata }]);
    const payload = users.payload('ann');
    expect(users.payload('ann')).toBe(payload);
    expect(() => Object.assign(payload ?? {}, { nickname: 'Eve' })).toThrow(TypeError);
    expect(() => Object.assign(payload?.metadata ?? {}, { city: 'Tainan' })).toThrow(TypeError);
    metadata.city = 'Tainan';
    expect(payload?.metadata).toEqual({ city: 'Taipei' });
    users.add({ ...ANN, nickname: 'Anna' });
    expect([payload?.nickname, users.payload('ann')?.nickname]).toEqual(['Ann', 'Anna']);
  });
});
