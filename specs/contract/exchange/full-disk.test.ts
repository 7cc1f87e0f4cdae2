/**
 * A server whose disk is full. Each test mounts a small tmpfs, and is skipped where the system does not permit that.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { answerOf, json, Terminal } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const AV = { audio: true, video: true };
const CONNECTION = { connection_type: 'host', relay_protocol: null, protocol: 'udp' };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

/** Makes a disk of 8 MiB. Skips the test where the system does not permit it. */
function smallDisk(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-full-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  const { status } = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
  if (status !== 0) context.skip('this user may not mount a tmpfs');
  undo.push(() => spawnSync('/bin/umount', ['--lazy', folder]));
  return folder;
}

/** Fills a disk. Returns a function that frees the space. */
function fill(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  const page = Buffer.alloc(4_096);
  try {
    for (;;) appendFileSync(ballast, page);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
  return () => rmSync(ballast);
}

describe('F54 ERR-1400999 a disk that is full while the server runs', () => {
  it(
    'the server refuses requests that write, ends no call, logs the fault once, and accepts writes when there is space again',
    { timeout: scaled(20_000) },
    async (context) => {
      const folder = smallDisk(context);
      const log: LogEntry[] = [];
      const faults = () => log.filter(({ level }) => level === 'warn' || level === 'error');
      const sim = await startSim({
        demo: true,
        port: 0,
        database: join(folder, 'calls.db'),
        log: (entry) => log.push(entry),
      });
      undo.push(() => sim.close());
      const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
      const register = async (token: string) =>
        answerOf(
          await fetch(`${sim.url}/v1/users/alice/push/fcm_voip`, json({ token, is_unique: true }, alice.headers)),
        );
      const history = async () => answerOf(await fetch(`${sim.url}/v1/users/alice/calls`, { headers: alice.headers }));
      const { call_id } = (
        await alice.send('dial', { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities: [] })
      ).payload;
      await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
      for (const one of [alice, bob])
        await one.send('connected', { call_id, connection: CONNECTION, reconnect: false });
      await sim.exchange.kept();
      expect(faults()).toEqual([]);

      const makeSpace = fill(folder);
      for (const token of ['one', 'two', 'three']) {
        expect(await register(token)).toEqual({
          status: 500,
          body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' },
        });
      }
      for (const is_enabled of [false, true, false]) {
        expect((await alice.send('audio', { call_id, is_enabled })).error).toBeUndefined();
        await sim.exchange.kept();
      }
      await bob.event('audio');
      // Requests that only read need no space.
      expect(await history()).toEqual({ status: 200, body: { calls: [], next: null, has_next: false } });
      expect(sim.exchange.liveCalls).toMatchObject([{ callId: call_id, state: 'connected' }]);
      expect(faults()).toEqual([
        expect.objectContaining({
          level: 'error',
          code: expect.stringMatching(/^(SQLITE_(FULL|IOERR)|ENOSPC)/),
          message: 'the database is full or its disk fails: requests that write are refused until it has space',
        }),
      ]);

      makeSpace();
      expect(await register('four')).toEqual({ status: 200, body: {} });
      await alice.send('end', { call_id });
      expect((await bob.event('end')).end_result).toBe('completed');
      await sim.exchange.kept();
      expect((await history()).body.calls).toMatchObject([{ call_id, end_result: 'completed' }]);
      expect(faults()).toHaveLength(1);
    },
  );
});

describe('F54 a disk that is full when the server starts', () => {
  it('the server fails with one line, which has the file and the remedy, and leaves nothing open', async (context) => {
    const folder = smallDisk(context);
    const database = join(folder, 'calls.db');
    const start = () => startSim({ demo: true, port: 0, database });
    await (await start()).close();
    const makeSpace = fill(folder);
    await expect(start()).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(
        new RegExp(
          `^The database ${database} cannot be used: .*; (make space on its disk|its disk fails, or is full)\\.$`,
        ),
      ),
    });
    const another = join(folder, 'another.db');
    await expect(startSim({ demo: true, port: 0, database: another })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining(`The database ${another} cannot be used: `),
    });
    makeSpace();
    await (await start()).close();
  });
});
