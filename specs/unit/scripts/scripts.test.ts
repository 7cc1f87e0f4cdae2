/** The events of a client under test in each script, in virtual time. */
import { afterEach, describe, expect, test } from 'vitest';
import { BUILT_INS } from '../../../sim/scripts/built-in.ts';
import { readScript } from '../../../sim/scripts/format/read-script.ts';
import type { OwnScripts } from '../../../sim/scripts/choose-script.ts';
import { scriptWorld, type ScriptWorld, type TestClient } from './support/script-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const open: ScriptWorld[] = [];
afterEach(async () => {
  const left = await Promise.all(open.splice(0).map((world) => world.close()));
  expect(left.flat()).toEqual([]);
});

/** Alice is the client under test of an exchange that plays this. */
async function play(words: string, own?: OwnScripts): Promise<{ world: ScriptWorld; alice: TestClient }> {
  const world = scriptWorld(words, own);
  open.push(world);
  return { world, alice: await world.client('alice') };
}

/** Long enough for every timeout of a call. */
const AGES = 200_000;

describe('a client that dials', () => {
  const OUTCOMES: readonly [words: string, course: readonly string[], refused?: readonly number[]][] = [
    ['accept', ['ringing 2', 'established 2003', 'connected 2028']],
    ['accept,after=5s', ['ringing 2', 'established 5003', 'connected 5028']],
    ['decline', ['ringing 2', 'ended declined 1002']],
    ['decline,after=10s', ['ringing 2', 'ended declined 10002']],
    ['busy', ['ringing 2', 'ended declined 2']],
    ['no-answer', ['ringing 2', 'ended no_answer 60002']],
    ['hangs-up', ['ringing 2', 'established 2003', 'connected 2028', 'ended completed 7031']],
    ['silent', ['ringing 2', 'established 2003', 'ended timed_out 62003']],
    ['silent,on=connected', ['ringing 2', 'established 2003', 'connected 2028', 'ended connection_lost 67030']],
    [
      'lose-media',
      ['ringing 2', 'established 2003', 'connected 2028', 'reconnecting 12529', 'ended connection_lost 42529'],
    ],
    [
      'lose-media,lasts=10s',
      ['ringing 2', 'established 2003', 'connected 2028', 'reconnecting 12529', 'reconnected 15069'],
    ],
    ['refuse,cmd=dial,code=1400101', ['ended dial_failed 2'], [ErrorCode.ERR_INVALID_CALL_STATUS]],
    ['refuse,cmd=dial,code=1400999', ['ended dial_failed 2'], [ErrorCode.ERR_SERVER_INTERNAL_ERROR]],
    ['late,cmd=dial,by=5s', ['ringing 5002', 'established 5002', 'connected 5027']],
    ['never,cmd=dial', ['ended dial_failed 60000'], [ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT]],
    ['hangs-up,after=1s+accept,after=4s', ['ringing 2', 'established 4003', 'connected 4028', 'ended completed 5031']],
    ['decline,who=bob+accept,who=carol', ['ringing 2', 'ended declined 1002']],
  ];

  test.each(OUTCOMES)('%s: it has its result, at its time', async (words, course, refused = []) => {
    const { world, alice } = await play(words);
    alice.dial('bob');
    await world.world.advance(AGES);
    expect(alice.course).toEqual(['dials 0', ...course]);
    expect(alice.refused).toEqual(refused);
  });

  test('refuse,cmd=accept: a client that is called cannot accept', async () => {
    const { world, alice } = await play('calls+refuse,cmd=accept,code=1400101');
    await world.world.advance(2_000);
    alice.rung.at(0)?.accept({ callOption: {} });
    await world.world.advance(AGES);
    expect(alice.course.at(-1)).toMatch(/^ended accept_failed /);
  });

  test('refuse,cmd=login: no user can sign in', async () => {
    await expect(play('refuse,cmd=login,code=1800303')).rejects.toMatchObject({
      code: ErrorCode.USER_NOT_AUTHENTICATED,
    });
  });

  test('a fault affects each client as often as the script says, and no simulated user', async () => {
    const { world, alice } = await play('refuse,cmd=dial,code=1400101,first=1');
    const dave = await world.client('dave');
    for (const client of [alice, dave]) {
      client.dial('bob');
      await world.world.advance(1_000);
      client.dial('carol');
      await world.world.advance(10_000);
      expect(client.refused).toEqual([ErrorCode.ERR_INVALID_CALL_STATUS]);
      expect(client.course.at(-1)).toMatch(/^connected /);
    }
  });

  test('a user that a client signs in as is no longer simulated: two clients call each other', async () => {
    const { world, alice } = await play('decline,after=0s');
    const bob = await world.client('bob');
    alice.dial('bob');
    await world.world.advance(5_000);
    expect(bob.rung).toHaveLength(1);
    expect(alice.course).toEqual(['dials 0', expect.stringMatching(/^ringing /)]);
    bob.rung[0]?.accept({ callOption: {} });
    await world.world.advance(5_000);
    expect(alice.course.at(-1)).toMatch(/^connected /);
  });

  test('one user answers several clients at once, each call on a separate device', async () => {
    const { world, alice } = await play('accept');
    const dave = await world.client('dave');
    alice.dial('bob');
    dave.dial('bob');
    await world.world.advance(5_000);
    expect([alice.course.at(-1), dave.course.at(-1)]).toEqual([
      expect.stringMatching(/^connected /),
      expect.stringMatching(/^connected /),
    ]);
  });

  test('a caller that hangs up before the answer is not answered, and no callee waits', async () => {
    const { world, alice } = await play('accept,after=5s');
    const call = alice.dial('bob');
    await world.world.advance(2_000);
    call.end();
    await world.world.advance(10_000);
    expect(alice.course.at(-1)).toMatch(/^ended canceled /);
    expect(world.parties).toBe(1);
  });

  test('steps that remain at the end of a call are not performed', async () => {
    const { world, alice } = await play('hangs-up,after=300s');
    const call = alice.dial('bob');
    await world.world.advance(5_000);
    call.end();
    await world.world.advance(100);
    // Otherwise its timer would remain, and each test checks that no timer remains.
    expect(alice.course.at(-1)).toMatch(/^ended completed /);
  });

  test('the credential of a simulated user is valid only for the call: later the user id signs in a client like any other', async () => {
    const { world, alice } = await play('accept');
    const call = alice.dial('bob');
    await world.world.advance(1_000);
    call.end();
    await world.world.advance(1_000);
    const [token] = world.tokens;
    expect(token).toBeDefined();
    const bob = await world.client('bob', 'phone', token);
    alice.dial('bob');
    await world.world.advance(5_000);
    expect(bob.rung).toHaveLength(1);
    expect(world.parties).toBe(1);
  });

  test('without an accept no user with media is needed', async () => {
    for (const words of ['decline', 'busy', 'no-answer', 'refuse,cmd=dial,code=1400103']) {
      const { world, alice } = await play(words);
      alice.dial('bob');
      await world.world.advance(1_500);
      expect([words, world.parties]).toEqual([words, 0]);
    }
  });
});

