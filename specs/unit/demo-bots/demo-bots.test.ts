/**
 * The simulated users of the demo: their script is valid, and they answer by their manner, until a client signs in as
 * one of them.
 */
import { afterEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { DEMO_PROFILES } from '../../../fixtures/demo-profiles.ts';
import { CALLING_NOW, REPLIES, DEMO_BOTS } from '../../../fixtures/demo-bots.ts';
import { PRODUCT_API } from '../../../src/protocol/product/api.ts';
import { eventFrame } from '../../../src/protocol/product/event-frames.ts';
import { productEvent, type ProductEvent } from '../../../src/protocol/product/events.ts';
import { unlimited } from '../support/unlimited.ts';
import { Product, type ProductSocket } from '../../../sim/product/product.ts';
import { chooseScript } from '../../../sim/scripts/choose-script.ts';
import { demoPeople } from '../../../sim/server/demo-people.ts';
import { nodeIds } from '../../../sim/server/node-ports.ts';
import { seedDemo } from '../../../sim/demo-bots/seed-demo.ts';
import { demoScript } from '../../../sim/demo-bots/demo-script.ts';
import { DemoBots } from '../../../sim/demo-bots/demo-bots.ts';
import { audit } from '../product/support/audit.ts';
import { aCallingService } from '../product/support/calling-service.ts';
import { cheapPasswords } from '../product/support/cheap-passwords.ts';
import { type DatabaseImage, imageOf, openImage, openTestDatabase } from '../product/support/test-database.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { productLog } from '../product/support/product-log.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0).toReversed()) one();
});

/** The database of a demo with its simulated users at the start of the server. Creating it takes most of a second. */
let seeded: DatabaseImage | undefined;

/** The demo with its simulated users, and a user of it who records the events. */
async function visit(uId: string, answers = true) {
  const clock = new VirtualClock();
  const warnings: string[] = [];
  const log = productLog(({ level, message }) => void (level === 'warn' && warnings.push(message)), clock);
  const database = seeded ? await openImage(seeded) : await openTestDatabase(':memory:');
  const product = new Product({
    clock,
    rateLimits: unlimited,
    ids: nodeIds,
    log,
    database: () => Promise.resolve(database),
    people: demoPeople(),
    isDemo: true,
    ports: { passwords: cheapPasswords },
    calling: aCallingService(),
    apiUrl: 'http://product.test',
    portrait: () => '<svg/>',
  });
  const parts = await product.opened();
  if (!seeded) {
    await seedDemo(parts, demoPeople());
    seeded = await imageOf(database);
  }
  const dialled: string[] = [];
  const dial = (from: string, to: string) => void dialled.push(`${from} ${to}`);
  const bots = new DemoBots({ product, clock, ids: nodeIds, log, dial, answers: () => answers });
  await bots.open();
  undo.push(
    () => bots.close(),
    () => void product.dispose(),
  );

  const request = async (method: string, path: string, body?: unknown, token = '') => {
    const { status, body: answer } = await product.http({
      method,
      path,
      address: '',
      query: {},
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': nodeIds.uuid() },
      body,
    });
    expect([status, answer]).toEqual([200, answer]);
    return answer;
  };
  const signIn = async (who: string) =>
    v.parse(PRODUCT_API.login.answer, await request('POST', '/auth/login', { user_id: who })).token;
  const open = async (path: string, token: string, send: (frame: string) => void = () => undefined) => {
    const socket = await product.socket(path, token, null, { send, close: () => undefined });
    if ('status' in socket) throw new Error(socket.message);
    undo.push(() => socket.closed());
    return socket satisfies ProductSocket;
  };
  const token = await signIn(uId);
  const events: ProductEvent[] = [];
  await open('/ws/events', token, (frame) => {
    const told = v.safeParse(eventFrame, JSON.parse(frame));
    const event = told.success ? v.safeParse(productEvent, told.output.event) : undefined;
    if (event?.success) events.push(event.output);
  });
  const pass = async (ms: number) => {
    await clock.advance(ms);
    // The due work queries the database, which answers in later turns.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    parts,
    request: (method: string, path: string, body?: unknown) => request(method, path, body, token),
    dialled,
    warnings,
    pass,
    async write(to: string, text: string): Promise<void> {
      const { channel_url } = v.parse(
        PRODUCT_API.openChannel.answer,
        await request('POST', '/channels', { u_id: to }, token),
      );
      await request(
        'POST',
        `/channels/${channel_url}/messages`,
        { type: 'text', client_id: nodeIds.uuid(), text },
        token,
      );
    },
    /** The events of a simulated user's messages, reads and typing. */
    from: (who: string) =>
      events.flatMap((event) => {
        if (event.type === 'message' && event.message.from === who && event.message.type === 'text') {
          return [event.message.data.text];
        }
        return (event.type === 'read' || event.type === 'typing') && event.u_id === who ? [event.type] : [];
      }),
    /** Opens the page of a simulated user. */
    async comes(who: string): Promise<void> {
      await open(`/ws/online/${who}`, await signIn(who));
    },
  };
}

