/** Webhooks over real sockets, and the hosts to which the exchange posts them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import { listen, stopListening } from '../../../sim/server/listen.ts';
import { startSim, type SimOptions } from '../../../sim/server/start-sim.ts';
import { onlyTo, webhookPoster } from '../../../sim/server/webhook-poster.ts';
import { webhookBody } from '../../../src/protocol/webhook.ts';
import { Terminal, until } from './terminals.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** Starts a receiver of webhooks at 127.0.0.1. */
async function receiver(answer: (response: ServerResponse) => void = (response) => response.end()) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ request, body });
      answer(response);
    });
  });
  const port = await listen(server, 0, '127.0.0.1');
  endings.push(() => stopListening(server));
  return { received, port, url: `http://127.0.0.1:${port}/calls`, webhookHosts: [`127.0.0.1:${port}`] };
}

async function exchange(options: Partial<SimOptions> = {}) {
  const log: LogEntry[] = [];
  const sim = await startSim({ demo: true, port: 0, log: (entry) => log.push(entry), ...options });
  endings.push(() => sim.close());
  const alice = await Terminal.signIn(sim, 'alice');
  await Terminal.signIn(sim, 'bob');
  const failure = async () =>
    (await until(() => log.find(({ message }) => message === 'a webhook failed to accept an event'), 'the failure'))
      .fields;
  const dial = async (url: string) => {
    const { payload, error } = await alice.send('dial', {
      callee_id: 'bob',
      is_video_call: false,
      constraints: { audio: true, video: false },
      capabilities: [],
      webhook: { url, headers: { 'x-key': 'k' } },
    });
    if (error) throw new Error(`refused with ${error.code}`);
    return payload.call_id as string;
  };
  return { sim, alice, dial, failure, log };
}

describe('a webhook', () => {
  it('PAY-01: is posted to its url as JSON, with the headers of the dial command', async () => {
    const { received, url, webhookHosts } = await receiver();
    const { alice, dial } = await exchange({ webhookHosts });
    const call_id = await dial(url);
    await alice.send('cancel', { call_id });
    await until(() => received.length === 2, 'two bodies');
    expect(received.map(({ body }) => v.parse(webhookBody, JSON.parse(body)))).toMatchObject([
      { event: 'dial', call_id },
      { event: 'end', call_id, payload: { end_result: 'canceled' } },
    ]);
    const { method, headers, url: path } = received[0]?.request ?? {};
    expect([method, path, headers?.['content-type'], headers?.['x-key']]).toEqual([
      'POST',
      '/calls',
      'application/json',
      'k',
    ]);
  });

  it('S28: the exchange follows no redirect, and logs a refusal of the receiver', async () => {
    const elsewhere = await receiver();
    const { url, received, port } = await receiver((response) =>
      response.writeHead(302, { location: elsewhere.url }).end(),
    );
    const { dial, failure } = await exchange({ webhookHosts: [`127.0.0.1:${port}`, `127.0.0.1:${elsewhere.port}`] });
    await dial(url);
    expect(await failure()).toMatchObject({ event: 'dial', error: 'Error: the host answered 302' });
    expect([received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  it('S28: the exchange posts only to allowed hosts, in every notation of a host', async () => {
    const { received, port, webhookHosts } = await receiver();
    const other = await receiver();
    const { dial, log } = await exchange({ webhookHosts });
    const places = [
      `http://[::ffff:127.0.0.1]:${port}/`,
      'http://169.254.169.254/',
      'http://127.0.0.1.evil.example/',
      `http://0.0.0.0:${port}/`,
      'http://10.0.0.7/',
      other.url,
      `https://127.0.0.1:${other.port}/`,
    ];
    for (const url of places) await dial(url);
    const failed = () => log.filter(({ message }) => message === 'a webhook failed to accept an event');
    await until(() => failed().length === places.length, 'the failures');
    for (const { fields } of failed()) expect(fields['error']).toContain('webhooks may not go to');
    await dial(`http://0x7f.1:${port}/`);
    await until(() => received.length === 1, 'the allowed one');
    expect(other.received).toEqual([]);
  });

  it('S28: without allowed hosts the exchange posts to no host, also not on this machine', async () => {
    const { received, url } = await receiver();
    const { dial, failure } = await exchange();
    await dial(url);
    expect((await failure())['error']).toContain('webhooks may not go to');
    expect(received).toEqual([]);
  });

  it('S28: an allowed host without a port permits only the ports 80 and 443', () => {
    const mayGo = onlyTo(['hooks.example', 'HOST.example:8080', '::1', '[::1]:99']);
    const may = (url: string) => mayGo(new URL(url));
    const allowed = ['http://hooks.example/', 'https://hooks.example/a', 'https://host.example:8080/', 'http://[::1]/'];
    expect([...allowed, 'http://[0:0::1]:99/'].map(may)).toEqual([true, true, true, true, true]);
    const named = onlyTo(['hooks.example:443', 'plain.example:80', 'both.example:0443']);
    const exact = [
      'https://hooks.example/',
      'http://hooks.example:443/',
      'http://plain.example/',
      'https://both.example/',
    ];
    expect(exact.map((url) => named(new URL(url)))).toEqual([true, true, true, true]);
    const other = ['http://hooks.example/', 'https://plain.example/', 'https://plain.example:8443/'];
    expect(other.map((url) => named(new URL(url)))).toEqual([false, false, false]);
    const refused = [
      'http://hooks.example:8080/',
      'http://host.example/',
      'http://[::1]:98/',
      'http://x.hooks.example/',
    ];
    expect(refused.map(may)).toEqual([false, false, false, false]);
  });

  it('the exchange does not wait for a webhook receiver, also when it stops', async () => {
    const silent = await receiver(() => undefined);
    const { post, dispose } = webhookPoster(() => true, 50);
    await expect(post({ url: silent.url, headers: {}, body: '{}' })).rejects.toThrow(/timeout/i);
    await dispose();
    const { alice, dial } = await exchange({ webhookHosts: silent.webhookHosts });
    const call_id = await dial(silent.url);
    expect((await alice.send('cancel', { call_id })).error).toBeUndefined();
    await until(() => silent.received.length === 2, 'the first body');
  });

  it('the receiver gets the end of a call that ends because the exchange stops', async () => {
    const { received, url, webhookHosts } = await receiver();
    const { sim, dial } = await exchange({ webhookHosts });
    await dial(url);
    await sim.close();
    expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(['dial', 'end']);
  });
});
