/** A server that fails to start: its parts that had started stop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { openDatabase } from '../../../sim/store/open-store.ts';
import { SqlStore } from '../../../sim/store/sql-store.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'ringback-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a statement on a file of SQLite. */
async function change(database: string, statement: string): Promise<void> {
  const { db } = await openDatabase(database, { warn: () => undefined });
  await sql.raw(statement).execute(db);
  await db.destroy();
}

/** Returns the list of what stops, in its order, and a clock that adds its timers to it. */
function watchStops(): { readonly stopped: string[]; readonly clock: Clock } {
  const stopped: string[] = [];
  const watched = ({ cancel }: Timer): Timer => ({
    cancel() {
      stopped.push('timer');
      cancel();
    },
  });
  const spies = [
    vi.spyOn(Server.prototype, 'close').mockImplementation(function close(this: Server, done) {
      stopped.push('port');
      return closeServer.call(this, done);
    }),
    vi.spyOn(SqlStore.prototype, 'close').mockImplementation(function close(this: SqlStore) {
      stopped.push('database');
      return closeStore.call(this);
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  const clock: Clock = {
    ...nodeClock,
    after: (ms, run) => watched(nodeClock.after(ms, run)),
    every: (ms, run) => watched(nodeClock.every(ms, run)),
  };
  return { stopped, clock };
}
const { close: closeServer } = Server.prototype;
const { close: closeStore } = SqlStore.prototype;

it('stops its timers, then its port, then its database, and starts again when the fault is gone', async () => {
  const database = join(folder, 'start.db');
  const first = await startSim({ demo: true, port: 0, database });
  await first.close();
  // The server listens already when the product looks for open redemptions.
  await change(database, 'alter table ringback_redemptions rename to ringback_hidden');
  const { stopped, clock } = watchStops();
  const failing = startSim({ demo: true, port: first.port, database, clock, billing: true });
  await expect(failing).rejects.toThrow('ringback_redemptions');
  // The last writes cancel a timer of the exchange, so timers may follow the port, but not the database.
  expect([[...new Set(stopped)], stopped.at(-1)]).toEqual([['timer', 'port', 'database'], 'database']);
  await change(database, 'alter table ringback_hidden rename to ringback_redemptions');
  const again = await startSim({ demo: true, port: first.port, database });
  await again.close();
});