describe('a client that waits', () => {
  test('calls: it rings, and is connected once it accepts', async () => {
    const { world, alice } = await play('calls,after=2s,who=carol');
    await world.world.advance(1_900);
    expect(alice.rung).toHaveLength(0);
    await world.world.advance(200);
    const [call] = alice.rung;
    expect([call?.remoteUser.userId, call?.isVideoCall]).toEqual(['carol', true]);
    call?.accept({ callOption: {} });
    await world.world.advance(5_000);
    expect(alice.course.at(-1)).toMatch(/^connected /);
  });

  test('calls,video=false: it is a voice call', async () => {
    const { world, alice } = await play('calls,video=false');
    await world.world.advance(3_000);
    expect(alice.rung.map((call) => [call.remoteUser.userId, call.isVideoCall])).toEqual([['bob', false]]);
  });

  test('calls+hangs-up: the caller hangs up', async () => {
    const { world, alice } = await play('calls+hangs-up,after=2s');
    await world.world.advance(1_100);
    alice.rung[0]?.accept({ callOption: {} });
    await world.world.advance(5_000);
    expect(alice.course.at(-1)).toMatch(/^ended completed /);
  });

  test('cancel: it rings for the time of the script, and is canceled', async () => {
    const { world, alice } = await play('cancel,rings=4s');
    await world.world.advance(AGES);
    expect(alice.course).toEqual(['rings 0', 'ended canceled 4003']);
  });

  test('cancel: a client that accepts before the cancel has a call', async () => {
    const { world, alice } = await play('cancel,rings=4s');
    await world.world.advance(2_000);
    alice.rung[0]?.accept({ callOption: {} });
    await world.world.advance(10_000);
    expect(alice.course.at(-1)).toMatch(/^connected /);
  });

  test('DC-16: other-device: another device of the same user accepts', async () => {
    const { world, alice } = await play('other-device');
    await world.world.advance(AGES);
    expect(alice.course).toEqual(['rings 0', 'ended other_device_accepted 2001']);
    expect(world.exchange.records.map(({ endResult }) => endResult)).toEqual(['completed']);
  });

  test('is called once by another user than its own, also after its channel was lost', async () => {
    const world = scriptWorld('calls+decline,who=you');
    open.push(world);
    const bob = await world.client('bob');
    await world.world.advance(2_000);
    expect(bob.rung.map((call) => call.remoteUser.userId)).toEqual(['alice']);
    bob.rung[0]?.end();
    world.world.platform('bob').net.dropSockets();
    await world.world.advance(30_000);
    expect(bob.rung).toHaveLength(1);
  });

  test('is not called by the users that clients signed in as', async () => {
    const world = scriptWorld('calls,who=bob');
    open.push(world);
    const [bob, alice] = [await world.client('bob'), await world.client('alice')];
    await world.world.advance(5_000);
    expect([bob.rung, alice.rung, world.parties]).toEqual([[], [], 0]);
  });

  test('is not called after it has signed out', async () => {
    const { world, alice } = await play('calls,after=5s');
    alice.client.deauthenticate();
    await world.world.advance(10_000);
    expect(world.parties).toBe(0);
  });
});

