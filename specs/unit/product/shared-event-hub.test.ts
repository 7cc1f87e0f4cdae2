/** The hub of events of several nodes: what the contract of one hub cannot show. */
import { afterEach, describe, expect, it } from 'vitest';
import { SharedEventHub } from '../../../sim/product/events/shared-event-hub.ts';
import { changed, openPage } from '../../contract/product/event-hub.contract.ts';
import { HandClock } from '../support/hand-clock.ts';
import { JoinedNodes, quiet } from './support/joined-nodes.ts';

const open: SharedEventHub[] = [];
afterEach(() => {
  for (const hub of open.splice(0)) hub.dispose();
});

/** Hubs at nodes n1 and n2, and more that a test adds. */
async function stage() {
  const clock = new HandClock();
  const nodes = new JoinedNodes(clock);
  const logged: string[] = [];
  let ids = 0;
  const join = (node: string) => {
    const hub = new SharedEventHub({
      clock,
      ids: { uuid: () => `s${(ids += 1)}` },
      log: { error: (text) => void logged.push(text) },
      link: nodes.join(node),
    });
    open.push(hub);
    return hub;
  };
  const [one, two] = [join('n1'), join('n2')];
  const settled = async () => {
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(open.map((hub) => hub.settled()));
      await quiet();
    }
  };
  const page = async (hub: SharedEventHub, uId: string, after: string | null = null) => {
    const opened = openPage(hub, uId, after);
    await settled();
    return opened;
  };
  const publish = async (hub: SharedEventHub, ...about: string[]) => {
    for (const uId of about) hub.publish(['a'], changed(uId));
    await settled();
  };
  // All nodes run for so long that each has learnt which users left.
  clock.advance(131_000);
  await settled();
  return { clock, nodes, join, one, two, settled, page, publish, logged };
}

describe('the hub of events of a cluster', () => {
  it('sends the events of every node to the pages of every node, once and in one order', async () => {
    const { one, two, page, settled } = await stage();
    const pages = [await page(one, 'a'), await page(two, 'a')];
    for (let at = 0; at < 20; at += 1) {
      one.publish(['a'], changed(`one ${at}`));
      two.publish(['a'], changed(`two ${at}`));
    }
    await settled();
    const [first, second] = pages.map(({ events }) => events);
    expect(first).toEqual(second);
    expect(first).toHaveLength(40);
    for (const node of ['one', 'two']) {
      const own = first?.filter((about) => about.startsWith(node));
      expect(own).toEqual(Array.from({ length: 20 }, (_, at) => `${node} ${at}`));
    }
  });

  it('counts the pages of all nodes, and forgets those of a node that died', async () => {
    const { nodes, one, two, page, settled } = await stage();
    await page(one, 'a');
    await page(one, 'a');
    await page(two, 'a');
    expect([two.pagesOf('a'), two.isConnected('a'), one.isConnected('b'), one.reaches('b')]).toEqual([
      3,
      true,
      false,
      false,
    ]);
    nodes.kill('n1');
    await settled();
    expect([two.pagesOf('a'), two.isConnected('a')]).toEqual([1, true]);
  });

  it('sends events in their order when the messages between nodes change theirs', async () => {
    const { nodes, one, two, page, publish, settled } = await stage();
    const here = await page(one, 'a');
    nodes.hold();
    await publish(two, 'x');
    await publish(two, 'y');
    nodes.release((held) => held.toReversed());
    await settled();
    expect(here.frames).toEqual(['0 false', '1 x, 2 y']);
  });

  it('reads an event from the shared state when its message was lost and the next one has come', async () => {
    const { clock, nodes, one, two, page, publish, settled } = await stage();
    const here = await page(one, 'a');
    nodes.hold();
    await publish(two, 'x');
    nodes.lose();
    await publish(two, 'y');
    expect(here.events).toEqual([]);
    clock.advance(100);
    await settled();
    expect(here.frames).toEqual(['0 false', '1 x, 2 y']);
  });

  it('reads an event from the shared state as soon as the node notices that messages were lost', async () => {
    const { nodes, one, two, page, publish, settled } = await stage();
    const here = await page(one, 'a');
    nodes.hold();
    await publish(two, 'x');
    nodes.lose();
    nodes.noticeLoss('n1', 'n2');
    await settled();
    expect(here.frames).toEqual(['0 false', '1 x']);
  });

  it('sends a page that reconnects at another node exactly the missed events', async () => {
    const { one, two, page, publish, join } = await stage();
    const before = await page(one, 'a');
    await publish(two, 'known');
    before.leave();
    await publish(two, 'missed');
    await publish(one, 'missed too');
    const after = await page(join('n3'), 'a', before.after);
    await publish(one, 'next');
    expect(after.frames).toEqual(['1 true', '2 missed', '3 missed too', '4 next']);
  });

  it('sends a page of a node that died exactly the missed events, also those of a node that started meanwhile', async () => {
    const { clock, nodes, one, two, page, publish, join, settled } = await stage();
    const before = await page(one, 'a');
    await publish(one, 'known');
    nodes.kill('n1');
    await publish(two, 'missed');
    const three = join('n3');
    await settled();
    await publish(three, 'missed too');
    clock.advance(80_000);
    await settled();
    await publish(two, 'late');
    expect((await page(three, 'a', before.after)).frames).toEqual(['1 true', '2 missed', '3 missed too', '4 late']);
  });

  it('sends an event once that arrives while the page opens', async () => {
    const { one, two, settled } = await stage();
    const here = openPage(one, 'a');
    await Promise.resolve();
    two.publish(['a'], changed('x'));
    one.publish(['a'], changed('y'));
    await settled();
    two.publish(['a'], changed('z'));
    await settled();
    const numbers = here.frames.slice(1).flatMap((frame) => frame.split(', ').map((text) => text.split(' ')[0]));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(here.events.slice(-2)).toEqual(['y', 'z']);
  });

  it('follows for the pages of all nodes, whichever node got the request', async () => {
    const { one, two, page, settled } = await stage();
    const here = await page(one, 'a');
    two.follow('a', ['x']);
    await settled();
    expect([one.followersOf('x'), two.followersOf('x')]).toEqual([['a'], []]);
    const resumed: unknown[] = [];
    two.onResumed((...given) => resumed.push(given));
    here.leave();
    await page(two, 'a', here.after);
    expect([one.followersOf('x'), two.followersOf('x')]).toEqual([[], ['a']]);
    expect(resumed).toEqual([['a', ['x']]]);
  });
});

