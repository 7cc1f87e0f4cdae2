import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { MemoryStateServer } from '../../../sim/cluster/memory-state.ts';
import { openLink, type OpenLink } from '../../../sim/cluster/open-link.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { MemoryEventHub } from '../../../sim/product/events/memory-event-hub.ts';
import { SharedEventHub } from '../../../sim/product/events/shared-event-hub.ts';
import { openRedisState } from '../../../sim/redis/redis-state.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { JoinedNodes, quiet } from '../../unit/product/support/joined-nodes.ts';
import { HandClock } from '../../unit/support/hand-clock.ts';
import { NO_REDIS } from '../shared-state/redis-server.ts';
import { describeEventHub, type HubUnderTest } from './event-hub.contract.ts';

const NODES = ['n1', 'n2', 'n3'];
const log = { error: (text: string, detail?: unknown) => expect.fail(`${text} ${JSON.stringify(detail)}`) };

function counted() {
  let ids = 0;
  return { uuid: () => `s${(ids += 1)}` };
}

describeEventHub('in the memory of one process', () => {
  const clock = new HandClock();
  return { clock, hub: new MemoryEventHub(clock, counted()), settled: async () => undefined, close: () => undefined };
});

describeEventHub('of a node that is alone in its cluster', () => {
  const clock = new HandClock();
  const hub = new SharedEventHub({ clock, ids: counted(), log, link: new JoinedNodes(clock).join('n1') });
  return { clock, hub, settled: () => hub.settled(), close: () => hub.dispose() };
});

/** One hub that gives each request to the next of several nodes. */
function inTurn(clock: HandClock, hubs: readonly SharedEventHub[], close: () => Promise<void>): HubUnderTest {
  let turn = 0;
  const next = (): SharedEventHub => {
    turn += 1;
    return hubs[turn % hubs.length] ?? expect.fail('no hub');
  };
  return {
    clock,
    hub: {
      subscribe: (...given) => next().subscribe(...given),
      isConnected: (uId) => next().isConnected(uId),
      pagesOf: (uId) => next().pagesOf(uId),
      reaches: (uId) => next().reaches(uId),
      publish: (...given) => next().publish(...given),
      publishAll: (all) => next().publishAll(all),
      publishHere: (all) => hubs.forEach((hub) => hub.publishHere(all)),
      onResumed: (listener) => next().onResumed(listener),
      follow: (...given) => next().follow(...given),
      followersOf: (uId) => hubs.flatMap((hub) => hub.followersOf(uId)).toSorted(),
    },
    async settled() {
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(hubs.map((hub) => hub.settled()));
        await quiet();
      }
    },
    async close() {
      for (const hub of hubs) hub.dispose();
      await close();
    },
  };
}

describeEventHub('of several nodes, each request at the next node', () => {
  const clock = new HandClock();
  const nodes = new JoinedNodes(clock);
  const ids = counted();
  const hubs = NODES.map((node) => new SharedEventHub({ clock, ids, log, link: nodes.join(node) }));
  return inTurn(clock, hubs, async () => undefined);
});

describeEventHub('of several nodes over their links', async () => {
  const clock = new HandClock();
  const ids = counted();
  const state = new MemoryStateServer({ clock });
  const links: OpenLink[] = [];
  for (const node of NODES) {
    links.push(await openLink({ node, state: state.connect(node), clock, log: new Log(null, clock) }));
  }
  const hubs = links.map((link) => new SharedEventHub({ clock, ids, log, link }));
  return inTurn(clock, hubs, async () => {
    for (const link of links) {
      await link.leave();
      await link.state.close();
    }
    expect(clock.pending).toBe(0);
  });
});

/** Resolves when each node has received what the others had sent before. */
async function heard(links: readonly OpenLink[]): Promise<void> {
  await Promise.all(links.flatMap((link) => link.others.map((node) => link.ask(node, 'echo', null).catch(() => null))));
}

describeEventHub(
  'of several nodes over Redis',
  async () => {
    const clock = new HandClock();
    const ids = counted();
    const application = `test ${randomBytes(6).toString('hex')}`;
    const links: OpenLink[] = [];
    for (const node of NODES) {
      const url = process.env['REDIS_URL'] ?? '';
      const state = await openRedisState({ url, application, clock: nodeClock, limitMs: scaled(10_000) });
      const link = await openLink({ node, state, clock, log: new Log(null, clock) });
      link.answer('echo', () => true);
      links.push(link);
    }
    const hubs = links.map((link) => new SharedEventHub({ clock, ids, log, link }));
    const under = inTurn(clock, hubs, async () => {
      for (const link of links) {
        await link.leave();
        await link.state.close();
      }
    });
    return {
      ...under,
      async settled() {
        for (let round = 0; round < 3; round += 1) {
          await under.settled();
          await heard(links);
        }
        await under.settled();
      },
    };
  },
  { missing: NO_REDIS, hasOwnTime: true },
);
