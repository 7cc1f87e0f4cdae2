import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  aMan,
  aPhoto,
  aWoman,
  DAY,
  HOUR,
  MINUTE,
  openAccountsWorld,
  type AccountsWorld,
} from './support/accounts-world.ts';
import { Ledger } from '../../../sim/product/ledger/ledger.ts';
import { Refusal } from '../../../sim/product/refusal.ts';
import { Identities } from '../../../sim/product/verification/identities.ts';
import { simulatedReviewer } from '../../../sim/product/verification/reviewer.ts';
import type { OwnerChange } from '../../../src/protocol/product/accounts.ts';
import type { DocumentStep } from '../../../src/protocol/product/verification.ts';

const worlds: AccountsWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) {
    await world.close();
    expect(world.clock.pending).toBe(0);
  }
});

async function open(...options: Parameters<typeof openAccountsWorld>): Promise<AccountsWorld> {
  const world = await openAccountsWorld(...options);
  worlds.push(world);
  return world;
}

/** A woman with a complete draft, and her actions. */
async function draftOf(world: AccountsWorld, steps: readonly DocumentStep[] = ['front', 'back', 'selfie']) {
  const { token, u_id } = await world.register(aWoman);
  const picture = await aPhoto();
  const put = (step: DocumentStep) =>
    world.ask('putIdentityDocument', { body: { document_kind: 'id_card', step, picture } }, token);
  for (const step of steps) await put(step);
  return {
    token,
    u_id,
    put,
    submit: (note = '') => world.ask('submitIdentity', { body: { consent: true, note } }, token),
    status: () => world.ask('identity', {}, token),
    isShownVerified: async () => {
      const row = await world.database.db
        .selectFrom('ringback_profiles')
        .where('u_id', '=', u_id)
        .select('verified')
        .executeTakeFirstOrThrow();
      return row.verified;
    },
    pictures: () =>
      world.database.db.selectFrom('ringback_identity_pictures').where('u_id', '=', u_id).selectAll().execute(),
  };
}

describe('the contact of a user', () => {
  it('is shown masked, and changed by a code that was sent to the new contact', async () => {
    const world = await open();
    const { token, u_id } = await world.register(aMan);
    const now = world.clock.wallTime();
    expect(await world.ask('contacts', {}, token)).toEqual({
      contacts: [
        { kind: 'email', masked: 'k***@example.com', verified_at: now, confirms_from: now },
        { kind: 'phone', masked: null, verified_at: null, confirms_from: null },
      ],
    });
    world.clock.advance(HOUR);
    expect(await world.ask('changeContact', { body: { contact: '0912 345 678' } }, token)).toEqual({
      resend_after: 60,
      expires_in: 600,
    });
    const [letter] = await world.letters('0912345678');
    expect(letter?.about).toBe('contact');
    const proof = { password: aMan.password };
    const body = { contact: '+886912345678', code: letter?.code ?? '', proof };
    const wrong = { ...body, code: body.code === '000000' ? '000001' : '000000' };
    expect((await world.refusal('confirmContact', { body: wrong }, token)).code).toBe('code_wrong');
    expect((await world.ask('confirmContact', { body }, token)).contacts[1]).toEqual({
      kind: 'phone',
      masked: '+8869*****678',
      verified_at: now + HOUR,
      confirms_from: now + HOUR + 3 * DAY,
    });
    expect((await world.ask('login', { body: { user_id: '0912345678', password: aMan.password } })).u_id).toBe(u_id);
    expect((await world.refusal('confirmContact', { body }, token)).code).toMatch(/^code_/);
  });

  it('S06 cannot be the contact of another user, or be confirmed with a code for another user', async () => {
    const world = await open();
    const man = await world.register(aMan);
    const woman = await world.register(aWoman);
    // The answer is that of any change: only the letter says that the contact has an account.
    const ofHers = await world.ask('changeContact', { body: { contact: aWoman.contact } }, man.token);
    expect((await world.letters('+886912345678'))[0]).toMatchObject({ about: 'account_exists', code: null });
    expect(await world.ask('changeContact', { body: { contact: 'new@example.com' } }, man.token)).toEqual(ofHers);
    const code = (await world.letters('new@example.com'))[0]?.code ?? '';
    const body = { contact: 'new@example.com', code, proof: { password: aMan.password } };
    expect((await world.refusal('confirmContact', { body }, woman.token)).code).toBe('code_expired');
    await world.ask('confirmContact', { body }, man.token);
    expect((await world.ask('login', { body: { user_id: 'new@example.com', password: aMan.password } })).u_id).toBe(
      man.u_id,
    );
    // The old contact has no account any more, so it may be registered.
    world.clock.advance(HOUR);
    await world.register(aMan, { nickname: '阿誠' });
  });
});