describe('a script of a file', () => {
  const mine = readScript(
    'mine.yaml',
    `script: patient
people:
  bob:
    - { on: called, after: 3s, do: accept }
    - { on: connected, after: 1s, do: lose-media }
    - { on: connected, after: 20s, do: end }
  carol: [{ on: called, do: decline }]
faults:
  - { fault: { kind: delay, from: client, cmd: dial, by: 1s }, nth: 2 }
`,
  );

  test('is played; a user who is not in it cannot be called', async () => {
    const { world, alice } = await play('patient', [mine]);
    alice.dial('carol');
    await world.world.advance(5_000);
    expect(alice.course).toEqual(['dials 0', 'ringing 2', 'ended declined 2']);
    // The second dial arrives late.
    alice.dial('bob');
    await world.world.advance(AGES);
    expect(alice.course.slice(3)).toEqual([
      'dials 0',
      'ringing 1002',
      'established 4003',
      'connected 4028',
      'reconnecting 12529',
      'ended completed 24031',
    ]);
    alice.dial('dave');
    await world.world.advance(5_000);
    expect(alice.refused).toEqual([ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE]);
  });

  test('is combined with others', async () => {
    const { world, alice } = await play('patient+refuse,cmd=dial,code=1400103,first=1', [mine]);
    alice.dial('bob');
    await world.world.advance(1_000);
    expect(alice.refused).toEqual([ErrorCode.ERR_CALLEE_DOES_NOT_EXIST]);
  });
});

test('each built-in script is played above, and has a description', () => {
  expect(BUILT_INS.map(({ name }) => name).sort()).toEqual(
    [
      'accept',
      'busy',
      'calls',
      'cancel',
      'decline',
      'hangs-up',
      'late',
      'lose-media',
      'never',
      'no-answer',
      'other-device',
      'refuse',
      'silent',
    ].sort(),
  );
  for (const { about } of BUILT_INS) expect(about).not.toBe('');
});
