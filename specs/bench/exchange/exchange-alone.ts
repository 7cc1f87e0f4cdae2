/** The exchange of a bench without the product: sockets, its checks, its budgets, and a store in memory. */
import { Exchange } from '../../../sim/exchange/exchange.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { allowedHostsOf } from '../../../sim/server/allowed-hosts.ts';
import { createClientAddresses } from '../../../sim/server/client-address.ts';
import { createHttpServer } from '../../../sim/server/http-server.ts';
import { listen } from '../../../sim/server/listen.ts';
import { createMemoryRateLimits } from '../../../sim/server/memory-rate-limits.ts';
import { nodeClock, nodeHmacSha1, nodeIds, nodeSha256 } from '../../../sim/server/node-ports.ts';
import { nodeUnpackSdp } from '../../../sim/server/node-sdp.ts';
import { serveWebsockets } from '../../../sim/server/websockets.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { UNLIMITED } from '../../../cli/load/unlimited.ts';
import { userIdOf } from './bench-users.ts';
import { serveBench } from './served.ts';

const HOST = '127.0.0.1';
const exchange = new Exchange({
  clock: nodeClock,
  ids: nodeIds,
  hmacSha1: nodeHmacSha1,
  sha256: nodeSha256,
  unpackSdp: nodeUnpackSdp,
  users: Array.from({ length: Number(process.argv[2]) }, (_, at) => ({
    user_id: userIdOf(at),
    nickname: `User ${at}`,
    profile_url: '',
  })),
  settings: UNLIMITED,
  store: new MemoryStore(),
});
await exchange.open();
const edge = {
  allowedHosts: allowedHostsOf(HOST),
  log: new Log(null, nodeClock),
  addresses: createClientAddresses(),
  rateLimits: createMemoryRateLimits({ loopbackFactor: 1e9 }),
};
const server = createHttpServer({
  ...edge,
  admit: (head) => Promise.resolve(exchange.admit(head)),
  answer: (request) => exchange.http(request),
});
serveWebsockets(server, {
  ...edge,
  find: (path) => ({
    path,
    instance: {
      connect: (who, link) => exchange.connect(who, link),
      socket: () => Promise.resolve({ status: 404, code: 0, message: 'There is no product.' }),
    },
  }),
});
serveBench(`http://${HOST}:${await listen(server, 0, HOST)}`);
