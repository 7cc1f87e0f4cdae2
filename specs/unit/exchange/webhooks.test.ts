/** The posts of the exchange to the webhook that a dial names. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { eventFrom } from '../../../src/protocol/envelope.ts';
import { webhookBody, type WebhookBody } from '../../../src/protocol/webhook.ts';
import type { PostWebhook } from '../../../sim/exchange/ports.ts';
import { AV, createExchangeFixture, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

type Posted = Parameters<PostWebhook>[0];

let fixture: ExchangeFixture;
let alice: Device;
let bob: Device;
let posted: Posted[];
/** The outcome of each post. */
let take: (webhook: Posted) => Promise<void>;

beforeEach(async () => {
  posted = [];
  take = async () => undefined;
  fixture = createExchangeFixture({
    postWebhook: (webhook) => {
      posted.push(webhook);
      return take(webhook);
    },
  });
  alice = await fixture.device('alice');
  bob = await fixture.device('bob');
});

const settle = () => new Promise((resolve) => void setImmediate(resolve));
const bodies = async (): Promise<WebhookBody[]> => {
  await settle();
  return posted.map(({ body }) => v.parse(webhookBody, JSON.parse(body)));
};
const events = async () => (await bodies()).map(({ event }) => event);

const HOOK = { url: 'http://127.0.0.1:9/calls?key=k', headers: { 'x-key': 'secret' } };
const hooked = (webhook: object = {}) => alice.dial('bob', { webhook: { ...HOOK, ...webhook } });

function goThrough(call_id: string): void {
  expect([
    bob.accept(call_id),
    alice.connected(call_id),
    bob.connected(call_id),
    alice.code('end', { call_id }),
  ]).toEqual([0, 0, 0, 0]);
}

describe('a webhook', () => {
  it('S23 S28: has no relay credential, which the accepting device gets in the reply', async () => {
    const relay = { urls: ['turn:relay.example'], secret: 's' };
    fixture = createExchangeFixture({ settings: { relay }, postWebhook: async (webhook) => void posted.push(webhook) });
    alice = await fixture.device('alice');
    bob = await fixture.device('bob');
    const call_id = hooked();
    const [dial] = await bodies();
    const none = { username: '', password: '', turn_urls: [], transport_policy: 'all' };
    expect(dial?.payload).toMatchObject({ call_id, turn_credential: none });
    expect(bob.event('dial').turn_credential.username).not.toBe('');
    const accept = bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    expect(accept.payload).toMatchObject({ turn_credential: { turn_urls: relay.urls } });
  });

  it('PAY-01: gets a body for each event of the call, in order, with its headers', async () => {
    const call_id = hooked();
    goThrough(call_id);
    const [dial, accept, establish, end] = await bodies();
    const head = { version: 1, app_id: 'ringback-demo', call_id, occurred_at: fixture.clock.wallTime() };
    expect(dial).toMatchObject({ ...head, event: 'dial' });
    expect(accept).toMatchObject({
      ...head,
      event: 'accept',
      payload: { call_id, accepted_by: 'bob', constraints: AV },
    });
    expect(establish).toMatchObject({
      ...head,
      event: 'establish',
      payload: { call_id, started_at: fixture.clock.wallTime() },
    });
    expect(end).toMatchObject({ ...head, event: 'end', payload: bob.event('end') });
    expect(new Set((await bodies()).map(({ event_id }) => event_id)).size).toBe(4);
    expect(posted.map(({ url, headers }) => ({ url, headers }))).toEqual(posted.map(() => HOOK));
  });

  it('gets the result of a call that no device accepted, for an end by either side', async () => {
    hooked();
    fixture.clock.advance(10 * 60_000);
    expect((await bodies()).at(-1)).toMatchObject({
      event: 'end',
      payload: { end_result: 'no_answer', ended_by: null },
    });
  });

  it('gets only the requested events, and a dial without one posts nothing', async () => {
    goThrough(hooked({ enabled_events: ['end', 'party'] }));
    goThrough(alice.dial('bob'));
    goThrough(hooked({ enabled_events: [] }));
    expect(await events()).toEqual(['end']);
  });

  it('that fails or never answers delays neither the call nor the next event, and is logged without its secrets', async () => {
    take = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:9'));
    goThrough(hooked());
    expect(await events()).toEqual(['dial', 'accept', 'establish', 'end']);
    const logged = fixture.log.filter(({ message }) => message === 'a webhook failed to accept an event');
    expect(logged.map(({ level, fields }) => [level, fields['event']])).toEqual(
      ['dial', 'accept', 'establish', 'end'].map((event) => ['warn', event]),
    );
    expect(JSON.stringify(fixture.log)).not.toMatch(/secret|key=k|127\.0\.0\.1/);
    take = () => new Promise(() => undefined);
    goThrough(hooked());
    expect((await events()).slice(4)).toEqual(['dial']);
  });

  it.each([
    ['another scheme', { url: 'ftp://127.0.0.1/' }, 'url'],
    ['a script', { url: 'javascript:alert(1)' }, 'url'],
    ['no scheme', { url: '//127.0.0.1/' }, 'url'],
    ['a password in its url', { url: 'http://name:word@127.0.0.1/' }, 'url'],
    ['a very long url', { url: `http://127.0.0.1/${'x'.repeat(2_048)}` }, 'url'],
    ['a header of two lines', { headers: { 'x-a': 'b\r\nx-c: d' } }, 'headers.x-a'],
    ['a header that is no name', { headers: { 'a b': 'c' } }, 'headers.a b'],
    ['another host in its headers', { headers: { Host: 'evil.example' } }, 'headers.Host'],
    ['another length in its headers', { headers: { 'Transfer-Encoding': 'chunked' } }, 'headers.Transfer-Encoding'],
    [
      'very many headers',
      { headers: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`x-${at}`, 'y'])) },
      'headers',
    ],
    ['an event of a long name', { enabled_events: ['x'.repeat(129)] }, 'enabled_events.0'],
  ])('S28 with %s is refused with 1800300 and its place', (_, webhook, where) => {
    const refused = alice.send('dial', {
      callee_id: 'bob',
      is_video_call: true,
      constraints: AV,
      capabilities: [],
      webhook: { ...HOOK, ...webhook },
    });
    expect(refused.error).toMatchObject({
      code: ErrorCode.INVALID_PARAMETER_VALUE,
      message: expect.stringContaining(`payload.webhook.${where}: `),
    });
    expect(posted).toEqual([]);
  });
});