describe('a change of the payout destination', () => {
  const account = { bank_code: '822', account_number: '123456789012', holder: '王小美' } as const;

  /** A woman who has just registered, and another client with her session. */
  async function aSession(world: AccountsWorld) {
    const { token, u_id } = await world.register(aWoman);
    await world.database.db.updateTable('ringback_profiles').set({ verified: 1 }).where('u_id', '=', u_id).execute();
    const codeTo = async (contact: string) => {
      await world.ask('changeContact', { body: { contact } }, token);
      return (await world.letters(contact))[0]?.code ?? '';
    };
    return {
      token,
      u_id,
      codeTo,
      /** A code to her own phone, which proves her identity. */
      async ownCode(change: OwnerChange = 'payout_account') {
        await world.ask('sendOwnerCode', { body: { change } }, token);
        const [letter] = await world.letters(aWoman.contact);
        expect(letter?.about).toBe(`owner_${change}`);
        return letter?.code ?? '';
      },
      async change(contact: string, proof: object = { password: aWoman.password }) {
        return world.http('confirmContact', { body: { contact, code: await codeTo(contact), proof } }, token);
      },
      pay: (proof: object = { password: aWoman.password }) =>
        world.http('setPayoutAccount', { body: { ...account, proof } }, token),
      payout: async () => (await world.ask('payoutAccount', {}, token)).account,
      points: async () => (await world.ask('points', {}, token)).redeeming,
      told: async (to: string = aWoman.contact) => (await world.letters(to)).map(({ about }) => about),
    };
  }

  it('is refused with a session alone: it requires the password, or a code to an earlier contact', async () => {
    const world = await open();
    const she = await aSession(world);
    const thief = 'thief@example.com';
    const code = await she.codeTo(thief);
    for (const proof of [undefined, {}, { password: 'a guess' }, { code }, { code: '000000', password: 'a guess' }]) {
      for (const [name, body] of [
        ['confirmContact', { contact: thief, code, proof }],
        ['setPayoutAccount', { ...account, proof }],
      ] as const) {
        const refused = await world.refusal(name, { body }, she.token);
        expect([name, proof, refused.field]).toEqual([name, proof, 'proof']);
      }
    }
    expect((await world.ask('contacts', {}, she.token)).contacts[0]?.masked).toBeNull();
    expect(await she.payout()).toBeNull();

    expect((await she.pay({ code: await she.ownCode() })).status).toBe(200);
    expect(
      (
        await world.http(
          'confirmContact',
          { body: { contact: thief, code, proof: { password: aWoman.password } } },
          she.token,
        )
      ).status,
    ).toBe(200);
  });

  it('S14: allows five wrong passwords in a quarter of an hour, and other clients’ wrong logins do not count', async () => {
    const world = await open();
    const she = await aSession(world);
    const wrong = { body: { ...account, proof: { password: 'a guess' } } };
    const login = { body: { user_id: aWoman.contact, password: 'another guess' } };
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await world.refusal('login', login)).toMatchObject({ code: 'wrong_credentials' });
    }
    expect((await she.pay()).status).toBe(200);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await world.refusal('setPayoutAccount', wrong, she.token)).toMatchObject({ code: 'wrong_credentials' });
    }
    expect(await she.pay()).toMatchObject({ status: 423, body: { code: 'locked', field: 'proof', retry_after: 900 } });
  });

  it('S14: allows five wrong codes, for any number of sent codes', async () => {
    const world = await open();
    const she = await aSession(world);
    const code = await she.ownCode();
    const wrong = { body: { ...account, proof: { code: code === '000000' ? '000001' : '000000' } } };
    for (let tries = 0; tries < 5; tries += 1) await world.refusal('setPayoutAccount', wrong, she.token);
    world.clock.advance(15 * MINUTE - 1);
    expect(await she.pay({ code })).toMatchObject({ status: 423, body: { code: 'locked', field: 'proof' } });
    world.clock.advance(1);
    expect((await she.pay({ code: await she.ownCode() })).status).toBe(200);
    // A correct code resets the count of wrong codes.
    expect((await she.pay()).status).toBe(200);
  });

  it('uses up the code that proves it', async () => {
    const world = await open();
    const she = await aSession(world);
    const code = await she.ownCode();
    expect((await she.pay({ code })).status).toBe(200);
    expect(await she.pay({ code })).toMatchObject({ status: 410, body: { code: 'code_expired', field: 'proof' } });
    // A code for another purpose is not valid either.
    world.clock.advance(MINUTE);
    await world.ask('sendRedeemCode', {}, she.token);
    const [redeeming] = await world.letters(aWoman.contact);
    expect(await she.pay({ code: redeeming?.code })).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  });

  it('S08 accepts a code for the one change that its letter names, and for no other', async () => {
    const world = await open();
    const she = await aSession(world);
    const use: Record<OwnerChange, (code: string) => Promise<{ status: number; body: unknown }>> = {
      contact: (code) => she.change('rain@example.com', { code }),
      payout_account: (code) => she.pay({ code }),
      password: (code) =>
        world.http('changePassword', { body: { password: 'a quite different one', proof: { code } } }, she.token),
    };
    const changes = Object.keys(use) as OwnerChange[];
    for (const change of changes) {
      world.clock.advance(10 * MINUTE);
      const code = await she.ownCode(change);
      for (const other of changes.filter((one) => one !== change)) {
        const refused = { status: 410, body: { code: 'code_expired', field: 'proof' } };
        expect([change, other, await use[other](code)]).toMatchObject([change, other, refused]);
      }
      expect([change, (await use[change](code)).status]).toEqual([change, 200]);
    }
  });

  it('is notified to all earlier contacts, each time', async () => {
    const world = await open();
    const she = await aSession(world);
    expect((await she.change('rain@example.com')).status).toBe(200);
    expect(await she.told()).toEqual(['contact_changed', 'register']);
    expect(await she.told('rain@example.com')).toEqual(['contact']);
    expect((await she.pay()).status).toBe(200);
    // The same account again is no change.
    expect((await she.pay()).status).toBe(200);
    expect(await she.told()).toEqual(['payout_account_changed', 'contact_changed', 'register']);
    expect((await she.told('rain@example.com'))[0]).toBe('payout_account_changed');
    // The replaced contact is notified too.
    expect((await she.change('0911 000 111')).status).toBe(200);
    expect((await she.told())[0]).toBe('contact_changed');
    expect((await she.told('rain@example.com'))[0]).toBe('contact_changed');
    expect(await she.told('0911 000 111')).toEqual(['contact']);
  });

  it('permits redemptions only by a contact that is three days old, or as old as the account', async () => {
    const world = await open();
    const she = await aSession(world);
    await she.pay();
    expect(await she.points()).toMatchObject({ missing: [], contact: '+8869*****678', contact_from: null });
    world.clock.advance(MINUTE);
    // An email address beside it changes nothing yet. Then her number is another.
    await she.change('rain@example.com');
    world.clock.advance(2 * DAY);
    await she.change('0911 000 111');
    const from = world.clock.wallTime() + DAY;
    expect(await she.points()).toMatchObject({ missing: ['older_contact'], contact: null, contact_from: from });
    const shown = { bank_code: '822', tail: '9012', changed_at: 0 } as const;
    const asked = { body: { amount: 1_000, account: shown, code: '123456' }, key: 'her-redemption' };
    for (const [name, of] of [
      ['sendRedeemCode', {}],
      ['redeem', asked],
      ['sendOwnerCode', { body: { change: 'contact' } }],
    ] as const) {
      expect(await world.refusal(name, of, she.token)).toMatchObject({
        status: 409,
        code: 'cooling_off',
        retry_after: 24 * 3_600,
      });
    }
    expect(await world.ask('ownerProofs', {}, she.token)).toEqual({
      has_password: true,
      contact: null,
      contact_from: from,
      cool_off_seconds: 3 * 24 * 3_600,
    });
    world.clock.advance(DAY - 1);
    expect((await world.refusal('sendRedeemCode', {}, she.token)).code).toBe('cooling_off');
    world.clock.advance(1);
    expect(await she.points()).toMatchObject({ missing: [], contact: 'r***@example.com', contact_from: null });
    await world.ask('sendRedeemCode', {}, she.token);
    expect((await she.told('rain@example.com'))[0]).toBe('confirm');
    world.clock.advance(2 * DAY);
    expect((await she.points()).contact).toBe('+8869*****111');
  });

  it('is absent when a woman confirms a contact that she has: the contact keeps its age, and no contact is notified', async () => {
    const world = await open();
    const she = await aSession(world);
    const [, before] = (await world.ask('contacts', {}, she.token)).contacts;
    world.clock.advance(DAY);
    expect((await she.change(aWoman.contact)).status).toBe(200);
    const [, after] = (await world.ask('contacts', {}, she.token)).contacts;
    expect(after).toEqual(before);
    expect(await she.told()).not.toContain('contact_changed');
  });

  it('sets no new password by a contact that is too new to move money', async () => {
    const world = await open();
    const she = await aSession(world);
    world.clock.advance(MINUTE);
    await she.change('rain@example.com');
    world.clock.advance(MINUTE);
    const reset = async (contact: string) => ({
      body: { contact, code: await world.codeFor(contact, 'reset'), password: 'a quite different one' },
    });
    expect(await world.refusal('resetPassword', await reset('rain@example.com'))).toMatchObject({
      code: 'cooling_off',
      retry_after: 3 * 24 * 3_600 - 60,
    });
    expect((await world.ask('refreshToken', {}, she.token)).u_id).toBeTruthy();
    world.clock.advance(3 * DAY);
    expect((await world.ask('resetPassword', await reset('rain@example.com'))).token).toBeTruthy();
  });

  it('allows codes of two kinds one after the other, within the limit of one address', async () => {
    const world = await open();
    const she = await aSession(world);
    world.clock.advance(10 * MINUTE);
    const code = await she.ownCode();
    expect((await world.refusal('sendOwnerCode', { body: { change: 'payout_account' } }, she.token)).retry_after).toBe(
      60,
    );
    await she.pay({ code });
    await world.ask('sendRedeemCode', {}, she.token);
    world.clock.advance(MINUTE);
    await she.ownCode();
    expect((await world.refusal('sendRedeemCode', {}, she.token)).retry_after).toBe(9 * 60);
  });
});

