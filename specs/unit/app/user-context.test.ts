import { describe, expect, it, vi } from 'vitest';
import { MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { createUserContext } from '../../../src/app/core/session/user-context.ts';

describe('user context', () => {
  it('SES-06: keeps uId and genderType, persisted as u_id and gender_type', () => {
    const storage = new MemoryStorage();
    const context = createUserContext(storage);
    const listener = vi.fn<() => void>();
    context.user.subscribe(listener);

    context.update({ uId: 'mina', genderType: 'woman' });
    expect(context.user.get()).toEqual({ uId: 'mina', genderType: 'woman' });
    expect([storage.getItem('u_id'), storage.getItem('gender_type')]).toEqual(['mina', 'woman']);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(createUserContext(storage).user.get()).toEqual({ uId: 'mina', genderType: 'woman' });
  });

  it('SES-06: stores each value only when it is present', () => {
    const storage = new MemoryStorage({ u_id: 'mina', gender_type: 'woman' });
    const context = createUserContext(storage);
    context.update({ uId: 'ruo-xi' });
    expect(context.user.get()).toEqual({ uId: 'ruo-xi', genderType: 'woman' });
    context.update({ uId: '', genderType: 'man' });
    expect(context.user.get()).toEqual({ uId: 'ruo-xi', genderType: 'man' });
    expect(storage.getItem('u_id')).toBe('ruo-xi');
  });

  it('B76 has no kind when the storage says admin', () => {
    const context = createUserContext(new MemoryStorage({ u_id: 'x', gender_type: 'admin' }));
    expect(context.user.get()).toEqual({ uId: 'x', genderType: null });
  });

  it('SES-06: ignores a stored value that is no gender type', () => {
    const context = createUserContext(new MemoryStorage({ u_id: 'x', gender_type: 'robot' }));
    expect(context.user.get()).toEqual({ uId: 'x', genderType: null });
  });

  it('SES-07: clearing empties both values and removes them from storage', () => {
    const storage = new MemoryStorage({ u_id: 'mina', gender_type: 'woman', other: 'stays' });
    const context = createUserContext(storage);
    context.clear();
    expect(context.user.get()).toEqual({ uId: null, genderType: null });
    expect(storage.getItem('u_id')).toBeNull();
    expect(storage.getItem('gender_type')).toBeNull();
    expect(storage.getItem('other')).toBe('stays');
  });
});
