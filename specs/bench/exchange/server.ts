/**
 * The exchange of a bench, a child process. Its arguments: the number of users, and the path of a SQLite file for a
 * server with billing. Without a file the calls are free and the database is in memory.
 */
import { giveCoins } from '../../wrtc/gift-crash.ts';
import { DEFAULT_LOG_LEVEL } from '../../../sim/server/defaults.ts';
import { createJsonLog } from '../../../sim/server/operations/json-log.ts';
import { collectRarely } from '../../../sim/server/operations/rare-collections.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { UNLIMITED } from '../../../cli/load/unlimited.ts';
import { userIdOf } from './bench-users.ts';
import { serveBench } from './served.ts';

const [users = '2', file] = process.argv.slice(2);
const ids = Array.from({ length: Number(users) }, (_, at) => userIdOf(at));
if (file !== undefined)
  await giveCoins(
    file,
    ids.filter((_, at) => at % 2 === 0),
    1e9,
  );
collectRarely();
const sim = await startSim({
  log: createJsonLog(DEFAULT_LOG_LEVEL),
  demo: true,
  port: 0,
  refusesAboveRate: false,
  loopbackFactor: 1e9,
  users: ids.map((u_id, at) => ({
    u_id,
    nickname: `User ${at}`,
    gender_type: at % 2 === 0 ? ('man' as const) : ('woman' as const),
    age: 30,
    city: 'Taipei',
    price: 60,
    verified: true,
    accepts_video: true,
    joined_at: Date.UTC(2026, 0, 1),
  })),
  settings: UNLIMITED,
  ...(file === undefined ? {} : { database: file, billing: true, name: 'bench' }),
});
serveBench(sim.url);