describe('the verification of an identity', () => {
  it('goes from a draft to a review and an approval, with an event for the woman, and is visible to other users', async () => {
    const world = await open();
    const she = await draftOf(world, ['front', 'back']);
    const heard = await world.hear(she.token);
    expect(await she.status()).toMatchObject({
      state: 'draft',
      document_kind: 'id_card',
      steps: ['back', 'front'],
      tries_left: 3,
    });
    expect(await world.refusal('submitIdentity', { body: { consent: true } }, she.token)).toMatchObject({
      status: 409,
      code: 'incomplete',
      field: 'selfie',
    });
    await she.put('selfie');
    expect((await world.refusal('submitIdentity', { body: { consent: false } }, she.token)).field).toBe('consent');
    const handedIn = world.clock.wallTime();
    expect(await she.submit()).toMatchObject({
      state: 'pending',
      submitted_at: handedIn,
      decided_at: handedIn + MINUTE,
      tries_left: 2,
    });
    world.clock.advance(MINUTE - 1);
    expect((await she.status()).state).toBe('pending');
    expect(await she.isShownVerified()).toBe(0);
    world.clock.advance(1);
    await expect.poll(() => heard.map(({ type }) => type)).toEqual(['verification_changed']);
    expect(await she.status()).toMatchObject({
      state: 'approved',
      reasons: [],
      expires_at: Date.UTC(2028, 0, 1, 0, 1),
    });
    expect(await she.isShownVerified()).toBe(1);
    expect(await she.pictures()).toEqual([]);
  });

  describe('with a picture that waits in the queue of the server', () => {
    /** Makes her replace the front, and do something else while it waits. Returns the answer to the picture. */
    async function putMeanwhile(
      world: AccountsWorld,
      uId: string,
      act: (identities: Identities) => Promise<unknown>,
    ): Promise<unknown> {
      const identities = new Identities(await world.product.opened(), simulatedReviewer);
      const put = identities.put(uId, 'id_card', 'front', async () => {
        await act(identities);
        return 'a picture that was waited for';
      });
      return put.then(
        () => 'put',
        (error: unknown) => (error instanceof Refusal ? error.code : error),
      );
    }

    it('stays submitted', async () => {
      const world = await open();
      const she = await draftOf(world);
      const before = await she.pictures();
      const refused = await putMeanwhile(world, she.u_id, () => she.submit());
      expect(refused).toBe('wrong_state');
      expect((await she.status()).state).toBe('pending');
      expect(await she.pictures()).toEqual(before);
      world.clock.advance(MINUTE);
      expect((await she.status()).state).toBe('approved');
    });

    it('stays withdrawn, and keeps no picture', async () => {
      const world = await open();
      const she = await draftOf(world);
      const refused = await putMeanwhile(world, she.u_id, () => world.ask('withdrawIdentity', {}, she.token));
      expect(refused).toBe('wrong_state');
      expect([(await she.status()).state, await she.pictures()]).toEqual(['none', []]);
    });

    it.each(['none', 'draft', 'rejected'] as const)(
      'stays withdrawn when it was %s, also begun anew',
      async (state) => {
        const world = await open();
        const she = await draftOf(world, state === 'none' ? [] : undefined);
        if (state === 'rejected') {
          await she.submit('reject back');
          world.clock.advance(MINUTE);
          expect((await she.status()).state).toBe('rejected');
        }
        const refused = await putMeanwhile(world, she.u_id, async (identities) => {
          await she.put('back');
          await identities.withdraw(she.u_id);
          expect((await she.status()).state).toBe('none');
          if (state === 'rejected') await she.put('selfie');
        });
        expect(refused).toBe('wrong_state');
        expect((await she.pictures()).map(({ step }) => step)).toEqual(state === 'rejected' ? ['selfie'] : []);
      },
    );

    it('keeps the draft of another document that was begun meanwhile', async () => {
      const world = await open();
      const she = await draftOf(world, ['front']);
      const picture = await aPhoto();
      const body = { document_kind: 'passport', step: 'selfie', picture } as const;
      const refused = await putMeanwhile(world, she.u_id, () => world.ask('putIdentityDocument', { body }, she.token));
      expect(refused).toBe('wrong_state');
      expect(await she.status()).toMatchObject({ document_kind: 'passport', steps: ['selfie'] });
    });

    it('accepts two pictures of a first draft at once', async () => {
      const world = await open();
      const she = await draftOf(world, []);
      expect(await putMeanwhile(world, she.u_id, () => she.put('back'))).toBe('put');
      expect((await she.status()).steps.toSorted()).toEqual(['back', 'front']);
    });

    it('is erased with the account, and keeps no picture', async () => {
      const world = await open();
      const she = await draftOf(world, ['front']);
      const body = { password: aWoman.password };
      const refused = await putMeanwhile(world, she.u_id, () => world.ask('deleteMe', { body }, she.token));
      expect(refused).toBe('signed_out');
      expect(await she.pictures()).toEqual([]);
      expect(await world.database.db.selectFrom('ringback_identities').selectAll().execute()).toEqual([]);
    });
  });

  it('is rejected for single pictures, and only these have to be taken again', async () => {
    const world = await open();
    const she = await draftOf(world);
    await she.submit('please reject back and reject selfie');
    world.clock.advance(MINUTE);
    await expect.poll(async () => (await she.status()).state).toBe('rejected');
    const rejected = await she.status();
    expect(rejected.reasons).toEqual([
      { step: 'back', reason: 'expired_document' },
      { step: 'selfie', reason: 'no_match' },
    ]);
    expect(rejected.steps).toEqual(['front']);
    expect(await she.isShownVerified()).toBe(0);
    expect((await world.refusal('submitIdentity', { body: { consent: true } }, she.token)).code).toBe('wrong_state');
    await she.put('back');
    await she.put('selfie');
    expect((await she.submit()).state).toBe('pending');
  });

  it('is submitted three times in thirty days', async () => {
    const world = await open();
    const she = await draftOf(world);
    for (let tries = 0; tries < 3; tries += 1) {
      await she.submit('reject front');
      world.clock.advance(HOUR);
      await expect.poll(async () => (await she.status()).state).toBe('rejected');
      await she.put('front');
    }
    const { tries_left, next_try_at } = await she.status();
    expect([tries_left, (next_try_at ?? 0) - world.clock.wallTime()]).toEqual([0, 30 * DAY - 3 * HOUR]);
    expect(await world.refusal('submitIdentity', { body: { consent: true } }, she.token)).toMatchObject({
      status: 429,
      code: 'no_tries_left',
      retry_after: (30 * DAY - 3 * HOUR) / 1_000,
    });
    // A new draft does not restore the attempts.
    await world.ask('withdrawIdentity', {}, she.token);
    expect(await she.status()).toMatchObject({ state: 'none', tries_left: 0 });
    world.clock.advance(30 * DAY - 3 * HOUR);
    const again = await world.ask('login', { body: { user_id: she.u_id, password: aWoman.password } });
    expect(await world.ask('identity', {}, again.token)).toMatchObject({ tries_left: 1, next_try_at: null });
  });

  it('is reviewed in time when its withdrawal fails', async () => {
    const world = await open();
    const she = await draftOf(world);
    await she.submit();
    vi.spyOn(world.database, 'transact').mockRejectedValueOnce(new Error('the database is away'));
    await expect(world.http('withdrawIdentity', {}, she.token)).rejects.toThrow('the database is away');
    world.clock.advance(MINUTE);
    await expect.poll(she.isShownVerified).toBe(1);
  });

  it('is valid for two years, and is no badge after that', async () => {
    const world = await open();
    const she = await draftOf(world);
    await she.submit();
    world.clock.advance(MINUTE);
    await expect.poll(async () => (await she.status()).state).toBe('approved');
    world.clock.set(Date.UTC(2028, 0, 1, 0, 1) - world.clock.wallTime() - 1);
    const { token } = await world.ask('login', { body: { user_id: aWoman.contact, password: aWoman.password } });
    expect((await world.ask('identity', {}, token)).state).toBe('approved');
    world.clock.advance(1);
    expect((await world.ask('identity', {}, token)).state).toBe('expired');
    expect(await she.isShownVerified()).toBe(0);
  });

  it('continues when no server ran during the review', async () => {
    const first = await open();
    const she = await draftOf(first);
    await she.submit();
    await first.product.dispose();
    const second = await open({ database: () => Promise.resolve(first.database), clock: first.clock });
    await second.product.opened();
    first.clock.advance(MINUTE);
    await expect.poll(she.isShownVerified).toBe(1);
    await second.product.dispose();
  });

  it('S06 is private: the pictures are served to no other user, and have no metadata of the camera', async () => {
    const world = await open();
    const she = await draftOf(world);
    const man = await world.register(aMan);
    for (const name of ['identity', 'putIdentityDocument', 'submitIdentity', 'withdrawIdentity'] as const) {
      expect([name, (await world.refusal(name, {}, man.token)).code]).toEqual([name, 'not_yours']);
    }
    const [kept] = await she.pictures();
    const { exif, format, width } = await sharp(Buffer.from(kept?.picture ?? '', 'base64')).metadata();
    expect([exif, format, width]).toEqual([undefined, 'jpeg', 640]);
    expect(JSON.stringify(await she.status())).not.toContain(kept?.picture.slice(0, 40));
    await world.ask('withdrawIdentity', {}, she.token);
    expect(await she.pictures()).toEqual([]);
  });

  it('accepts only pictures of the chosen document', async () => {
    const world = await open();
    const { token } = await world.register(aWoman);
    const put = (body: object) =>
      world.refusal('putIdentityDocument', { body: { document_kind: 'id_card', step: 'front', ...body } }, token);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').toString('base64');
    for (const picture of ['AAAA', svg])
      expect(await put({ picture })).toMatchObject({ code: 'invalid', field: 'picture' });
    expect(await put({ picture: 'not base64!' })).toMatchObject({ code: 'invalid', field: 'picture' });
    const picture = await aPhoto('webp');
    expect(await put({ picture, document_kind: 'passport', step: 'back' })).toMatchObject({
      code: 'invalid',
      field: 'step',
    });
    await world.ask('putIdentityDocument', { body: { document_kind: 'id_card', step: 'back', picture } }, token);
    const other = { document_kind: 'passport', step: 'front', picture } as const;
    expect((await world.ask('putIdentityDocument', { body: other }, token)).steps).toEqual(['front']);
  });
});