describe('the simulated users of the demo', () => {
  it('exist as users, and accept calls by a script that can be played', () => {
    const ids = demoPeople().map(({ u_id }) => u_id);
    const { people } = chooseScript('town', [demoScript], ids);
    expect(Object.keys(people)).toEqual(Object.keys(DEMO_BOTS));
    const deeds = (uId: string) => people[uId]?.map(({ on, do: deed }) => `${on}: ${deed}`);
    expect(['alice', 'carol', 'neva', 'erma'].map(deeds)).toEqual([
      ['called: accept'],
      ['called: decline'],
      ['called: ignore'],
      ['called: accept', 'connected: end'],
    ]);
    // The documents invite readers to dial them.
    for (const known of ['alice', 'bob']) expect(DEMO_BOTS[known]).toEqual({ call: 'accepts', chat: 'quick' });
  });

  it('read, type and answer in the language of the message, each time with the next line', async () => {
    const bob = await visit('bob');
    await bob.write('alice', '你好');
    await bob.pass(800);
    expect(bob.from('alice')).toEqual(['read']);
    await bob.pass(700);
    expect(bob.from('alice')).toEqual(['read', 'typing']);
    await bob.pass(2_000);
    expect(bob.from('alice')).toEqual(['read', 'typing', REPLIES['zh-Hant'][0]]);
    await bob.write('alice', 'How are you?');
    await bob.pass(4_000);
    expect(bob.from('alice').at(-1)).toBe(REPLIES.en[1]);
    expect(bob.warnings).toEqual([]);
  });

  it('behave differently: one reads and does not answer, one is away', async () => {
    const bob = await visit('bob');
    await bob.write('carli', '在嗎？');
    await bob.write('neva', '在嗎？');
    await bob.pass(60_000);
    expect(bob.from('carli')).toEqual(['read']);
    expect(bob.from('neva')).toEqual([]);
  });

  it('call a user who asks for it', async () => {
    const bob = await visit('bob');
    await bob.write('alice', '打給我吧');
    await bob.pass(4_000);
    expect(bob.from('alice').at(-1)).toBe(CALLING_NOW['zh-Hant']);
    expect(bob.dialled).toEqual(['alice bob']);
  });

  it('do nothing while a client is signed in as them', async () => {
    const bob = await visit('bob');
    await bob.comes('alice');
    await bob.write('alice', '你好');
    await bob.pass(60_000);
    expect(bob.from('alice')).toEqual([]);
  });

  it('do nothing at a node that is not the first of its cluster', async () => {
    const bob = await visit('bob', false);
    await bob.write('alice', 'hello');
    await bob.pass(10_000);
    expect(bob.from('alice')).toEqual([]);
  });

  it('sign in again after their session has ended, and answer again', async () => {
    const bob = await visit('bob');
    await bob.parts.database.db.deleteFrom('ringback_sign_ins').where('u_id', '=', 'alice').execute();
    await bob.pass(30_000);
    await bob.write('alice', '你好');
    await bob.pass(4_000);
    expect(bob.from('alice')).toEqual(['read', 'typing', REPLIES['zh-Hant'][0]]);
    expect(bob.warnings).toEqual([]);
  });

  it('are listed among the sessions of the user that a client signs in as', async () => {
    const alice = await visit('alice');
    expect(await alice.request('GET', '/me/sessions')).toMatchObject({
      sessions: [{ is_this: true }, { is_this: false, browser: 'Ringback Demo', system: null }],
    });
  });

  it('can redeem their points at once: the email address is old enough, and its letters are in the mailbox', async () => {
    const alice = await visit('alice');
    const codeFor = async (path: string, body?: object) => {
      await alice.request('POST', path, body);
      const { letters } = v.parse(PRODUCT_API.demoMailbox.answer, await alice.request('GET', '/demo/mailbox'));
      expect(letters[0]?.to).toBe('alice@ringback.example');
      return letters[0]?.code;
    };
    const proof = { code: await codeFor('/verification/owner/code', { change: 'payout_account' }) };
    const account = { bank_code: '822', account_number: '123456789012', holder: '王小美', proof };
    const kept = v.parse(
      PRODUCT_API.setPayoutAccount.answer,
      await alice.request('PUT', '/me/payout-account', account),
    );
    const shown = { bank_code: '822', tail: '9012', changed_at: kept.account?.changed_at };
    const asked = { amount: 1_000, account: shown, code: await codeFor('/redemptions/code') };
    expect(await alice.request('POST', '/redemptions', asked)).toMatchObject({ state: 'pending', amount: 1_000 });
  });

  it('have money and a history, which a second start does not create again', async () => {
    const bob = await visit('bob');
    const { parts } = bob;
    const look = async () => {
      const { items } = v.parse(PRODUCT_API.channels.answer, await bob.request('GET', '/channels'));
      const [coins, points] = [await parts.ledger.balance('coins:bob'), await parts.ledger.balance('points:alice')];
      return {
        coins,
        points,
        chats: items.map(({ companion, last_message }) => [companion.u_id, last_message?.at, last_message?.seq]),
      };
    };
    const first = await look();
    expect([first.coins, first.points]).toEqual([3_000, 480_000]);
    expect(first.chats.length).toBeGreaterThanOrEqual(4);
    expect(first.chats[0]).toEqual(['alice', parts.clock.wallTime() - 4 * 60_000, 8]);
    await seedDemo(parts, demoPeople());
    expect(await look()).toEqual(first);
    expect(await audit(parts.database)).toEqual([]);
    const unread = v.parse(PRODUCT_API.unreadMessages.answer, await bob.request('GET', '/channels/unread'));
    expect(unread.count).toBeGreaterThan(0);
  });

  it('describe themselves within the limits of a profile', async () => {
    const bob = await visit('bob');
    for (const { u_id, gender_type } of demoPeople()) {
      const profile = DEMO_PROFILES[u_id];
      expect(profile, u_id).toBeDefined();
      const body = v.safeParse(PRODUCT_API.changeProfile.body, profile);
      expect(body.issues, u_id).toBeUndefined();
      if (gender_type === 'man') continue;
      const seen = v.parse(PRODUCT_API.person.answer, await bob.request('GET', `/users/${u_id}`));
      expect(seen).toMatchObject({ ...profile });
    }
  });

  it('have earnings on many days of the last month, from every source, and the records of the men agree', async () => {
    const alice = await visit('alice');
    const { parts } = alice;
    const { days, settling } = v.parse(PRODUCT_API.points.answer, await alice.request('GET', '/points'));
    expect(days.filter(({ points }) => points > 0).length).toBeGreaterThanOrEqual(4);
    expect(settling).toBe(0);
    const women = demoPeople().filter(({ gender_type }) => gender_type === 'woman');
    const sums = await parts.database.db
      .selectFrom('ringback_entries')
      .where(
        'account',
        'in',
        women.map(({ u_id }) => `settling:${u_id}`),
      )
      .where('delta', '>', 0)
      .groupBy('kind')
      .select('kind')
      .execute();
    expect(sums.map(({ kind }) => kind).toSorted()).toEqual(['gift', 'video', 'voice']);
    const { items } = v.parse(PRODUCT_API.chargeSessions.answer, await alice.request('GET', '/transactions/sessions'));
    const [call] = items;
    expect(call).toMatchObject({ end_result: 'completed', with: { nickname: expect.any(String) } });
    const { minutes } = v.parse(
      PRODUCT_API.chargeSession.answer,
      await alice.request('GET', `/transactions/sessions/${call?.session_id}`),
    );
    expect(minutes).toHaveLength(call?.count ?? -1);
    const { gifts } = v.parse(PRODUCT_API.person.answer, await alice.request('GET', '/users/alice'));
    expect(gifts.length).toBeGreaterThanOrEqual(2);
  });
});
