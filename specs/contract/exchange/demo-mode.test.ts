/** Demo mode: what it enables, and what a server without it refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { demoPeople } from '../../../sim/server/demo-people.ts';
import { type ScriptOptions, type Sim, type SimOptions, startSim } from '../../../sim/server/start-sim.ts';
import { migratedSchema, NO_POSTGRES } from '../store/postgres-schema.ts';
import { json } from './terminals.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function start(options: Partial<SimOptions>): Promise<Sim> {
  const sim = await startSim({ demo: false, port: 0, ...options });
  undo.push(() => sim.close());
  return sim;
}

const aFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-demo-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  return join(folder, 'calls.db');
};

/** Logs a user in at the calling service. Returns the status. */
async function login(url: string, user_id: string, access_token?: string): Promise<number> {
  const body = json({ app_id: 'ringback-demo', user_id, access_token }, { 'x-client-id': 'c' });
  return (await fetch(`${url}/v1/users/${user_id}/login`, body)).status;
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

/** Media peers without media. */
const inert = { accept: () => undefined, end: () => undefined, leave: () => undefined };
const SCRIPTS: ScriptOptions = { own: [], parties: () => ({ answer: () => inert, dial: () => inert }) };

describe('a server that was not started as a demo', () => {
  it('S06 S43 has no demo users, no list of them and no mailbox, also on a database in memory', async () => {
    const { url } = await start({});
    expect(await login(url, 'alice')).toBe(401);
    expect((await fetch(`${url}/auth/login`, json({ user_id: 'alice' }))).status).toBe(401);
    expect([await statusOf(`${url}/demo/users`), await statusOf(`${url}/demo/mailbox`)]).toEqual([404, 404]);
  });

  it('S06 gives the developer access tokens of its test users, who cannot sign in otherwise', async () => {
    const sim = await start({ users: demoPeople().slice(0, 1) });
    const token = await sim.accessTokenOf('alice');
    expect(await Promise.all([login(sim.url, 'alice', token), login(sim.url, 'alice')])).toEqual([200, 401]);
    await expect(sim.accessTokenOf('mallory')).rejects.toThrow('No user has the id mallory.');
  });

  it('S04 plays scripts only on loopback, in worlds of their own', async () => {
    await expect(start({ host: '0.0.0.0', scripts: SCRIPTS })).rejects.toThrow('played in demo mode only');
    const { url } = await start({ scripts: SCRIPTS });
    expect(await login(`${url}/scripts/busy`, 'alice')).toBe(200);
    expect(await login(url, 'alice')).toBe(401);
  });
});

describe.each([
  ['SQLite', undefined],
  ['PostgreSQL', NO_POSTGRES],
])('a database of %s', (kind, missing) => {
  it.skipIf(missing !== undefined)(
    'S43 that a real server made opens in no demo, and one of a demo in no real server',
    async () => {
      const place = async (): Promise<string> => {
        if (kind === 'SQLite') return aFile();
        const schema = await migratedSchema();
        undo.push(() => schema.drop());
        return schema.url;
      };
      const [real, demo] = [await place(), await place()];
      for (const [database, isDemo] of [
        [real, false],
        [demo, true],
      ] as const) {
        await (await startSim({ demo: isDemo, port: 0, database })).close();
        await (await startSim({ demo: isDemo, port: 0, database })).close();
        await expect(startSim({ demo: !isDemo, port: 0, database })).rejects.toThrow(
          isDemo ? /was made in demo mode/ : /was not made in demo mode/,
        );
      }
    },
  );
});
