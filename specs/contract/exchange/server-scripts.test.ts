/** Clients that choose the scripts of a running exchange, over real sockets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { readScript } from '../../../sim/scripts/format/read-script.ts';
import type { MediaPeerMaker } from '../../../sim/scripts/media-peer.ts';
import { startSim, type ScriptOptions, type Sim } from '../../../sim/server/start-sim.ts';
import { answerOf, json, Terminal, upgrade } from './terminals.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const AV = { audio: true, video: true };

/** The users that the script asks to join, and the address where they sign in. */
const orders: { url: string; userId: string; calleeId?: string }[] = [];
const inert = { accept: () => undefined, end: () => undefined, leave: () => undefined };
const parties: ScriptOptions['parties'] = ({ url }): MediaPeerMaker => ({
  answer: ({ userId }) => {
    orders.push({ url, userId });
    return inert;
  },
  dial: ({ userId, calleeId }) => {
    orders.push({ url, userId, calleeId });
    return inert;
  },
});

let sim: Sim;
let without: Sim;
beforeAll(async () => {
  const own = [readScript('mine.yaml', 'script: carol-declines\npeople: { carol: [{ on: called, do: decline }] }\n')];
  sim = await startSim({ demo: true, port: 0, scripts: { own, parties } });
  without = await startSim({ demo: true, port: 0 });
});
afterAll(() => Promise.all([sim.close(), without.close()]));

/** Returns this exchange with the address of a script. */
const at = (script: string, of: Sim = sim): Sim => ({ ...of, url: `${of.url}/scripts/${encodeURIComponent(script)}` });
const login = async (url: string, userId: string, app_id = 'ringback-demo') =>
  answerOf(
    await fetch(`${url}/v1/users/${userId}/login`, json({ app_id, user_id: userId }, { 'x-client-id': `${userId}-1` })),
  );
const dial = (from: Terminal, callee_id: string) =>
  from.send('dial', { callee_id, is_video_call: true, constraints: AV, capabilities: [] });

