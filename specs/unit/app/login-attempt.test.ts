import { describe, expect, it, vi } from 'vitest';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { createLoginAttempt } from '../../../src/app/features/account/login/login-attempt.ts';
import { loginAnswer } from './product-answers.ts';

function stage(login: () => Promise<typeof loginAnswer>) {
  const order: string[] = [];
  const attempt = createLoginAttempt({
    product: fakeProduct({ login }),
    session: { signIn: () => void order.push('signIn') },
    logger: new RecordingLogger(),
    openPresence: () => void order.push('openPresence'),
  });
  return { attempt, order };
}

describe('login', () => {
  it('SCR-07: opens the online-presence socket with the given function, once signed in', async () => {
    const { attempt, order } = stage(() => Promise.resolve(loginAnswer));
    await expect(attempt.signIn('kai')).resolves.toBe('man');
    expect(order).toEqual(['signIn', 'openPresence']);
    expect(attempt.state.get()).toEqual({ kind: 'idle' });
  });

  it('SCR-07: reports that it failed, and opens nothing', async () => {
    const { attempt, order } = stage(() => Promise.reject(new Error('refused')));
    await expect(attempt.signIn('kai')).resolves.toBeNull();
    expect(order).toEqual([]);
    expect(attempt.state.get()).toEqual({ kind: 'failed' });
  });

  it('makes one attempt at a time', async () => {
    const login = vi.fn(() => Promise.resolve(loginAnswer));
    const { attempt } = stage(login);
    await Promise.all([attempt.signIn('kai'), attempt.signIn('kai')]);
    expect(login).toHaveBeenCalledTimes(1);
  });
});
