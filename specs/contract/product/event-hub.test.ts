import { expect } from 'vitest';
import { MemoryEventHub } from '../../../sim/product/events/memory-event-hub.ts';
import { SharedEventHub } from '../../../sim/product/events/shared-event-hub.ts';
import { JoinedNodes, quiet } from '../../unit/product/support/joined-nodes.ts';
import { HandClock } from '../../unit/support/hand-clock.ts';
import { describeEventHub } from './event-hub.contract.ts';

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

describeEventHub('of several nodes, each request at the next node', () => {
  const clock = new HandClock();
  const nodes = new JoinedNodes(clock);
  const ids = counted();
  const hubs = ['n1', 'n2', 'n3'].map((node) => new SharedEventHub({ clock, ids, log, link: nodes.join(node) }));
  let turn = 0;
  const next = (): SharedEventHub => {
    turn += 1;
    return hubs[turn % hubs.length] ?? expect.fail('no hub');
  };
  const settled = async () => {
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(hubs.map((hub) => hub.settled()));
      await quiet();
    }
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
    settled,
    close: () => hubs.forEach((hub) => hub.dispose()),
  };
});