describe('a script is chosen by the address', () => {
  it('ERR-1400106: and the exchange simulates every dialled user; without a script it simulates no user', async () => {
    const alice = await Terminal.signIn(at('busy'), 'alice');
    await dial(alice, 'bob');
    expect(await alice.event('decline')).toMatchObject({ end_result: 'declined', ended_by: { user_id: 'bob' } });
    const other = await Terminal.signIn(sim, 'alice');
    expect((await dial(other, 'bob')).error).toMatchObject({ code: ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE });
  });

  it('ERR-1400101: its replies fail as the script says', async () => {
    const alice = await Terminal.signIn(at('refuse,cmd=dial,code=1400101,first=1'), 'alice');
    expect((await dial(alice, 'bob')).error).toEqual({ code: ErrorCode.ERR_INVALID_CALL_STATUS, message: '' });
    expect((await dial(alice, 'bob')).error).toBeUndefined();
    const refused = at('refuse,cmd=login,code=1800303');
    expect(await login(refused.url, 'alice')).toMatchObject({
      status: 400,
      body: { code: ErrorCode.USER_NOT_AUTHENTICATED },
    });
  });

  it('a client can choose a script that was read from a file', async () => {
    const alice = await Terminal.signIn(at('carol-declines'), 'alice');
    await dial(alice, 'carol');
    await alice.event('decline');
    expect((await dial(alice, 'bob')).error).toMatchObject({ code: ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE });
  });

  it('a peer with media signs in at the address of the script', async () => {
    orders.length = 0;
    const instance = at('accept,after=1s@one');
    const alice = await Terminal.signIn(instance, 'alice');
    await dial(alice, 'bob');
    await alice.event('dial_rcv');
    expect(orders).toEqual([{ url: instance.url, userId: 'bob' }]);
  });

  it('its calls are free, also when the exchange bills calls, because no user of a script has coins', async () => {
    const paid = await startSim({ demo: true, port: 0, billing: true, scripts: { own: [], parties } });
    try {
      const played = await Terminal.signIn(at('busy', paid), 'alice');
      await dial(played, 'bob');
      expect(await played.event('decline')).toMatchObject({ end_result: 'declined', ended_by: { user_id: 'bob' } });
      await Terminal.signIn(paid, 'bob');
      const paying = await Terminal.signIn(paid, 'alice');
      expect((await dial(paying, 'bob')).error).toMatchObject({ code: ErrorCode.ERR_NO_PERMISSION });
    } finally {
      await paid.close();
    }
  });

  it('clients that choose the same script share a world; a client that adds a name has a separate world', async () => {
    const [alice, bob] = [await Terminal.signIn(at('decline'), 'alice'), await Terminal.signIn(at('decline'), 'bob')];
    await dial(alice, 'bob');
    expect(await bob.event('dial')).toMatchObject({ caller: { user_id: 'alice' } });
    const apart = await Terminal.signIn(at('decline,after=0s@apart'), 'alice');
    await dial(apart, 'bob');
    expect(await apart.event('decline')).toMatchObject({ end_result: 'declined' });
  });

  it('a stop writes the calls that it ends in the world of a script: the database of the world closes last', async () => {
    const errors: string[] = [];
    const stopping = await startSim({
      demo: true,
      port: 0,
      scripts: { own: [], parties },
      log: ({ level, message }) => void (level === 'error' && errors.push(message)),
    });
    const world = at('decline', stopping);
    const [alice, bob] = [await Terminal.signIn(world, 'alice'), await Terminal.signIn(world, 'bob')];
    await dial(alice, 'bob');
    await bob.event('dial');
    await stopping.close();
    expect(errors).toEqual([]);
  });

  it('the product service answers at that address: users are online, and have their pictures', async () => {
    const { url } = at('decline');
    const { body } = await answerOf(await fetch(`${url}/auth/login`, json({ user_id: 'dave' })));
    const headers = { authorization: `Bearer ${body.token}` };
    const people = await answerOf(await fetch(`${url}/users/discover`, { headers }));
    const carol = people.body.items.find((one: { u_id: string }) => one.u_id === 'carol');
    expect(carol).toMatchObject({ presence: 'online', profile_url: `${url}/portraits/carol.svg` });
    expect((await fetch(carol.profile_url)).status).toBe(200);
  });
});

describe('a script is chosen by the application id', () => {
  it('and applies to the socket and the requests of that session', async () => {
    const { status, body } = await login(sim.url, 'alice', 'ringback-demo/busy@by-id');
    expect(status).toBe(200);
    const query = new URLSearchParams({
      session_token: body.sbcall_session_token,
      client_id: 'alice-1',
      version: '1.10.20',
    });
    const frames: { type: string }[] = [];
    const { socket } = await upgrade(
      `${sim.url.replace('http', 'ws')}/v1/realtime?${query}`,
      {},
      { listen: (opening) => opening.on('message', (data) => frames.push(JSON.parse(String(data)))) },
    );
    const payload = { callee_id: 'bob', is_video_call: false, constraints: AV, capabilities: [] };
    socket.send(JSON.stringify({ version: 1, request_id: 'by-id', cmd: 'CALL', type: 'dial', payload }));
    await expect.poll(() => frames.map(({ type }) => type)).toContain('decline');
    const headers = { 'x-client-id': 'alice-1', 'x-session-token': body.sbcall_session_token };
    const history = await answerOf(await fetch(`${sim.url}/v1/users/alice/calls`, { headers }));
    expect(history.body.calls).toMatchObject([{ end_result: 'declined' }]);
  });

  it('HTTP-23: statistics of such a session are stored when their application id contains the script', async () => {
    const words = `decline,after=1m@${'statistics-'.repeat(12)}`;
    const { body } = await login(sim.url, 'alice', `ringback-demo/${words}`);
    const headers = { 'x-client-id': 'alice-1', 'x-session-token': body.sbcall_session_token };
    const dialled = await answerOf(
      await fetch(
        `${sim.url}/v1/action/direct_call`,
        json(
          {
            version: 1,
            request_id: 'dial',
            cmd: 'CALL',
            type: 'dial',
            payload: { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] },
          },
          headers,
        ),
      ),
    );
    const log_data = { ...golden.stats.log_data, call_id: dialled.body.payload.call_id };
    const send = async (app_id: string) =>
      answerOf(
        await fetch(`${sim.url}/v1/sdk/logs`, json({ ...golden.stats, log_data: { ...log_data, app_id } }, headers)),
      );
    expect(await send(`ringback-demo/${words}`)).toEqual({ status: 200, body: {} });
    expect(await send('ringback-demo')).toEqual({ status: 200, body: {} });
    const refused = {
      status: 400,
      body: { code: ErrorCode.INVALID_PARAMETER_VALUE, message: expect.stringContaining('log_data.app_id') },
    };
    expect(await send('ringback-demo/busy@by-id')).toEqual(refused);
    expect(await send('elsewhere')).toEqual(refused);
  });

  it('another application id selects no script, and its login is refused', async () => {
    expect(await login(sim.url, 'alice', 'elsewhere/decline')).toMatchObject({ status: 401 });
    expect(await login(at('decline').url, 'alice', 'ringback-demo/accept')).toMatchObject({ status: 401 });
  });
});

