import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../../cli/command-error.ts';
import { record } from '../../../cli/commands/record.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import { processOutput } from '../../../cli/process-output.ts';
import { newsOf, Tally } from '../../../cli/recording/news.ts';
import { TraceFile } from '../../../cli/recording/trace-file.ts';
import { writeScenario } from '../../../cli/recording/write-scenario.ts';
import type { Har } from 'har-format';
import { readHar } from '../../../sim/record/read-har.ts';
import { harOf } from '../../../sim/scenario/export/har.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

let folder: string;
let server: Server;
const file = (name: string) => join(folder, name);
const port = () => (server.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-record-'));
  server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs the command. Returns its output, its exit code, and the one line of its failure. */
async function command(...words: string[]) {
  const said = { out: '', err: '' };
  vi.spyOn(processOutput.out, 'write').mockImplementation((text) => void (said.out += text));
  vi.spyOn(processOutput.err, 'write').mockImplementation((text) => void (said.err += text));
  let code = 0;
  const program = record.declare((exit) => (code = exit)).exitOverride();
  program.configureOutput({ writeErr: () => undefined });
  const failure = await program.parseAsync(words, { from: 'user' }).then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const exitCode = failure instanceof CommandError ? failure.exitCode : code;
  return { ...said, code: exitCode, failure: failure?.message };
}

const keep = (name: string) => ['-o', file(`${name}.yaml`)];

describe('ringback record', () => {
  it('requires an upstream that is an address', async () => {
    expect((await command(...keep('a'))).failure).toMatch(/required option '--upstream <url>'/);
    expect((await command('--upstream', 'nonsense', ...keep('a'))).failure).toMatch(
      /The exchange must be an address like/,
    );
    const websocket = ['--websocket', 'http://127.0.0.1'];
    expect((await command('--upstream', 'http://127.0.0.1', ...websocket, ...keep('a'))).failure).toMatch(
      /The websocket host must be an address like wss:/,
    );
  });

  it('reports in one line why it cannot start, and leaves no file', async () => {
    const upstream = ['--upstream', `http://127.0.0.1:${port()}`];
    expect(await command('--upstream', 'http://127.0.0.1:1', ...keep('b'))).toMatchObject({
      code: 4,
      failure: 'No server answers at http://127.0.0.1:1 (ECONNREFUSED): is the server running?',
      out: '',
    });
    const taken = await command(...upstream, '--port', String(port()), ...keep('b'));
    expect([taken.code, taken.failure]).toEqual([
      4,
      expect.stringMatching(/^Port \d+ of 127\.0\.0\.1 is taken .*--port/),
    ]);
    expect(() => readFileSync(file('b.ndjson'))).toThrow('ENOENT');
    expect(await command(...upstream, '-o', '/proc/none/c.yaml')).toMatchObject({ code: 4 });
  });

  it('overwrites no file', async () => {
    writeFileSync(file('there.yaml'), 'mine');
    expect(await command('--upstream', `http://127.0.0.1:${port()}`, ...keep('there'))).toMatchObject({
      code: 2,
      failure: `${file('there.yaml')} exists already: name another file with -o.`,
    });
    expect(readFileSync(file('there.yaml'), 'utf8')).toBe('mine');
    const same = ['--trace', file('x.yaml'), '-o', file('x.yaml')];
    expect((await command('--upstream', `http://127.0.0.1:${port()}`, ...same)).failure).toMatch(/need two files/);
  });

  it('stops after its time; without a call it writes a trace and no scenario, and exits with 1', async () => {
    const done = await command('--upstream', `http://127.0.0.1:${port()}`, '--for', '50ms', ...keep('quiet'));
    expect([done.code, done.err]).toEqual([1, 'No call was made during the recording, so no scenario is written.\n']);
    expect(done.out).toMatch(/^recorder {2}http:\/\/127\.0\.0\.1:\d+ {2}forwards to http:\/\/127\.0\.0\.1:\d+\n/);
    expect(done.out).toMatch(/--server http:\/\/127\.0\.0\.1:\d+\n/);
    expect(done.out).toMatch(/recorded {2}0 calls, 0 messages, 0 requests of 0 clients in 0\.\ds\n/);
    expect(readFileSync(file('quiet.ndjson'), 'utf8')).toBe('');
    expect(() => readFileSync(file('quiet.yaml'))).toThrow('ENOENT');
  });
});

const message = (at: number, device: string, direction: 'up' | 'down', cmd: string, payload: unknown): TraceEvent => ({
  at,
  kind: 'message',
  device,
  direction,
  cmd,
  payload,
});

describe('a trace file', () => {
  it('is written line by line, masked, and can be read at any length', () => {
    const trace = new TraceFile(file('long.ndjson'));
    const written: TraceEvent[] = [];
    for (let at = 0; at < 3_000; at += 1) {
      const event = message(at, 'älice', 'up', 'dial', { callee_id: 'b', short_lived_token: 'secret' });
      trace.write(event);
      written.push({ ...event, payload: { callee_id: 'b', short_lived_token: '***' } } as TraceEvent);
    }
    expect(readFileSync(file('long.ndjson'), 'utf8').split('\n')).toHaveLength(3_001);
    trace.close();
    expect([...trace.events()]).toEqual(written);
    expect(() => new TraceFile(file('long.ndjson'))).toThrow('EEXIST');
  });
});

describe('progress lines', () => {
  it('show actions of users, refusals, and channels', () => {
    const events: TraceEvent[] = [
      message(0, 'alice', 'up', 'dial', { callee_id: 'bob' }),
      {
        ...message(1, 'alice', 'down', 'dial_ack', undefined),
        error: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST,
      } as TraceEvent,
      message(2, 'alice', 'up', 'candidate', {}),
      { at: 3, kind: 'socket', device: 'bob', what: 'close', code: 1006 },
      { at: 4, kind: 'error', device: 'bob', message: 'x cannot be reached' },
      { at: 5, kind: 'http', device: 'bob', direction: 'up', request: 'GET /x', body: undefined },
      { at: 6, kind: 'http', device: 'bob', direction: 'down', request: 'GET /x', body: undefined, status: 200 },
      { at: 7, kind: 'http', device: 'bob', direction: 'down', request: 'GET /x', body: undefined, status: 401 },
    ];
    expect(events.map(newsOf)).toEqual([
      'alice  dial bob',
      'alice  dial_ack refused, 1400103',
      undefined,
      'bob  channel close 1006',
      'bob  x cannot be reached',
      undefined,
      undefined,
      'bob  GET /x refused, 401',
    ]);
    const tally = new Tally();
    for (const event of events) tally.count(event);
    expect(tally.text).toBe('1 call, 3 messages, 1 request');
  });
});

describe('a generated scenario', () => {
  it('reports whether it passes, and what it omits', async () => {
    const dialled = (answer: Partial<TraceEvent>) => [
      message(0, 'alice', 'up', 'dial', { callee_id: 'bob', is_video_call: false }),
      { ...message(1, 'alice', 'down', 'dial_ack', { call_id: 'c' }), ...answer } as TraceEvent,
    ];
    const written = await writeScenario(dialled({}), file('my call.yaml'), 4_000);
    expect(written).toMatchObject({ notes: [] });
    const text = readFileSync(file('my call.yaml'), 'utf8');
    expect(text).toContain('scenario: recorded/my_call\n');
    expect(text).toContain('about: "Recorded: alice, bob; 1 call in 4 s."\n');
    const wrong = [...dialled({}), message(5, 'alice', 'up', 'connected', { call_id: 'c' })];
    expect((await writeScenario(wrong, file('wrong.yaml'), 1))?.failure).toMatch(
      /wrong\.yaml:\d+: .*alice\.call\.state is dialing, not connected/,
    );
    expect(await writeScenario([], file('none.yaml'), 1)).toBeUndefined();
  });
});

describe('ringback record --from', () => {
  /** Returns the archive of a browser in which Alice signs in, calls Bob, who is elsewhere, and hangs up. */
  async function archiveOf(steps: string): Promise<Har> {
    const head = 'scenario: a\nactors: { alice: { user: alice, online: false }, bob: { user: bob } }\nsteps:\n';
    const [result] = await runScenario(readScenario('a.yaml', `${head}  - { do: alice.signIn }\n${steps}`), {
      name: 'virtual',
      world: virtualWorld,
      stopwatch: () => 0,
    });
    expect(result?.failure).toBeUndefined();
    const { log } = harOf(result?.trace ?? [], { version: '1' });
    return { log: { ...log, entries: log.entries.filter(({ pageref }) => pageref === 'page_alice') } };
  }
  const CALL = `  - { do: alice.dial, with: { callee: bob, video: true } }
  - { expect: { bob.call.state: ringing }, within: 1s }
  - { wait: 2s }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected }, within: 5s }
  - { wait: 3s }
  - { do: alice.end }
  - { wait: 1s }
`;

  it('writes the scenario of an archive: the calls of its page, with the other users, and no other traffic', async () => {
    const { log } = await archiveOf(CALL);
    const [first] = log.entries;
    const foreign = { ...first, request: { ...first?.request, url: 'https://ads.example/pixel?secret=1' } };
    writeFileSync(file('app.har'), JSON.stringify({ log: { ...log, entries: [...log.entries, foreign] } }));
    const { code, out } = await command('--from', file('app.har'), ...keep('from'));
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^read {6}\d+ messages of 1 client in [\d.]+s\ntrace [^]*\npasses /),
    ]);
    const text = readFileSync(file('from.yaml'), 'utf8');
    expect(text).toMatch(/do: alice\.dial, with: { callee: bob, video: true[^]*do: bob\.accept[^]*do: alice\.end/);
    expect(readFileSync(file('from.ndjson'), 'utf8')).not.toContain('pixel');
  });

  /** Returns an archive with further entries, each the first one with other fields. */
  const withOthers = ({ log }: Har, others: readonly object[]) =>
    JSON.stringify({ log: { entries: [...log.entries, ...others.map((other) => ({ ...log.entries[0], ...other }))] } });
  const to = (url: string, headers: readonly object[] = []) => ({
    request: { method: 'POST', url, headers, postData: { text: '{"payload":{"card_number":"4242"}}' } },
  });

  it('stores nothing of other services, also at paths that the API has', async () => {
    const har = await archiveOf(CALL);
    const frames = [{ type: 'send', time: 0, data: '{"type":"session.update","secret":"4242"}' }];
    const foreign = [
      to('https://api.stripe.example/v1/payment_methods'),
      to('https://rooms.example/v1/rooms', [{ name: 'x-client-id', value: 'c4242' }]),
      to('http://exchange.test/v1/payment_methods'),
      to('http://exchange.test/v1/rooms/4242/refunds'),
      to('http://exchange.test/shop/v1/rooms'),
      { ...to('wss://ai.example/v1/realtime?client_id=4242'), _webSocketMessages: frames },
      { ...to('wss://exchange.test:8443/v1/realtime'), _webSocketMessages: [] },
    ];
    expect(readHar(withOthers(har, foreign))).toEqual(readHar(JSON.stringify(har)));
  });

  it('stores the requests of the client of a channel, at any host and path of its server', async () => {
    const { log } = await archiveOf(CALL);
    const client = [{ name: 'X-Client-Id', value: 'c1' }];
    const entries = log.entries.map(({ request, ...one }) => {
      const { pathname } = new URL(request.url);
      const isChannel = request.url.startsWith('ws:');
      const url = isChannel
        ? `wss://ws.example${pathname}?client_id=c1`
        : `https://api.example/scripts/decline${pathname}`;
      return { ...one, request: { ...request, url, headers: isChannel ? [] : client } };
    });
    const kinds = (text: string) => readHar(text).events.map(({ kind }) => kind);
    expect(kinds(JSON.stringify({ log: { entries } }))).toEqual(kinds(JSON.stringify({ log })));
  });

  it('reads no more than the address of an entry of another service', async () => {
    const har = await archiveOf(CALL);
    const wrong = { startedDateTime: 'no date', time: null, response: { status: 200, content: { text: null } } };
    const foreign = [{ ...to('https://ads.example/pixel'), ...wrong }, { request: null }, { request: { url: 'no' } }];
    expect(readHar(withOthers(har, foreign))).toEqual(readHar(JSON.stringify(har)));
    const at = har.log.entries.length;
    const own = to('http://exchange.test/v1/sdk/logs');
    for (const [fields, place] of [
      [{ startedDateTime: 'no date' }, 'startedDateTime'],
      [{ time: null }, 'time'],
      [{ response: { status: 200, content: { text: null } } }, 'response.content.text'],
    ] as const)
      expect(() => readHar(withOthers(har, [{ ...own, ...fields }]))).toThrow(
        `is no HTTP archive: log.entries.${at}.${place} is missing or wrong`,
      );
    const endless = withOthers(har, [own]).replace(/"time":[\d.]+/, '"time":1e999');
    expect(() => readHar(endless)).toThrow(/log\.entries\.\d+\.time is missing or wrong/);
  });

  it('reads encoded bodies, requests without an answer, and refused upgrades', async () => {
    const { log } = await archiveOf(CALL);
    const entries = log.entries.map((entry) => {
      const { content } = entry.response;
      if (content.text === undefined) return entry;
      const encoded = { ...content, text: Buffer.from(content.text).toString('base64'), encoding: 'base64' };
      return { ...entry, response: { ...entry.response, content: encoded } };
    });
    const [first] = entries;
    const lost = { ...first, response: { status: 0 } };
    const refused = {
      ...first,
      request: { ...first?.request, url: 'ws://exchange.test/v1/realtime' },
      response: { status: 401 },
    };
    const { events, messages } = readHar(JSON.stringify({ log: { entries: [...entries, lost, refused] } }));
    const plain = readHar(JSON.stringify({ log }));
    expect(messages).toBe(plain.messages);
    expect(events.filter(({ kind }) => kind === 'http')).toHaveLength(
      plain.events.filter(({ kind }) => kind === 'http').length + 1,
    );
    expect(events.filter(({ kind }) => kind === 'socket')).toHaveLength(1);
  });

  it('reads the archive of a page in Chromium, with messages whose times are in milliseconds', async () => {
    const archive = 'specs/unit/record/call-in-chromium.har';
    const { messages, clients, elapsedMs } = readHar(readFileSync(archive, 'utf8'));
    expect([messages, clients]).toEqual([23, 1]);
    expect([elapsedMs > 3_000, elapsedMs < 10_000]).toEqual([true, true]);
    const { code, out } = await command('--from', archive, ...keep('chromium'));
    expect([code, out]).toEqual([EXIT.ok, expect.stringContaining('passes    in virtual time')]);
    const text = readFileSync(file('chromium.yaml'), 'utf8');
    for (const step of ['do: alice.dial', 'do: bob.accept', 'do: alice.mute', 'do: alice.end'])
      expect(text).toContain(step);
    expect(text).not.toContain('fault');
  });

  it('is refused in one line for a file that is no archive, or has no messages', async () => {
    const refusalOf = async (text: string, name: string) => {
      writeFileSync(file(name), text);
      const { code, failure } = await command('--from', file(name), ...keep('refused'));
      expect(code).toBe(EXIT.usage);
      return failure?.replace(file(name), 'x');
    };
    expect(await refusalOf('no', 'no.har')).toBe('x is no JSON.');
    expect(await refusalOf('{"log":{}}', 'empty.har')).toBe('x is no HTTP archive: log.entries is missing or wrong.');
    expect(await refusalOf('{"log":{"entries":[]}}', 'none.har')).toMatch(/^x has no message of a realtime channel: /);
    expect((await command('--from', file('absent.har'), ...keep('refused'))).failure).toMatch(
      /cannot be read: there is no such file/,
    );
    const both = await command('--from', file('no.har'), '--upstream', 'http://127.0.0.1', ...keep('refused'));
    expect(both.failure).toMatch(/cannot be used with option '--upstream <url>'/);
  });
});
