import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndedEvent } from '../../../sim/exchange/calls/call-event.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { CallNotes } from '../../../sim/product/chat/call-notes.ts';
import type { Chat, NewEntry } from '../../../sim/product/chat/chat.ts';
import { audit } from './support/audit.ts';
import { createListeners } from './support/calling-service.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { openStage, type Stage } from './support/stage.ts';

describe.each(EVERY)('the costs of a chat, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let stage: Stage;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    stage = await openStage(await databases.make());
  });
  afterEach(() => databases.close());

  const open = async (from: string, to: string): Promise<string> =>
    (await stage.ask(from, 'POST', '/channels', { body: { u_id: to } })).body.channel_url;
  const say = (from: string, url: string, client_id: string) => {
    // A user may send twenty in a minute.
    stage.clock.advance(3_000);
    return stage.ask(from, 'POST', `/channels/${url}/messages`, { body: { client_id, type: 'text', text: '晚安' } });
  };
  const said = async (uId: string, url: string) =>
    (await stage.ask(uId, 'GET', `/channels/${url}/messages`)).body.items;

  it('ten messages of a man are free, the eleventh costs two coins, and messages of the woman are free', async () => {
    await stage.give('kai', 3);
    const url = await open('kai', 'mei');
    for (let at = 1; at <= 12; at += 1) await say('mei', url, `mei-says-${at}`);
    for (let at = 1; at <= 10; at += 1) expect(await say('kai', url, `kai-says-${at}`)).toMatchObject({ status: 200 });
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([3, 0]);
    expect(await say('kai', url, 'kai-says-11')).toMatchObject({ status: 200 });
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([1, 80]);
    expect(stage.told('kai', 'wallet_changed').at(-1)).toMatchObject({ coins: 1 });
    expect(stage.told('mei', 'wallet_changed').at(-1)).toMatchObject({ points: 80 });

    // A repeated message costs nothing, and one that cannot be paid leaves nothing behind.
    expect(await say('kai', url, 'kai-says-11')).toMatchObject({ status: 200 });
    const count = (await said('mei', url)).length;
    const refused = { status: 402, body: { code: 'insufficient_coins' } };
    expect(await say('kai', url, 'kai-says-12')).toMatchObject(refused);
    expect(await stage.coins('kai')).toBe(1);
    expect(await said('mei', url)).toHaveLength(count);
    await stage.give('kai', 1);
    expect(await say('kai', url, 'kai-says-12')).toMatchObject({ status: 200 });
    expect(await stage.coins('kai')).toBe(0);
    // In a chat with another user ten are free again.
    expect(await say('kai', await open('kai', 'yun'), 'kai-says-13')).toMatchObject({ status: 200 });
    expect(await audit(stage.database)).toEqual([]);
  });

  it('messages between two men cost no coins', async () => {
    const url = await open('kai', 'leo');
    for (let at = 1; at <= 12; at += 1) expect(await say('kai', url, `kai-says-${at}`)).toMatchObject({ status: 200 });
  });

  it('PROD-04: users send gifts worth coins: a gift costs the man coins, earns the woman points, and appears in their chat', async () => {
    await stage.give('kai', 1_000);
    const body = { to: 'mei', gift_id: 'champagne', count: 1 };
    expect(await stage.ask('kai', 'POST', '/gifts/send', { body })).toMatchObject({ body: { coins_left: 480 } });
    expect([await stage.coins('kai'), await stage.settling('mei')]).toEqual([480, 26_000]);
    const gift = { type: 'gift', from: 'kai', data: { gift_id: 'champagne', name: '香檳', quantity: 1, coins: 520 } };
    expect(await said('mei', await open('mei', 'kai'))).toMatchObject([gift]);
    expect(stage.told('mei', 'message')).toMatchObject([{ message: gift, unread_count: 1 }]);
    // Gifts use up none of the free messages.
    const url = await open('kai', 'mei');
    for (let at = 1; at <= 10; at += 1) await say('kai', url, `kai-says-${at}`);
    expect(await stage.coins('kai')).toBe(480);
  });

  it('a user who waits for a busy user is notified when the call has ended, and not when it begins', async () => {
    const free = await openStage(await databases.make(), { billing: false });
    const [kai, mei] = [await free.fixture.device('kai'), await free.fixture.device('mei')];
    await free.ask('kai', 'POST', '/users/mei/notify-when-online');
    const notices = async () => {
      await free.product.settled();
      return free.told('kai', 'push').map(({ payload }) => payload.type);
    };
    const call = kai.dial('mei');
    mei.accept(call);
    for (const device of [kai, mei]) device.connected(call);
    expect(await notices()).toEqual([]);
    mei.send('end', { call_id: call });
    expect(await notices()).toEqual(['ONLINE']);
    kai.send('cancel', { call_id: kai.dial('mei') });
    expect(await notices()).toEqual(['ONLINE']);
  });

  it('calls appear in the chat of both users with their result and length, and not after a block', async () => {
    const free = await openStage(await databases.make(), { billing: false });
    const [kai, mei] = [await free.fixture.device('kai'), await free.fixture.device('mei')];
    const call = kai.dial('mei');
    mei.accept(call);
    for (const device of [kai, mei]) device.connected(call);
    free.clock.advance(15_000);
    mei.send('end', { call_id: call });
    const declined = mei.dial('kai', { is_video_call: false });
    kai.send('decline', { call_id: declined });
    kai.send('cancel', { call_id: kai.dial('mei') });
    await free.product.settled();
    const calls = free.told('mei', 'message').map(({ message }) => [message.type, message.from, message.data]);
    expect(calls).toMatchObject([
      ['call', 'kai', { call_id: call, is_video_call: true, end_result: 'completed', duration_ms: 15_000 }],
      ['call', 'mei', { call_id: declined, is_video_call: false, end_result: 'declined', duration_ms: 0 }],
      ['call', 'kai', { end_result: 'canceled', duration_ms: 0 }],
    ]);
    const { items } = (await free.ask('kai', 'GET', '/channels')).body;
    expect(items).toMatchObject([{ last_message: { type: 'call', data: { end_result: 'canceled' } } }]);

    await free.database.db.insertInto('ringback_blocks').values({ u_id: 'mei', other: 'kai', at: 0 }).execute();
    kai.send('cancel', { call_id: kai.dial('mei') });
    await free.product.settled();
    expect(free.told('mei', 'message')).toHaveLength(3);
  });

  it('a call of a user without an account is not written into a chat', async () => {
    const { database } = stage;
    const { subscribe, emit } = createListeners();
    const written: unknown[] = [];
    const append = async (_: unknown, { to, data }: NewEntry) => void written.push([to, data]);
    const log = new Log(({ message }) => void written.push(message), stage.clock);
    const notes = new CallNotes({ database, chat: { append } as unknown as Chat, log }, { subscribe }, false);
    for (const callee of ['stranger', 'mei']) {
      const record = { endResult: 'canceled', duration: 0, endedAt: 1 };
      emit({ kind: 'ended', callId: `to ${callee}`, caller: 'kai', callee, isVideoCall: true, record } as EndedEvent);
    }
    await notes.settled();
    expect(written).toMatchObject([['mei', { call_id: 'to mei' }]]);
  });
});
