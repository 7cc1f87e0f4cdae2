/** The product as one service on two nodes: one database, a bus and a shared state. */
import { afterEach, describe, expect, it } from 'vitest';
import { SOCKET_BUDGETS } from '../../../sim/budgets/socket-budgets.ts';
import type { EndedEvent } from '../../../sim/exchange/calls/call-event.ts';
import type { ExchangeUser } from '../../../sim/exchange/directory/users.ts';
import { HandClock } from '../support/hand-clock.ts';
import { aCallingService, createListeners } from './support/calling-service.ts';
import { JoinedNodes, quiet } from './support/joined-nodes.ts';
import { openPeopleWorld, type PeopleWorld, type Somebody } from './support/people-world.ts';
import { openTestDatabase } from './support/test-database.ts';

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

const PASSWORD = 'correct horse battery';
const PEOPLE = { kai: { gender_type: 'man' as const, price: 0, password: PASSWORD }, mei: {}, yun: {} };

/** Two nodes with the same people. */
async function openNodes() {
  const clock = new HandClock(Date.UTC(2026, 0, 1));
  const nodes = new JoinedNodes(clock);
  const database = await openTestDatabase(':memory:');
  closes.push(() => database.db.destroy());
  const open = async (name: string) => {
    const users: ExchangeUser[] = [];
    const signedOut: string[] = [];
    const link = nodes.join(name);
    const listeners = createListeners();
    const writes = { done: Promise.resolve() };
    const calling = aCallingService({
      subscribe: listeners.subscribe,
      addUser: (user) => void users.push(user),
      signOut: (uId) => void signedOut.push(uId),
      kept: () => writes.done,
    });
    const world = await openPeopleWorld(PEOPLE, database, { clock, link, calling });
    closes.push(() => world.product.dispose());
    await world.product.opened();
    return { ...world, users, signedOut, link, writes, listeners };
  };
  const [one, two] = [await open('n1'), await open('n2')];
  const settled = async () => {
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([one, two].map(({ product }) => product.settled()));
      await quiet();
    }
  };
  return { clock, nodes, one, two, settled };
}

/** Opens a socket with a session that may have begun at another node. Returns the codes with which it was closed. */
async function openSocket({ product }: Pick<PeopleWorld, 'product'>, path: string, token: string) {
  const codes: number[] = [];
  const frames: string[] = [];
  const socket = await product.socket(path, token, null, {
    send: (text) => void frames.push(text),
    close(code) {
      codes.push(code);
      if (!('status' in socket)) socket.closed();
    },
  });
  return { socket, codes, frames };
}

const presencesIn = (frames: readonly string[]): string[] =>
  frames
    .flatMap((frame): unknown[] => [JSON.parse(frame)].flat())
    .flatMap((frame) => {
      const { event } = frame as { event?: { type: string; u_id: string; presence: string } };
      return event?.type === 'presence_changed' ? [`${event.u_id} ${event.presence}`] : [];
    });

describe('a sign-out at one node', () => {
  it('S08 closes the sockets of the session at every node with 4401, and no other', async () => {
    const { one, two, settled, nodes } = await openNodes();
    const [ending, other] = [await one.signIn('kai'), await one.signIn('kai')];
    const [socket, kept] = [
      await openSocket(two, '/ws/events', ending.token),
      await openSocket(two, '/ws/events', other.token),
    ];
    await ending.ask('logout', {});
    await settled();
    expect([socket.codes, kept.codes]).toEqual([[4401], []]);
    expect(JSON.stringify(nodes.sent)).not.toContain(ending.token);
    expect(nodes.sent.some(({ topic }) => topic === 'product signed out')).toBe(true);
  });

  it.each<[string, (me: Somebody, other: Somebody) => Promise<unknown>]>([
    ['ends the other sessions', (me) => me.ask('endOtherSessions', {})],
    [
      'ends one other session',
      async (me) => {
        const { sessions } = await me.ask('sessions', {});
        const other = sessions.find(({ is_this }) => !is_this);
        return me.ask('endSession', { params: { session_id: other?.session_id ?? '' } });
      },
    ],
  ])('of another session closes its sockets at every node: a user %s', async (_, act) => {
    const { one, two, settled } = await openNodes();
    const [me, other] = [await one.signIn('kai'), await one.signIn('kai')];
    const [mine, theirs] = [
      await openSocket(two, '/ws/events', me.token),
      await openSocket(two, '/ws/events', other.token),
    ];
    await act(me, other);
    await settled();
    expect([mine.codes, theirs.codes]).toEqual([[], [4401]]);
  });

  it('of a suspended user closes the sockets at every node', async () => {
    const { clock, one, two, settled } = await openNodes();
    const kai = await one.signIn('kai');
    const { codes } = await openSocket(two, '/ws/events', kai.token);
    await one.database.db.updateTable('ringback_accounts').set({ suspended_at: 1 }).where('u_id', '=', 'kai').execute();
    await openSocket(one, '/ws/events', (await one.signIn('mei')).token);
    clock.advance(30_000);
    await settled();
    expect(codes).toContain(4401);
  });
});

