/** `ringback record` between two terminals and a real exchange: the written scenario passes in virtual time. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readScenario } from '../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../sim/scenario/run/run-scenario.ts';
import { readTrace } from '../../src/trace/read-trace.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import { createExchange } from './exchange.ts';
import { ringback, type Terminal } from './terminal.ts';
import { MACHINES } from '../../sim/scenario/trace/machines.ts';

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

function run(...words: string[]): Terminal {
  const terminal = ringback(words);
  undo.push(() => terminal.kill());
  return terminal;
}

test('calls of real clients become a scenario that passes in virtual time, without a secret in either file', async () => {
  const exchange = await createExchange();
  undo.push(() => exchange.close());
  const folder = mkdtempSync(join(tmpdir(), 'ringback-record-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'capture.yaml');
  const record = run('record', '--upstream', exchange.url, '-o', file);
  await record.saw(/stop +Ctrl-C/);
  const server = ['--server', /--server (\S+)/.exec(record.out)?.[1] ?? ''];

  const bob = run('answer', '--as', 'bob', ...server);
  await bob.saw(/waiting as bob/);
  expect(await run('dial', 'bob', '--for', '2s', ...server).exited()).toBe(0);
  expect(await bob.exited()).toBe(0);
  const carol = run('answer', '--as', 'carol', '--decline', '--expect', 'declined', ...server);
  await carol.saw(/waiting as carol/);
  expect(await run('dial', 'carol', '--audio', '--expect', 'declined', ...server).exited()).toBe(0);
  expect(await carol.exited()).toBe(0);
  record.process.kill('SIGINT');
  expect(await record.exited()).toBe(0);

  expect(record.err).toBe('');
  expect(record.out).toMatch(/\d\.\ds {2}alice {2}dial bob\n/);
  expect(record.out).toMatch(/recorded {2}2 calls, \d+ messages, \d+ requests of 4 clients in/);
  expect(record.out).toContain(`passes    in virtual time: ringback run ${file}\n`);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('{ do: alice.dial, with: { callee: bob, video: true }, as: call }');
  expect(text).toContain('{ do: alice.dial, with: { callee: carol }, as: call2 }');
  expect(text).toContain('{ do: carol.decline }');
  const [result] = await runScenario(readScenario(file, text), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => 0,
  });
  expect(result?.failure).toBeUndefined();

  const trace = readFileSync(file.replace('.yaml', '.ndjson'), 'utf8');
  const { events } = readTrace(trace, MACHINES);
  const devices = events.flatMap((event) => ('device' in event ? [event.device] : []));
  expect([...new Set(devices)]).toEqual(['bob', 'alice', 'carol']);
  expect(trace).toContain('"session":["v=0"');
  expect(`${trace}${text}`).not.toMatch(/(?:\d{1,3}\.){3}\d{1,3}|a=candidate|ice-pwd|"\w*(?:token|password)":"(?!\*)/);
});