describe('a callee that gets the call by its webhook', () => {
  const received = (call_id: string) => ({
    call_id,
    callee_delivery_info: { channel: 'webhook' },
    received_type: 'webhook' as const,
  });
  const say = (device: Device, token: string, call_id: string, clientId = device.clientId, requestId = 'r1') =>
    fixture.http('POST', '/v1/action/direct_call', {
      headers: { 'x-client-id': clientId, 'x-short-lived-token': token },
      body: device.frame('dial_rcv', received(call_id), requestId),
    });

  const dialled = async () => {
    bob.disconnect();
    const call_id = hooked();
    const [body] = await bodies();
    if (body?.event !== 'dial') throw new Error('no dial was posted');
    return { call_id, payload: body.payload };
  };

  it('PAY-01 PAY-02 PAY-13: reads every field of the incoming dial, reports the receipt, and accepts the call', async () => {
    const { call_id, payload } = await dialled();
    expect(payload).toMatchObject({
      call_id,
      caller: { user_id: 'alice' },
      callee: { user_id: 'bob', role: 'dc_callee' },
    });
    expect(await say(bob, payload.short_lived_token, call_id)).toMatchObject({
      status: 200,
      body: { type: 'dial_rcv_ack' },
    });
    expect(alice.types).toEqual(['dial_rcv']);
    const accept = bob.frame('accept', { call_id, constraints: AV, capabilities: [] });
    const taken = await fixture.http('POST', '/v1/action/direct_call', { headers: bob.headers, body: accept });
    expect(taken).toMatchObject({ status: 200, body: { type: 'accept_ack', payload: { call_id } } });
    expect(alice.types).toEqual(['dial_rcv', 'accept']);
  });

  it('gets the same dial as its first signal when its channel returns', async () => {
    const { call_id, payload } = await dialled();
    await say(bob, payload.short_lived_token, call_id);
    await bob.connect();
    const [dial] = bob.events;
    expect(dial).toMatchObject({ type: 'dial', sequence_number: 1 });
    expect(eventFrom(dial)).toMatchObject({ payload: { ...payload, short_lived_token: expect.any(String) } });
  });

  it('S11 uses the token once: it is valid for no other client, request or call, and expires', async () => {
    const { call_id, payload } = await dialled();
    const token = payload.short_lived_token;
    const other = alice.dial('bob');
    expect((await say(bob, token, other)).status).toBe(401);
    expect((await say(bob, token, call_id, '')).status).toBe(401);
    expect((await say(bob, token, call_id, 'x'.repeat(129))).status).toBe(401);
    expect((await say(bob, token, call_id)).status).toBe(200);
    expect((await say(bob, token, call_id)).status).toBe(200);
    expect((await say(bob, token, call_id, 'bob-2', 'r2')).status).toBe(401);
    expect(alice.types).toEqual(['dial_rcv']);
    const late = await dialled();
    fixture.clock.advance(60_000);
    expect((await say(bob, late.payload.short_lived_token, late.call_id)).status).toBe(401);
  });

  it('gets a refusal after the end of the call', async () => {
    const { call_id, payload } = await dialled();
    alice.code('cancel', { call_id });
    expect((await say(bob, payload.short_lived_token, call_id)).body.error).toMatchObject({
      code: ErrorCode.ERR_INVALID_CALL_STATUS,
    });
  });
});