describe('an unknown script', () => {
  const message = /^There is no script declin \(did you mean decline\?\)\. There are accept, .*, carol-declines\.$/;

  it('is an error of every request, with its name and the names of the known scripts', async () => {
    const body = { code: ErrorCode.INVALID_PARAMETER_VALUE, message: expect.stringMatching(message) };
    expect(await login(at('declin').url, 'alice')).toEqual({ status: 404, body });
    expect(await login(sim.url, 'alice', 'ringback-demo/declin')).toEqual({ status: 404, body });
    expect(await answerOf(await fetch(`${at('declin').url}/demo/users`))).toEqual({ status: 404, body });
    expect(await answerOf(await fetch(`${sim.url}/scripts/%ff/demo/users`))).toMatchObject({ status: 404 });
    expect(await answerOf(await fetch(`${sim.url}/scripts//demo/users`))).toMatchObject({ status: 404 });
  });

  it('is also an error of the socket', async () => {
    const refused = await upgrade(`${at('declin').url.replace('http', 'ws')}/v1/realtime?session_token=x`);
    expect(refused.status).toBe(404);
    expect(JSON.parse(refused.body)).toEqual({
      code: ErrorCode.INVALID_PARAMETER_VALUE,
      message: expect.stringMatching(message),
    });
  });

  it('an exchange without scripts refuses every script', async () => {
    const played = {
      status: 404,
      body: {
        code: ErrorCode.INVALID_PARAMETER_VALUE,
        message: expect.stringContaining('This exchange plays no scripts'),
      },
    };
    expect(await login(at('decline', without).url, 'alice')).toEqual(played);
    expect(await login(without.url, 'alice', 'ringback-demo/decline')).toEqual(played);
    expect(await answerOf(await fetch(`${without.url}/scripts`))).toEqual(played);
  });
});

it('the exchange lists the scripts with their parameters', async () => {
  const { status, body } = await answerOf(await fetch(`${sim.url}/scripts`));
  expect(status).toBe(200);
  expect(body.scripts).toContainEqual(expect.objectContaining({ name: 'carol-declines', parameters: [] }));
  expect(body.scripts.find((one: { name: string }) => one.name === 'accept').parameters).toContainEqual({
    name: 'after',
    about: 'the time from the ring to the answer',
    default: '2s',
  });
});

it('an exchange with a main script plays it to every client', async () => {
  const busy = await startSim({ demo: true, port: 0, scripts: { own: [], parties, main: 'busy' } });
  const alice = await Terminal.signIn(busy, 'alice');
  await dial(alice, 'bob');
  await alice.event('decline');
  await busy.close();
  await expect(startSim({ demo: true, port: 0, scripts: { own: [], parties, main: 'bussy' } })).rejects.toThrow(
    'did you mean busy?',
  );
});