describe('the hub of events without the shared state', () => {
  it('sends events to the pages of the node, and a page that moves learns that it may have missed some', async () => {
    const { nodes, one, two, page, publish } = await stage();
    const here = await page(one, 'a');
    await publish(one, 'x');
    nodes.cut('n1');
    await publish(one, 'y');
    await publish(one, 'z');
    expect(here.frames).toEqual(['0 false', '1 x', '0 true', '1 y', '2 z']);
    const moved = await page(two, 'a', here.after);
    expect(moved.frames).toEqual(['1 false']);
  });

  it('opens a page, and joins the shared stream later', async () => {
    const { nodes, one, two, page, publish, settled } = await stage();
    nodes.cut('n1');
    const here = await page(one, 'a');
    await publish(one, 'x');
    expect(here.frames).toEqual(['0 false', '1 x']);
    nodes.heal('n1');
    await settled();
    await publish(two, 'y');
    expect(here.frames).toEqual(['0 false', '1 x', '0 false', '1 y']);
  });

  it('lets the pages elsewhere read again what they missed, once it is reachable', async () => {
    const { nodes, one, two, page, publish, settled } = await stage();
    const [here, there] = [await page(one, 'a'), await page(two, 'a')];
    await publish(one, 'x');
    nodes.cut('n1');
    await publish(one, 'only here');
    expect(there.frames).toEqual(['0 false', '1 x']);
    nodes.heal('n1');
    await settled();
    expect(there.frames).toEqual(['0 false', '1 x', '0 false']);
    await publish(two, 'y');
    expect([here.events, there.events]).toEqual([
      ['x', 'only here', 'y'],
      ['x', 'y'],
    ]);
  });

  it('tells a page that it may have missed an event of a node that did not know of it', async () => {
    const { nodes, one, two, page, publish, settled } = await stage();
    nodes.cut('n1');
    const there = await page(two, 'a');
    await publish(one, 'lost');
    nodes.heal('n1');
    await settled();
    expect(there.frames).toEqual(['0 false', '0 false']);
  });

  it('sends a node that was cut off what it missed, without a new start', async () => {
    const { nodes, one, two, page, publish, settled } = await stage();
    const here = await page(one, 'a');
    nodes.cut('n1');
    await publish(two, 'x', 'y');
    expect(here.frames).toEqual(['0 false']);
    nodes.heal('n1');
    await settled();
    expect(here.frames).toEqual(['0 false', '1 x, 2 y']);
  });
});

describe('the hub of events after a loss of the shared data', () => {
  it.each(['the node of the page', 'another node'])('begins a new stream at the next event of %s', async (where) => {
    const { nodes, one, two, page, publish, settled } = await stage();
    const here = await page(one, 'a');
    await publish(one, 'x');
    await publish(one, 'y');
    nodes.state.lose();
    await publish(where === 'another node' ? two : one, 'z');
    await settled();
    expect(here.frames.slice(3)).toEqual(where === 'another node' ? ['0 false'] : ['0 false', '1 z']);
    await publish(two, 'later');
    expect(here.events.at(-1)).toBe('later');
    expect((await page(two, 'a', 's1.1')).frames[0]).toMatch(/ false$/);
  });

  it('begins a new stream as soon as the node notices the loss', async () => {
    const { nodes, one, page, publish, settled } = await stage();
    const here = await page(one, 'a');
    await publish(one, 'x');
    nodes.state.lose();
    nodes.noticeLostState('n1');
    await settled();
    expect(here.frames).toEqual(['0 false', '1 x', '0 false']);
  });

  it('begins a new stream within half a minute without an event', async () => {
    const { clock, nodes, one, page, publish, settled } = await stage();
    const here = await page(one, 'a');
    await publish(one, 'x');
    nodes.state.lose();
    clock.advance(30_000);
    await settled();
    expect(here.frames).toEqual(['0 false', '1 x', '0 false']);
  });
});
