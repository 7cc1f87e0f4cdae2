import { expect, it } from 'vitest';
import { SignIns } from '../../../cli/testing/host/sign-ins.ts';

it('removes a sign-in that fails, and lets no promise reject unseen', async () => {
  const signIns = new SignIns();
  const failed = signIns.add('bob', Promise.reject(new Error('no network')));
  expect(signIns.has('bob')).toBe(true);
  await expect(failed).rejects.toThrow('no network');
  expect(signIns.of('bob')).toBeUndefined();
});

it('keeps a later sign-in when an earlier one fails', async () => {
  const signIns = new SignIns();
  const failed = signIns.add('bob', Promise.reject(new Error('no network')));
  const later = signIns.add('bob', Promise.resolve());
  await expect(failed).rejects.toThrow('no network');
  expect(signIns.of('bob')).toBe(later);
  signIns.remove('bob');
  expect(signIns.has('bob')).toBe(false);
});
