/** Tests the test kit: worlds on real sockets, users with real media, faults, and a clock that is moved. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OwnWorlds } from '../../cli/testing/own-worlds.ts';
import { openWorld, type TraceEvent, type World, type WorldFault, WorldError } from '../../cli/testing/testing.ts';
import { CLOSE_SESSION_OVER } from '../../src/protocol/close-codes.ts';
import { PATHS } from '../../src/protocol/http.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

const SOON = { within: `${scaled(20_000)}ms` } as const;
/** The time in which something wrong would happen. */
const BRIEFLY = { within: '300ms' } as const;

/** The message of the refusal. */
const refusalOf = async (run: () => unknown): Promise<string> => {
  try {
    await run();
  } catch (error) {
    expect(error).toBeInstanceOf(WorldError);
    return (error as WorldError).message;
  }
  throw new Error('it was not refused');
};

it('leaves no folder when the test process is killed', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'kit-host-'));
  const host = fork('cli/testing/host/kit-host.ts', [], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, TMPDIR: temporary },
    serialization: 'advanced',
  });
  await once(host, 'message');
  const command = { type: 'open', users: { alice: {} }, seed: 1, origins: undefined };
  host.send({ id: 1, world: 1, command });
  const [opened] = await once(host, 'message');
  expect(opened).toMatchObject({ type: 'done' });
  const folders = () => readdirSync(temporary).filter((name) => name.startsWith('ringback-exchange-'));
  expect(folders()).toHaveLength(1);
  host.disconnect();
  await once(host, 'exit');
  expect(folders()).toEqual([]);
  rmSync(temporary, { recursive: true });
});

/** Returns when the exchange made the call of an answer to a dial. */
const createdAt = (event: TraceEvent): number =>
  event.kind === 'message' ? (event.payload as { created_at: number }).created_at : 0;

describe('a wrong use is refused in one line', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ users: { alice: {}, bob: { devices: ['phone', 'laptop'] } } });
  });
  afterAll(() => world.close());

  const unknown = (fault: object) => () => world.fault(fault as WorldFault);
  const WRONG: readonly (readonly [wrong: string, run: () => unknown, line: RegExp])[] = [
    ['an unknown user', () => world.user('alic'), /^there is no user alic \(did you mean alice\?\)$/],
    ['a user with several devices', () => world.user('bob'), /^bob has several devices: name one, like bob\.phone$/],
    ['an unknown page', () => world.addressOf('zoe'), /^there is no user zoe: the users are alice, bob$/],
    [
      'an unknown key of a fault',
      unknown({ kind: 'ws', actor: 'alice', how: 'reset', user: 'alice' }),
      /^fault\.user is not known here: known are kind, actor, how, code, by$/,
    ],
    ['an unknown kind of fault', unknown({ kind: 'wss' }), /^fault\.kind must be one of .*\(did you mean ws\?\)$/],
    [
      'an unknown actor of a fault',
      unknown({ kind: 'ws', actor: 'zoe', how: 'reset' }),
      /^there is no actor zoe: known are alice, bob, bob\.phone, bob\.laptop$/,
    ],
    ['a fault that no world has', unknown({ kind: 'throttle', actor: 'alice', every: '1s' }), /is not supported/],
    [
      'hearing without a call',
      () => world.user('alice').hears('bob'),
      /^alice is not in a call: hears waits for the media of a call or a room$/,
    ],
    ['hearing an unknown user', () => world.user('alice').hears('zoe'), /^there is no user zoe: known are alice, bob/],
    [
      'an unknown action',
      () => world.user('alice').does('dail' as 'dial'),
      /no action dail \(did you mean dial\?\); "ringback explain action" lists all$/,
    ],
    ['an action without a call', () => world.user('alice').ends(), /alice has no call$/],
    ['an unknown message', () => world.saw({ cmd: 'dail' }), /^there is no message dail \(did you mean dial\?\)$/],
    [
      'an unknown value',
      () => world.user('alice').has({ 'call.stat': 'x' } as never),
      /^alice has no value call\.stat/,
    ],
    [
      'an unknown path',
      () => world.user('alice').value('call.nope' as 'call.id'),
      /^alice has no value call\.nope \(did you mean/,
    ],
    [
      'a fault of a node',
      unknown({ kind: 'node', of: 'node-1', how: 'crash' }),
      /^a fault of kind node needs several nodes, and the exchange of a test has one/,
    ],
    [
      'a misspelt parameter of an answer',
      () => world.user('alice').accepts({ afetr: '2s' } as never),
      /^afetr is not known here \(did you mean after\?\): known are after, audioEnabled/,
    ],
    [
      'a request without its path',
      () => world.messages({ http: 'POST' }),
      /^http is the method and the path of a request, like .*; found POST$/,
    ],
    [
      'a call of a user who has never signed in',
      () => world.user('alice').dials('bob'),
      /^alice\.dial failed: ERR_CALLEE_NEVER_AUTHENTICATE \(1400106\): await bob\.signsIn\(\) before$/,
    ],
    ['a negative advance', () => world.advance('-5s'), /^advance must be a span of time .*; found "-5s"$/],
    ['no advance', () => world.advance('0s'), /^advance must be longer than 0 and at most 24h; found 0s$/],
    ['too long an advance', () => world.advance('25h'), /^advance must be longer than 0 and at most 24h; found 25h$/],
    ['a name that no user can have', () => openWorld({ users: ['sfu'] }), /^sfu is the name of the media server/],
  ];
  for (const [wrong, run, line] of WRONG) {
    it(wrong, async () => {
      const message = await refusalOf(run);
      expect(message).toMatch(line);
      expect(message).not.toContain('\n');
    });
  }

  it('points to the line of the test', async () => {
    const error = await world
      .user('alice')
      .ends()
      .catch((refusal: unknown) => refusal as WorldError);
    expect(error?.stack?.split('\n')[1]).toContain('testing.test.ts');
  });
});

