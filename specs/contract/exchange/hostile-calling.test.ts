/**
 * Sends the largest hostile body to every request and every command of the calling service, during a call that must
 * continue.
 */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_BUDGETS, ROUTE_BUDGETS } from '../../../sim/budgets/calling-budgets.ts';
import { CALLING_ROUTES } from '../../../sim/exchange/http/routes.ts';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { heldBytes, watchTurns } from './hostile-bodies.ts';
import { commandOf, formsOf, formsOfRoute, REQUESTS } from './hostile-calls.ts';
import { Terminal, until } from './terminals.ts';

/** The limit of a turn of the event loop on the reference machine. */
const LONGEST_TURN_MS = 50;
const TRIES = 8;
const MIB = 1024 * 1024;
const AV = { audio: true, video: true };
/** A rate limit that no test reaches. The tests measure the cost of each input. */
const AMPLE = { burst: 1e12, perSecond: 1 };

let sim: Sim;
let alice: Terminal;
let bob: Terminal;
let mallory: Terminal;
let dave: Terminal;
let call_id: string;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Connects two users in a call. Returns the id of the call. */
async function connectCall(caller: Terminal, callee: Terminal): Promise<string> {
  const dial = { callee_id: callee.userId, is_video_call: true, constraints: AV, capabilities: [] };
  const { payload } = await caller.send('dial', dial);
  await callee.send('accept', { call_id: payload.call_id, constraints: AV, capabilities: [] });
  return payload.call_id;
}

beforeAll(async () => {
  sim = await startSim({
    demo: true,
    port: 0,
    settings: {
      messages: AMPLE,
      accountMessages: AMPLE,
      sent: AMPLE,
      logins: AMPLE,
      loginFailures: AMPLE,
      requestFactor: 1e6,
    },
  });
  alice = await Terminal.signIn(sim, 'alice');
  bob = await Terminal.signIn(sim, 'bob');
  mallory = await Terminal.signIn(sim, 'carol');
  dave = await Terminal.signIn(sim, 'dave');
  call_id = await connectCall(alice, bob);
});
afterAll(async () => {
  agent.destroy();
  await sim.close();
});

/** Sends a request. Resolves with the status, or 0 when the server cut the connection. */
function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<number> {
  return new Promise((resolve) => {
    const sent =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asked = request(`${sim.url}${path}`, { method, agent, headers: { ...headers, ...sent } });
    asked.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', () => resolve(0));
    asked.end(body);
  });
}

/** Runs an action, and expects short turns meanwhile. It retries, since other processes also use the processor. */
async function inShortTurns(what: string, act: () => Promise<void>): Promise<void> {
  let least = Infinity;
  for (let at = 0; at < TRIES && least >= scaled(LONGEST_TURN_MS); at += 1) {
    const turns = watchTurns();
    await act();
    turns.stop();
    least = Math.min(least, turns.longest());
  }
  expect(least, what).toBeLessThan(scaled(LONGEST_TURN_MS));
}

let isEnabled = true;
/** Expects that a command of one side of the call still reaches the other. */
async function expectCallContinues(): Promise<void> {
  isEnabled = !isEnabled;
  const before = bob.events.length;
  expect((await alice.send('audio', { call_id, is_enabled: isEnabled })).error).toBeUndefined();
  await until(() => bob.events.length > before, 'the signal');
  // The test may take longer than the time after which a silent side is lost.
  expect((await bob.send('alive', { call_id })).error).toBeUndefined();
  expect([alice.closeCode, bob.closeCode]).toEqual([undefined, undefined]);
}

describe('S12 S14 S18 I22 the largest hostile input takes a bounded turn of the event loop, and a call continues:', () => {
  it.each(CALLING_ROUTES)('the request %s', async (name) => {
    const { maxBytes } = ROUTE_BUDGETS[name];
    const [method, path] = REQUESTS[name];
    const forms = formsOfRoute(name);
    expect(forms.length > 0).toBe(maxBytes > 0);
    const seen = new Set<number>();
    const ask = async (body?: string, headers: Record<string, string> = mallory.headers) =>
      void seen.add(await send(method, path, headers, body));
    for (const [what, body] of forms) await inShortTurns(what, () => ask(body));
    await inShortTurns('without a session', () => ask(forms[0]?.[1], {}));
    await inShortTurns('no body', () => ask());
    expect([...seen].filter((status) => status >= 500 || status === 429)).toEqual([]);
    if (maxBytes > 0) expect(await send(method, path, mallory.headers, ' '.repeat(maxBytes + 1))).toBe(413);
    await expectCallContinues();
  });

  it.each(Object.keys(COMMAND_BUDGETS))('B39 B41 the command %s, by socket and by HTTP', async (type) => {
    const forms = formsOf(commandOf(type, await connectCall(mallory, dave)), LIMITS.frameBytes);
    const [method, path] = REQUESTS.action;
    const seen = new Set<number>();
    for (const [what, text] of forms.filter((form) => Buffer.byteLength(form[1]) <= LIMITS.frameBytes)) {
      await inShortTurns(what, async () => {
        mallory.socket.send(text);
        seen.add(await send(method, path, mallory.headers, text));
      });
    }
    expect((await mallory.send('unended_calls', {})).error).toBeUndefined();
    expect([...seen].filter((status) => ![200, 400, 409].includes(status))).toEqual([]);
    expect(mallory.closeCode).toBeUndefined();
    await expectCallContinues();
  });

  it('the server replaces stored data when a client sends more, so its memory does not grow', async () => {
    const keeping = CALLING_ROUTES.filter((name) => ROUTE_BUDGETS[name].keeps.length > 0);
    const all = async () => {
      for (const name of keeping) {
        const [method, path, ...bodies] = REQUESTS[name];
        for (const body of bodies) await send(method, path, mallory.headers, JSON.stringify(body));
      }
    };
    // The server stores five thousand lines of logs. Three rounds fill them.
    for (let at = 0; at < 3; at += 1) await all();
    const before = await heldBytes();
    for (let at = 0; at < 3; at += 1) await all();
    expect((await heldBytes()) - before).toBeLessThan(4 * MIB);
    expect((await alice.send('end', { call_id })).error).toBeUndefined();
  });
});
