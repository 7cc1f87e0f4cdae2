import { describe, expect, it } from 'vitest';
import { createCodeRequest, secondsUntil } from '../../../src/app/features/account/verification-codes/code-request.ts';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { HandClock } from '../support/hand-clock.ts';
import { MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { safeStorage } from '../../../src/app/core/ports/key-value-store.ts';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import { pageOf } from '../../../src/app/features/account/identity-verification/identity-steps.ts';
import {
  lastAdultBirthday,
  putFirstPhoto,
  refuseTaken,
  registrationOf,
} from '../../../src/app/features/account/register/registration.ts';
import {
  EMPTY_DRAFT,
  forgetDraft,
  loadDraft,
  saveDraft,
} from '../../../src/app/features/account/register/registration-draft.ts';
import { keptPhoto, ownProfile } from './product-answers.ts';

describe('the draft of a registration', () => {
  const filled = { ...EMPTY_DRAFT, contact: 'kai@example.com', nickname: 'Kai' };

  it('is kept in the tab separately for each kind of user, without the password and the code', () => {
    const storage = new MemoryStorage();
    const withSecrets = { ...filled, password: 'correct horse', code: '123456' };
    saveDraft(storage, 'man', withSecrets);
    expect(loadDraft(storage, 'man')).toEqual(filled);
    expect(loadDraft(storage, 'woman')).toEqual(EMPTY_DRAFT);
    expect(storage.getItem('ringback_register_man')).not.toMatch(/correct horse|123456/);
    forgetDraft(storage, 'man');
    expect(storage.size).toBe(0);
  });

  it('starts empty when the stored draft cannot be read', () => {
    for (const kept of ['not json', '{"contact":1}', 'null']) {
      expect(loadDraft(new MemoryStorage({ ringback_register_man: kept }), 'man')).toEqual(EMPTY_DRAFT);
    }
  });

  it('becomes a request that the server accepts: with her service for a woman, without it for a man', () => {
    const secrets = { password: 'correct horse', code: '123456' };
    expect(registrationOf('man', filled, secrets)).not.toHaveProperty('service');
    expect(registrationOf('woman', filled, secrets)).toMatchObject({
      gender_type: 'woman',
      code: '123456',
      terms_accepted: true,
      service: { voice: true, video: true, tier: 'usual', languages: ['zh'], intro: '' },
    });
  });

  it('reports a taken nickname before the end of the form', async () => {
    const product = fakeProduct({ available: ({ query }) => ({ nickname: query.nickname !== 'Kai' }) });
    await refuseTaken(product, 'Ren');
    await expect(refuseTaken(product, 'Kai')).rejects.toMatchObject({
      refusal: { code: 'taken', field: 'nickname' },
    });
  });

  it('puts the chosen photo into the profile by the file id that the server returned', async () => {
    const asked: unknown[] = [];
    const product = fakeProduct({
      uploadMedia({ query, body }) {
        asked.push([query.for, body]);
        return keptPhoto;
      },
      changeProfile({ body }) {
        asked.push(body);
        return { ...ownProfile, photos: [keptPhoto] };
      },
    });
    const picture = new Blob(['a picture'], { type: 'image/jpeg' });
    await putFirstPhoto(product, picture);
    expect(asked).toEqual([['profile', picture], { photos: ['media-1'] }]);
  });

  it('computes the latest birthday that an adult can have', () => {
    expect(lastAdultBirthday(new Date(2026, 10, 21, 15).getTime())).toBe('2008-11-21');
    expect(lastAdultBirthday(new Date(2026, 0, 2).getTime())).toBe('2008-01-02');
  });
});

describe('asking for a code', () => {
  it('counts down to the next allowed request, as the server says', async () => {
    const clock = new HandClock();
    const sent: string[] = [];
    const codes = createCodeRequest({
      clock,
      request(to) {
        sent.push(to);
        return Promise.resolve({ resend_after: 60 });
      },
    });
    // A second press while the first request is pending sends nothing.
    await Promise.all([codes.send('kai@example.com'), codes.send('kai@example.com')]);
    expect(sent).toEqual(['kai@example.com']);
    const { phase, to, again } = codes.state.get();
    expect([phase, to, secondsUntil(again, clock.wallTime())]).toEqual(['sent', 'kai@example.com', 60]);
    clock.advance(59_001);
    expect(secondsUntil(again, clock.wallTime())).toBe(1);
    clock.advance(5_000);
    expect(secondsUntil(again, clock.wallTime())).toBe(0);
  });

  it('says why no code was sent, and waits as long as the server demands', async () => {
    const clock = new HandClock();
    const codes = createCodeRequest({
      clock,
      request: () =>
        Promise.reject(
          new ProductError('refused', '', { status: 429, refusal: { code: 'too_many', message: '', retry_after: 30 } }),
        ),
    });
    await codes.send('kai@example.com');
    expect(codes.state.get()).toMatchObject({ phase: 'none', again: clock.wallTime() + 30_000 });
    expect(codes.state.get().failure).toContain('30');
  });
});

describe('the steps of an identity verification', () => {
  const draft = { state: 'draft', steps: [], tries_left: 3 } as const;
  it.each([
    [{ ...draft, state: 'none' }, null, { page: 'start' }],
    [draft, null, { page: 'start' }],
    [draft, 'id_card', { page: 'picture', step: 'front', place: 0, of: 3 }],
    [{ ...draft, steps: ['front'] }, 'id_card', { page: 'picture', step: 'back', place: 1, of: 3 }],
    [{ ...draft, steps: ['front'] }, 'passport', { page: 'picture', step: 'selfie', place: 1, of: 2 }],
    [{ ...draft, steps: ['selfie', 'front', 'back'] }, 'id_card', { page: 'review' }],
    [{ ...draft, state: 'rejected', steps: ['front'] }, null, { page: 'status' }],
    [{ ...draft, state: 'rejected', steps: ['front'] }, 'id_card', { page: 'picture', step: 'back', place: 1, of: 3 }],
    [{ ...draft, state: 'expired' }, null, { page: 'status' }],
    [{ ...draft, state: 'pending' }, 'id_card', { page: 'status' }],
    [{ ...draft, state: 'rejected', tries_left: 0 }, 'id_card', { page: 'status' }],
  ] as const)('with %o and the document %s shows %o', (identity, kind, page) => {
    expect(pageOf({ ...identity, steps: [...identity.steps] }, kind)).toEqual(page);
  });
});

describe('storage that the browser denies', () => {
  it('F51 does not throw: a stored value lasts as long as the page', () => {
    const broken = safeStorage(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(broken.getItem('token')).toBeNull();
    broken.setItem('token', 't');
    expect(broken.getItem('token')).toBe('t');
    broken.removeItem('token');
    expect(broken.getItem('token')).toBeNull();
    broken.setItem('u_id', 'kai');
    broken.clear();
    expect(broken.getItem('u_id')).toBeNull();
  });

  it('F51 keeps in memory what does not fit, and the rest in storage', () => {
    const real = new MemoryStorage({ token: 'old' });
    const full = safeStorage(() => ({
      getItem: (key) => real.getItem(key),
      removeItem: (key) => real.removeItem(key),
      clear: () => real.clear(),
      setItem() {
        throw new DOMException('full', 'QuotaExceededError');
      },
    }));
    expect(full.getItem('token')).toBe('old');
    full.setItem('token', 'new');
    expect(full.getItem('token')).toBe('new');
    full.clear();
    expect([full.getItem('token'), real.size]).toEqual([null, 0]);
  });
});
