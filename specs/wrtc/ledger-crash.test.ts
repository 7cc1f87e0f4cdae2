/** The writes of the ledger. The soak run L8 kills the server (soak.test.ts). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { giveCoins, post, startSim } from './gift-crash.ts';
import { NO_STRACE, watchSystemCalls } from './system-calls.ts';

test('S27 a gift is on the disk before its answer: the system has synced its file', async (context) => {
  if (NO_STRACE !== undefined) context.skip(NO_STRACE);
  const folder = mkdtempSync(join(tmpdir(), 'ringback-disk-'));
  const database = join(folder, 'money.db');
  await giveCoins(database, ['bob'], 100);
  const server = await startSim(database);
  try {
    const { body } = await post(`${server.url}/auth/login`, { user_id: 'bob' }, {});
    const headers = {
      authorization: `Bearer ${String((body as { token?: unknown }).token)}`,
      'idempotency-key': 'the-key-of-it',
    };
    const names = ['pwrite64', 'fsync', 'fdatasync', 'write', 'writev', 'sendmsg'];
    const calls = await watchSystemCalls(server.terminal.process.pid ?? 0, names, join(folder, 'calls'));
    const gift = await post(`${server.url}/gifts/send`, { to: 'alice', gift_id: 'rose', count: 1 }, headers);
    const made = await calls.end();
    expect(gift).toMatchObject({ status: 200, body: { coins: 10 } });

    const answered = made.findIndex((line) => /^(?:write|writev|sendmsg)\(.*HTTP\/1\.1 200/.test(line));
    expect(answered).toBeGreaterThan(0);
    const before = made.slice(0, answered);
    const written = before.findLastIndex((line) => /^pwrite64\(\d+<[^>]*money\.db-wal>/.test(line));
    expect(written).toBeGreaterThanOrEqual(0);
    expect(before.slice(written + 1)).toContainEqual(
      expect.stringMatching(/^f(?:data)?sync\(\d+<[^>]*money\.db-wal>\) += 0/),
    );
  } finally {
    server.terminal.kill();
    await server.terminal.exited();
    rmSync(folder, { recursive: true });
  }
});
