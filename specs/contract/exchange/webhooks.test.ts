/** Webhooks over real sockets: where they go, and where they do not. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import { listen, stopListening } from '../../../sim/server/listen.ts';
import { startSim, type SimOptions } from '../../../sim/server/start-sim.ts';
import { webhookPoster } from '../../../sim/server/webhook-poster.ts';
import { webhookBody } from '../../../src/protocol/webhook.ts';
import { Terminal, until } from './terminals.ts';

interface Heard {
  readonly request: IncomingMessage;
  readonly body: string;
}

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** Somebody who takes what is posted, at 127.0.0.1. */
async function receiver(answer: (response: ServerResponse) => void = (response) => response.end()) {
  const heard: Heard[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      heard.push({ request, body });
      answer(response);
    });
  });
  const port = await listen(server, 0, '127.0.0.1');
  endings.push(() => stopListening(server));
  return { heard, port, url: `http://127.0.0.1:${port}/calls` };
}

async function exchange(options: SimOptions = {}) {
  const log: LogEntry[] = [];
  const sim = await startSim({ port: 0, log: (entry) => log.push(entry), ...options });
  endings.push(() => sim.close());
  const alice = await Terminal.signIn(sim, 'alice');
  await Terminal.signIn(sim, 'bob');
  const failure = async () =>
    (await until(() => log.find(({ message }) => message === 'a webhook did not take its event'), 'the failure'))
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
  it('PAY-01: is posted to its url as JSON, with the headers the dial named', async () => {
    const { heard, url } = await receiver();
    const { alice, dial } = await exchange();
    const call_id = await dial(url);
    await alice.send('cancel', { call_id });
    await until(() => heard.length === 2, 'two bodies');
    expect(heard.map(({ body }) => v.parse(webhookBody, JSON.parse(body)))).toMatchObject([
      { event: 'dial', call_id },
      { event: 'end', call_id, payload: { end_result: 'canceled' } },
    ]);
    const { method, headers, url: path } = heard[0]?.request ?? {};
    expect([method, path, headers?.['content-type'], headers?.['x-key']]).toEqual([
      'POST',
      '/calls',
      'application/json',
      'k',
    ]);
  });

  it('S28: follows no redirect, and a refusal is logged', async () => {
    const elsewhere = await receiver();
    const { url, heard } = await receiver((response) => response.writeHead(302, { location: elsewhere.url }).end());
    const { dial, failure } = await exchange();
    await dial(url);
    expect(await failure()).toMatchObject({ event: 'dial', error: 'Error: it answered 302' });
    expect([heard.length, elsewhere.heard.length]).toEqual([1, 0]);
  });

  it('S28: goes to no other host than it may, however that host is written', async () => {
    const { heard, port } = await receiver();
    const { dial, log } = await exchange();
    const places = [
      `http://[::ffff:127.0.0.1]:${port}/`,
      'http://169.254.169.254/',
      'http://127.0.0.1.evil.example/',
      `http://0.0.0.0:${port}/`,
      'http://10.0.0.7/',
    ];
    for (const url of places) await dial(url);
    const failed = () => log.filter(({ message }) => message === 'a webhook did not take its event');
    await until(() => failed().length === places.length, 'the failures');
    for (const { fields } of failed()) expect(fields['error']).toContain('webhooks may not go to');
    await dial(`http://0x7f.1:${port}/`);
    await until(() => heard.length === 1, 'the one that may');
  });

  it('S28: of an exchange that others reach goes nowhere but where it is told', async () => {
    const { heard, url } = await receiver();
    const open = await exchange({ host: '0.0.0.0' });
    await open.dial(url);
    expect((await open.failure())['error']).toContain('webhooks may not go to');
    const told = await exchange({ host: '0.0.0.0', webhookHosts: ['127.0.0.1'] });
    await told.dial(url);
    await until(() => heard.length === 1, 'the one that may');
  });

  it('is not waited for: who does not answer is left, and the exchange stops all the same', async () => {
    const silent = await receiver(() => undefined);
    const { post, close } = webhookPoster(() => true, 50);
    await expect(post({ url: silent.url, headers: {}, body: '{}' })).rejects.toThrow(/timeout/i);
    await close();
    const { alice, dial } = await exchange();
    const call_id = await dial(silent.url);
    expect((await alice.send('cancel', { call_id })).error).toBeUndefined();
    await until(() => silent.heard.length === 2, 'the first body');
  });

  it('gets the end of a call that ends because the exchange stops', async () => {
    const { heard, url } = await receiver();
    const { sim, dial } = await exchange();
    await dial(url);
    await sim.close();
    expect(heard.map(({ body }) => JSON.parse(body).event)).toEqual(['dial', 'end']);
  });
});