describe('a world', () => {
  const worlds = new OwnWorlds('a world');
  afterEach(() => worlds.close());
  const open = async (...users: string[]) => {
    const world = await worlds.open(users.length > 0 ? { users } : {});
    return { world, alice: world.user('alice'), bob: world.user('bob') };
  };

  it('has users who accept, hear, see, mute, hold and end', async () => {
    const { world, alice, bob } = await open();
    await bob.accepts({ videoEnabled: true });
    await alice.dials('bob', { video: true });
    await bob.is('connected', SOON);
    await Promise.all([bob.hears('alice', SOON), alice.hears('bob', SOON), bob.sees('alice', SOON)]);
    expect(await refusalOf(() => bob.hears('carol', BRIEFLY))).toBe(
      'bob did not hear carol within 300ms: the call is with alice',
    );
    expect(await refusalOf(() => bob.hearsNothing(BRIEFLY))).toBe(
      'bob still heard something within 300ms: sound of alice',
    );
    await alice.mutes();
    await bob.has({ 'call.remoteAudio': false });
    await bob.hearsNothing(SOON);
    expect(await refusalOf(() => bob.hears('alice', BRIEFLY))).toBe('bob did not hear alice within 300ms: silence');
    await alice.unmutes();
    await bob.hears('alice', SOON);
    await alice.holds();
    await bob.hearsNothing(SOON);
    await alice.unholds();
    await bob.hears('alice', SOON);
    await alice.ends();
    await bob.is('completed');
    await world.saw({ from: 'alice', cmd: 'end' });
    expect(await world.messages({ to: 'bob', cmd: 'end' })).toHaveLength(1);
    expect(JSON.stringify(await world.messages())).not.toMatch(/"session_token":"[^*]/);
  });

  it('ends a call for two users at the same time, and for a user without a network', async () => {
    const { world, alice, bob } = await open();
    const together = () => Promise.all([alice.ends(), bob.ends()]);
    const alone = async () => {
      await world.fault({ kind: 'network', actor: 'alice' });
      await alice.ends();
    };
    for (const end of [together, alone]) {
      await bob.accepts();
      await alice.dials('bob');
      await Promise.all([alice.is('connected', SOON), bob.is('connected', SOON)]);
      await end();
      await alice.is('completed');
    }
  });

  it('has a clock: a call rings for a minute, and no longer', async () => {
    const { world, alice, bob } = await open();
    await bob.signsIn();
    await alice.dials('bob');
    await bob.is('ringing');
    await world.advance('58s');
    await alice.is('dialing');
    await world.advance('2s');
    await alice.is('no_answer');
    await bob.is('no_answer');
    await alice.dials('bob');
    const [before = 0, after = 0] = (await world.messages({ to: 'alice', cmd: 'dial_ack' })).map(createdAt);
    expect(after - before).toBeGreaterThanOrEqual(60_000);
  });

  it('answers on its clock, each call once', async () => {
    const { world, alice, bob } = await open();
    await bob.declines({ after: '30s' });
    await alice.dials('bob');
    await bob.is('ringing');
    expect(await refusalOf(() => alice.is('declined', BRIEFLY))).toContain('alice.call.outcome is dialing');
    await world.advance('30s');
    await alice.is('declined');
    await alice.dials('bob');
    await bob.is('ringing');
    await bob.accepts();
    await alice.is('connected', SOON);
  });

  it('does not answer a later call in place of one that has ended', async () => {
    const { world, alice, bob } = await open();
    await bob.accepts({ after: '30s' });
    await alice.dials('bob');
    await bob.is('ringing');
    await alice.ends();
    await bob.is('canceled');
    await alice.dials('bob');
    await bob.is('ringing');
    await world.advance('40s');
    await alice.is('dialing');
  });

  it('signs a user in again after a refusal and after a sign-out', async () => {
    const { world, alice, bob } = await open();
    const offline = await world.fault({ kind: 'http', actor: 'bob', how: 'vanish' });
    expect(await refusalOf(() => bob.signsIn())).toMatch(/^bob\.signIn failed: /);
    expect(await refusalOf(() => bob.accepts())).not.toContain('the process of the worlds has ended');
    await alice.signsIn();
    await offline.clears();
    await bob.accepts();
    await alice.dials('bob');
    await alice.is('connected', SOON);
    await alice.ends();
    await bob.signsOut();
    await bob.accepts();
    await alice.dials('bob');
    await alice.is('connected', SOON);
  });

  it('has faults in the words of scenarios, which end on its clock or when they are cleared', async () => {
    const { world, alice, bob } = await open();
    await alice.signsIn();
    await world.saw({ from: 'alice', ws: 'open' });
    await world.fault({ kind: 'ws', actor: 'alice', how: 'refuse', until: '30s' });
    await world.saw({ from: 'alice', ws: 'close' });
    expect(await refusalOf(() => world.saw({ from: 'alice', ws: 'open' }, { ...BRIEFLY, times: 2 }))).toContain(
      'channel open from alice was seen 1 times, not 2, within 300ms',
    );
    await world.advance('60s');
    await world.saw({ from: 'alice', ws: 'open' }, { ...SOON, times: 2 });
    expect(await refusalOf(() => alice.dials('bob'))).toBe(
      'alice.dial failed: ERR_CALLEE_NEVER_AUTHENTICATE (1400106): await bob.signsIn() before',
    );
    await bob.signsIn();
    const fault = await world.fault({ kind: 'refuse', from: 'alice', cmd: 'dial', code: 1_400_111 });
    await expect(alice.dials('bob')).rejects.toMatchObject({ code: 1_400_111 });
    await fault.clears();
    await alice.dials('bob');
  });

  it('restarts its exchange: channels close and come back, and the call and its media go on', async () => {
    const { world, alice, bob } = await open();
    await bob.accepts();
    await alice.dials('bob');
    await bob.is('connected', SOON);
    const id = await alice.value('call.id');
    await world.restartExchange();
    await world.saw({ from: 'alice', ws: 'open' }, { ...SOON, times: 2 });
    await world.saw({ from: 'bob', ws: 'open' }, { ...SOON, times: 2 });
    await alice.is('connected');
    await bob.hears('alice', SOON);
    expect(await bob.value('call.id')).toBe(id);
    // The exchange still has the clock of the world.
    await world.advance('2m');
    await alice.ends();
    await bob.is('completed', SOON);
    expect(await bob.value('call.duration')).toBeGreaterThan(120_000);
  });

  it('restarts its exchange after the last of several outages, and refuses a restart during one', async () => {
    const { world, alice, bob } = await open();
    await bob.signsIn();
    const outages = [
      await world.fault({ kind: 'server', how: 'restart' }),
      await world.fault({ kind: 'server', how: 'restart' }),
    ];
    expect(await refusalOf(() => world.restartExchange())).toBe(
      'the exchange is stopped by a fault of kind server, which must end first',
    );
    for (const outage of outages) await outage.clears();
    await world.restartExchange();
    await alice.dials('bob');
    await bob.is('ringing', SOON);
  });

  it('is without its exchange for the time of a fault, in the words of scenarios', async () => {
    const { world, alice, bob } = await open();
    await bob.signsIn();
    await alice.signsIn();
    const outage = await world.fault({ kind: 'server', how: 'restart' });
    await world.saw({ from: 'alice', ws: 'close' });
    expect(await refusalOf(() => world.saw({ from: 'alice', ws: 'open' }, { ...BRIEFLY, times: 2 }))).toContain(
      '1 times',
    );
    await outage.clears();
    await world.advance('1m');
    await world.saw({ from: 'alice', ws: 'open' }, { ...SOON, times: 2 });
    await alice.dials('bob');
    await bob.is('ringing', SOON);
    expect(await refusalOf(() => world.fault({ kind: 'server', how: 'crash' }))).toBe(
      'the fault server how crash is not supported on real sockets and media: how can be restart, forget-calls, turn-changed, revoke',
    );
  });

  it('shares nothing with another world, and is gone when it is closed', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    await one.bob.accepts();
    await other.bob.signsIn();
    await one.alice.dials('bob');
    await one.bob.is('connected', SOON);
    expect(await other.bob.value('call.state')).toBeUndefined();
    expect(await other.world.messages({ cmd: 'dial' })).toEqual([]);
    const { apiUrl } = other.world.addressOf('alice');
    expect((await fetch(apiUrl)).status).toBe(404);
    await other.world.close();
    await other.world.close();
    await expect(fetch(apiUrl)).rejects.toThrow('fetch failed');
    expect(await refusalOf(() => other.bob.ends())).toBe('the world a world is closed');
    await one.bob.hears('alice', SOON);
  });

  it('serves the pages of permitted origins, and closes a channel without a session as the exchange does', async () => {
    const page = { origin: 'https://app.test' };
    const asked = async (world: World, method: string) => {
      const { status, headers } = await fetch(`${world.addressOf('alice').apiUrl}/v1/nothing`, {
        method,
        headers: page,
      });
      return [status, headers.get('access-control-allow-origin')];
    };
    const { world } = await open();
    const permitting = await worlds.open({ origins: [page.origin] });
    expect([await asked(world, 'OPTIONS'), await asked(world, 'GET')]).toEqual([
      [403, null],
      [403, null],
    ]);
    expect([await asked(permitting, 'OPTIONS'), await asked(permitting, 'GET')]).toEqual([
      [204, page.origin],
      [404, page.origin],
    ]);
    const channel = new WebSocket(`${permitting.addressOf('alice').wsUrl}${PATHS.channel}`, page);
    const [code] = (await once(channel, 'close')) as [number];
    expect(code).toBe(CLOSE_SESSION_OVER);
  });

  it('refuses to act for a user who is a page', async () => {
    const { world, alice, bob } = await open();
    await fetch(`${world.addressOf('alice').apiUrl}/v1/nothing`);
    expect(await refusalOf(() => alice.dials('bob'))).toBe(
      'alice.dial failed: alice is a page, which the test drives itself. Give the user a second device',
    );
    expect(await refusalOf(() => world.fault({ kind: 'page', actor: 'alice', state: 'hidden' }))).toBe(
      'alice is a page: a fault of kind page needs a headless user',
    );
    await bob.signsIn();
    await world.fault({ kind: 'page', actor: 'bob', state: 'hidden' });
    await bob.has({ page: 'hidden' });
    await fetch(`${world.addressOf('bob').apiUrl}/v1/nothing`);
    const mixture = 'bob is headless, and a page uses the addresses of bob too. Give the user a second device';
    expect(await refusalOf(() => bob.has({ page: 'hidden' }))).toBe(mixture);
    expect(await refusalOf(() => bob.accepts())).toBe(mixture);
    expect(await refusalOf(() => bob.hears('alice'))).toBe(mixture);
    expect((await world.ladder()).text).toContain(mixture);
  });

  it('has rooms', async () => {
    const { alice, bob } = await open();
    const room = await alice.createsRoom({ type: 'small_room_for_video' });
    await alice.enters(room);
    await bob.enters(room);
    await alice.has({ 'room.participants': ['alice', 'bob'] }, SOON);
    await bob.hears('alice', SOON);
    await alice.sees('bob', SOON);
    await bob.exits();
    await alice.has({ 'room.participants': ['alice'] }, SOON);
  });

  it('has a ladder for the report of a failed test, and its owner closes it', async () => {
    const own = new OwnWorlds('left open');
    const world = await own.open();
    await world.user('bob').signsIn();
    await world.user('alice').dials('bob');
    const [ladder, ...others] = await own.ladders();
    expect(others).toEqual([]);
    expect(ladder?.text).toMatch(/\|<-+ dial --\|/);
    expect(ladder?.svg).toContain('left open');
    await own.close();
    expect(world.isClosed).toBe(true);
    expect(await own.ladders()).toEqual([]);
  });

  it('is closed also when its test ends while it opens', async () => {
    const own = new OwnWorlds('still opening');
    const opening = own.open();
    await own.close();
    expect((await opening).isClosed).toBe(true);
  });

  it('names the page of a foreign origin in its ladder, once', async () => {
    const { world } = await open();
    const headers = { origin: 'https://app.test' };
    for (const path of ['/v1/a', '/v1/b'])
      await fetch(`${world.addressOf('alice').apiUrl}${path}`, { method: 'OPTIONS', headers });
    const told =
      /a page of https:\/\/app\.test was refused: openWorld\(\{ origins: \['https:\/\/app\.test'\] \}\) permits it/g;
    expect((await world.ladder()).text.match(told)).toHaveLength(1);
  });
});