describe('the sockets of a user', () => {
  it('count at all nodes', async () => {
    const { one, two, settled } = await openNodes();
    const kai = await one.signIn('kai');
    const [{ most }] = SOCKET_BUDGETS.productMessage.keeps;
    for (let at = 0; at < most / 2; at += 1) {
      await openSocket(one, '/ws/events', kai.token);
      await openSocket(two, '/ws/online/kai', kai.token);
    }
    await settled();
    const opened = [one, two].map((node) => openSocket(node, '/ws/events', kai.token));
    const statuses = (await Promise.all(opened)).map(({ socket }) => ('status' in socket ? socket.status : 101));
    expect(statuses).toEqual([429, 429]);
  });
});

describe('the users of a cluster', () => {
  it('are at every node under their current name, announced once for each change', async () => {
    const { one, two, settled, nodes } = await openNodes();
    await settled();
    expect(nodes.sent.filter(({ topic }) => topic === 'product caller')).toEqual([]);
    const mei = await one.signIn('mei');
    two.users.splice(0);
    await mei.ask('changeProfile', { body: { nickname: 'Mei-Mei' } });
    await mei.ask('myProfile', {});
    await settled();
    expect(two.users.map(({ user_id, nickname }) => [user_id, nickname])).toEqual([['mei', 'Mei-Mei']]);
    // The name goes to a value that this node has announced before.
    const again = await two.signIn('mei');
    await again.ask('changeProfile', { body: { nickname: 'mei' } });
    await settled();
    two.users.splice(0);
    await mei.ask('changeProfile', { body: { nickname: 'Mei-Mei' } });
    await settled();
    expect(two.users.map(({ nickname }) => nickname)).toEqual(['Mei-Mei']);
  });

  it('may log in to the calling service of a node that missed the announcement', async () => {
    const { one, two, nodes } = await openNodes();
    nodes.hold();
    const token = await one.product.accessTokenOf('mei');
    nodes.lose();
    two.users.splice(0);
    expect(await two.product.mayLogIn('mei', token)).toBe(true);
    expect(two.users.map(({ user_id }) => user_id)).toContain('mei');
  });

  it('are found by their id, except suspended and unknown ones', async () => {
    const { one } = await openNodes();
    await one.database.db.updateTable('ringback_accounts').set({ suspended_at: 1 }).where('u_id', '=', 'yun').execute();
    expect(await one.product.findUser('mei')).toEqual({
      user_id: 'mei',
      nickname: 'mei',
      profile_url: 'http://product.test/portraits/mei.svg',
    });
    expect([await one.product.findUser('yun'), await one.product.findUser('nobody')]).toEqual([undefined, undefined]);
  });
});

describe('events of a cluster', () => {
  it('reach a page at another node, which counts as open there', async () => {
    const { one, two, settled } = await openNodes();
    const [kai, mei] = [await one.signIn('kai'), await two.signIn('mei')];
    const { frames } = await openSocket(two, '/ws/events', mei.token);
    await settled();
    const { channel_url } = await kai.ask('openChannel', { body: { u_id: 'mei' } });
    await kai.ask('sendMessage', {
      params: { channel_url },
      body: { type: 'text', client_id: 'client-0001', text: 'hello' },
    });
    await settled();
    expect(frames.filter((frame) => frame.includes('"hello"'))).toHaveLength(1);
    const { items } = await kai.ask('channels', { query: {} });
    expect(items[0]?.companion_delivered_seq).toBe(1);
  });

  it('of presence reach each page of a follower once, at the node of the page', async () => {
    const { one, two, settled } = await openNodes();
    const kai = await one.signIn('kai');
    const pages = [await openSocket(one, '/ws/events', kai.token), await openSocket(two, '/ws/events', kai.token)];
    await settled();
    await kai.ask('discover', { query: {} });
    await settled();
    const mei = await two.signIn('mei');
    await openSocket(two, '/ws/online/mei', mei.token);
    await settled();
    expect(pages.map(({ frames }) => presencesIn(frames))).toEqual([['mei online'], ['mei online']]);
  });

  it('of presence reach a page that resumes at another node', async () => {
    const { one, two, settled } = await openNodes();
    const kai = await one.signIn('kai');
    const page = await openSocket(one, '/ws/events', kai.token);
    await settled();
    await kai.ask('discover', { query: {} });
    await settled();
    const { stream } = JSON.parse(page.frames[0] ?? '') as { stream: string };
    if (!('status' in page.socket)) page.socket.closed();
    await settled();
    await openSocket(one, '/ws/online/mei', (await two.signIn('mei')).token);
    await settled();
    const frames: string[] = [];
    await two.product.socket('/ws/events', kai.token, `${stream}.0`, {
      send: (text) => void frames.push(text),
      close: () => undefined,
    });
    await settled();
    expect(presencesIn(frames)).toEqual(['mei online']);
  });
});

