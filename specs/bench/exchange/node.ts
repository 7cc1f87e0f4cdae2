/**
 * A node of a cluster in a bench, a child process. Calls are free. Its arguments: the number of users, the URL of
 * PostgreSQL, the name of the application, and the URL of Redis. Without Redis it is a server of its own.
 */
import { testUsers } from '../../../cli/test-users.ts';
import { UNLIMITED } from '../../../cli/load/unlimited.ts';
import { DEFAULT_LOG_LEVEL } from '../../../sim/server/defaults.ts';
import { createJsonLog } from '../../../sim/server/operations/json-log.ts';
import { collectRarely } from '../../../sim/server/operations/rare-collections.ts';
import { startSim } from '../../../sim/server/start-sim.ts';
import { userIdOf } from './bench-users.ts';
import { serveBench } from './served.ts';

const [users = '2', database = '', appId = '', redis] = process.argv.slice(2);
collectRarely();
const sim = await startSim({
  log: createJsonLog(DEFAULT_LOG_LEVEL),
  demo: true,
  port: 0,
  appId,
  refusesAboveRate: false,
  loopbackFactor: 1e9,
  users: testUsers(Array.from({ length: Number(users) }, (_, at) => userIdOf(at))),
  settings: UNLIMITED,
  database,
  ...(redis === undefined ? { name: 'bench' } : { redis: { url: redis } }),
});
serveBench(sim.url);
