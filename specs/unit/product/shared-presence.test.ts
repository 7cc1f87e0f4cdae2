/** The presence of users whose sockets are at several nodes. */
import { describe, expect, it } from 'vitest';
import { PresenceBoard } from '../../../sim/product/presence.ts';
import { HandClock } from '../support/hand-clock.ts';
import { aCallingService } from './support/calling-service.ts';
import { JoinedNodes, quiet } from './support/joined-nodes.ts';

const START = Date.UTC(2026, 0, 1);

function stage() {
  const clock = new HandClock(START);
  const nodes = new JoinedNodes(clock);
  const join = (node: string) => {
    const board = new PresenceBoard(clock, aCallingService(), nodes.join(node));
    const changes: string[] = [];
    board.onChange(({ u_id, presence, last_seen_at }) =>
      changes.push(`${u_id} ${presence}${last_seen_at === null ? '' : ` ${last_seen_at - START}`}`),
    );
    return { board, changes };
  };
  return { clock, nodes, join, one: join('n1'), two: join('n2') };
}

describe('the presence of a cluster', () => {
  it('is the same at every node, and each node reports each change once', async () => {
    const { clock, one, two } = stage();
    const close = one.board.open('ann');
    await quiet();
    for (const { board } of [one, two]) {
      expect([board.of('ann'), board.isOpen('ann'), board.socketsOf('ann'), board.presentUsers()]).toEqual([
        'online',
        true,
        1,
        ['ann'],
      ]);
    }
    clock.advance(5_000);
    close();
    await quiet();
    for (const { board, changes } of [one, two]) {
      expect([board.of('ann'), board.lastSeenAt('ann'), board.presentUsers()]).toEqual(['offline', START + 5_000, []]);
      expect(changes).toEqual(['ann online', 'ann offline 5000']);
    }
  });

  it('does not change while a socket at another node is open', async () => {
    const { one, two } = stage();
    const close = one.board.open('ann');
    two.board.open('ann');
    two.board.open('ann');
    await quiet();
    expect(one.board.socketsOf('ann')).toBe(3);
    close();
    await quiet();
    expect([one.changes, two.changes, two.board.of('ann')]).toEqual([['ann online'], ['ann online'], 'online']);
  });

  it('keeps the users of a node that died for 20 s, in which they may reconnect', async () => {
    const { clock, nodes, one, two } = stage();
    one.board.open('ann');
    one.board.open('bea');
    await quiet();
    nodes.kill('n1');
    await quiet();
    clock.advance(15_000);
    expect([two.board.of('ann'), two.board.of('bea'), two.changes.length]).toEqual(['online', 'online', 2]);
    two.board.open('ann');
    clock.advance(5_000);
    expect([two.board.of('ann'), two.board.of('bea')]).toEqual(['online', 'offline']);
    expect(two.changes.slice(2)).toEqual(['bea offline 20000']);
  });

  it('reports at once that a user leaves who had reconnected', async () => {
    const { clock, nodes, one, two } = stage();
    one.board.open('ann');
    await quiet();
    nodes.kill('n1');
    await quiet();
    const close = two.board.open('ann');
    clock.advance(1_000);
    close();
    expect(two.changes).toEqual(['ann online', 'ann offline 1000']);
    expect(clock.pending).toBe(0);
  });

  it('is complete at a node that starts later, with the times of the last visits', async () => {
    const { clock, join, one } = stage();
    const close = one.board.open('bea');
    one.board.open('ann');
    clock.advance(2_000);
    close();
    const { board } = join('n3');
    await quiet();
    expect([board.presentUsers(), board.of('ann'), board.lastSeenAt('bea')]).toEqual([
      ['ann'],
      'online',
      START + 2_000,
    ]);
  });

  it('does not change for users who move from a node that stops to another one', async () => {
    const { clock, nodes, one, two } = stage();
    const [closeAnn, closeBea] = [one.board.open('ann'), one.board.open('bea')];
    await quiet();
    one.board.drain();
    closeAnn();
    closeBea();
    await quiet();
    clock.advance(10_000);
    two.board.open('ann');
    await quiet();
    clock.advance(10_000);
    await quiet();
    expect(two.changes).toEqual(['ann online', 'bea online', 'bea offline 20000']);
    expect([two.board.socketsOf('ann'), nodes.alive]).toEqual([1, ['n1', 'n2']]);
  });

  it('does not change for users of a node that has stopped within the time to reconnect', async () => {
    const { clock, nodes, one, two } = stage();
    const close = one.board.open('ann');
    await quiet();
    one.board.drain();
    close();
    one.board.dispose();
    expect(clock.pending).toBe(0);
    await quiet();
    nodes.kill('n1');
    await quiet();
    expect(two.board.of('ann')).toBe('online');
    clock.advance(20_000);
    expect([two.board.of('ann'), clock.pending]).toEqual(['offline', 0]);
  });

  it('stops its timers and listeners with the board', async () => {
    const { clock, nodes, one, two } = stage();
    one.board.open('ann');
    await quiet();
    nodes.kill('n1');
    await quiet();
    two.board.dispose();
    expect(clock.pending).toBe(0);
  });
});