describe('a woman', () => {
  it('PROD-06: registers, verifies her identity, edits her profile, earns, sees points and income, and redeems', async () => {
    const world = await open({ isBilled: true });
    const she = await draftOf(world);
    await she.submit();
    world.clock.advance(MINUTE);
    expect((await she.status()).state).toBe('approved');

    const edited = { intro: '喜歡老電影', tags: ['電影'], languages: ['zh', 'en'] as const };
    const body = { ...edited, languages: [...edited.languages] };
    expect(await world.ask('changeProfile', { body }, she.token)).toMatchObject({ ...edited, verified: true });
    const he = await world.register(aMan);
    expect(await world.ask('person', { params: { u_id: she.u_id } }, he.token)).toMatchObject({
      ...edited,
      verified: true,
    });

    const ledger = new Ledger(world.database);
    await world.database.transact((transaction) =>
      ledger.post(transaction, {
        key: 'given',
        kind: 'bonus',
        at: world.clock.wallTime(),
        ref: {},
        lines: [
          { account: 'house:sold', delta: -3_000 },
          { account: `coins:${he.u_id}`, delta: 3_000 },
        ],
      }),
    );
    const gift = { to: she.u_id, gift_id: 'bouquet', count: 8 };
    expect(await world.ask('sendGift', { body: gift, key: 'a-gift-of-his' }, he.token)).toMatchObject({ coins: 2_392 });
    const points = () => world.ask('points', {}, she.token);
    expect(await points()).toMatchObject({ available: 0, settling: 119_600 });
    const now = world.clock.wallTime();
    const span = { from: String(now - DAY), to: String(now + 1) };
    expect(await world.ask('income', { query: { ...span, group: 'day' } }, she.token)).toMatchObject({
      total: 119_600,
      sources: { gift: 119_600 },
    });

    world.clock.advance(DAY);
    expect((await points()).available).toBe(119_600);
    const account = { bank_code: '822', account_number: '123456789012', holder: '王小美' } as const;
    await world.ask('setPayoutAccount', { body: { ...account, proof: { password: aWoman.password } } }, she.token);
    await world.ask('sendRedeemCode', {}, she.token);
    const code = (await world.letters())[0]?.code ?? '';
    const shown = { bank_code: '822', tail: '9012', changed_at: world.clock.wallTime() } as const;
    const asked = { body: { amount: 1_100, account: shown, code }, key: 'her-redemption' };
    const redemption = await world.ask('redeem', asked, she.token);
    world.clock.advance(redemption.expected_at - world.clock.wallTime());
    const { items } = await world.ask('redemptions', { query: {} }, she.token);
    expect(items).toMatchObject([{ amount: 1_100, net: 1_085, state: 'paid' }]);
    expect(await points()).toMatchObject({ available: 9_600, reviewing: 0 });
  });
});