it('the letters of the demo can be read at every node, the newest first', async () => {
  const { one, two, settled } = await openNodes();
  const request = (node: PeopleWorld, method: string, path: string, body?: unknown, query = {}) =>
    node.product.http({ method, path, query, headers: {}, address: '192.0.2.1', body });
  for (const to of ['a@example.com', 'b@example.com']) {
    await request(one, 'POST', '/auth/otp', { to, purpose: 'register' });
  }
  await settled();
  const letters = async (query: object) => {
    const { body } = await request(two, 'GET', '/demo/mailbox', undefined, query);
    return (body as { letters: { to: string }[] }).letters.map(({ to }) => to);
  };
  expect(await letters({})).toEqual(['b@example.com', 'a@example.com']);
  expect(await letters({ to: 'a@example.com' })).toEqual(['a@example.com']);
});

it('a call that moved is written into the chat once, also when both nodes see its end', async () => {
  const { clock, one, two, settled } = await openNodes();
  const kai = await one.signIn('kai');
  for (const callId of ['n1-a', 'n1-b']) {
    const record = { endResult: 'completed', duration: 5_000, endedAt: clock.wallTime() } as EndedEvent['record'];
    const ended: EndedEvent = {
      ...{ kind: 'ended', callId, caller: 'kai', callee: 'mei', isVideoCall: true },
      ...{ at: clock.wallTime(), clock: clock.now(), record, lost: null, endedBySide: null },
    };
    for (const node of [one, two]) node.listeners.emit(ended);
    await settled();
  }
  const { items } = await kai.ask('channels', { query: {} });
  const channel_url = items[0]?.channel_url ?? '';
  const { items: messages } = await kai.ask('messages', { params: { channel_url }, query: {} });
  const written = messages.map(({ data }) => ('call_id' in data ? data.call_id : ''));
  expect(written.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['n1-a', 'n1-b']);
});

describe('the end of an account', () => {
  const accountsOf = async ({ database }: PeopleWorld) =>
    (await database.db.selectFrom('ringback_accounts').select('u_id').execute()).map(({ u_id }) => u_id);

  it('waits until every node has written the ended calls of the user', async () => {
    const { one, two, settled } = await openNodes();
    const kai = await one.signIn('kai');
    let written = (): void => undefined;
    two.writes.done = new Promise((resolve) => (written = resolve));
    const deleted = kai.ask('deleteMe', { body: { password: PASSWORD } });
    await settled();
    await quiet();
    expect(await accountsOf(one)).toContain('kai');
    written();
    await deleted;
    expect(await accountsOf(one)).not.toContain('kai');
  });

  it('does not wait for a node that does not answer', async () => {
    const { one, nodes } = await openNodes();
    const kai = await one.signIn('kai');
    nodes.cut('n2');
    await kai.ask('deleteMe', { body: { password: PASSWORD } });
    expect(await accountsOf(one)).not.toContain('kai');
  });
});

it('the work of a node that dies is resumed by another one', async () => {
  const { clock, nodes, two, settled } = await openNodes();
  await two.database.db
    .insertInto('ringback_identities')
    .values({
      u_id: 'mei',
      state: 'pending',
      document_kind: 'id_card',
      note: '',
      submitted_at: clock.wallTime(),
      decided_at: clock.wallTime() + 60_000,
      expires_at: null,
      reasons: '[]',
    })
    .execute();
  nodes.kill('n1');
  await settled();
  clock.advance(60_000);
  await settled();
  const { state } = await two.database.db.selectFrom('ringback_identities').select('state').executeTakeFirstOrThrow();
  expect(state).toBe('approved');
});
