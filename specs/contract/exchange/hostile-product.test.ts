/** Sends the largest hostile body, query and path to every request of the product, during a call that must continue. */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { endpointOf, type EndpointName } from '../../../src/protocol/product/api.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { heldBytes, watchTurns } from './hostile-bodies.ts';
import { hostileForms, pathOf, PRODUCT_REQUESTS, userFor, type HostileRequest } from './hostile-requests.ts';
import { answerOf, json, Terminal } from './terminals.ts';

/** The limit of a turn of the event loop on the reference machine. */
const LONGEST_TURN_MS = 50;
const TRIES = 8;
const MIB = 1024 * 1024;
const AV = { audio: true, video: true };

let sim: Sim;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  sim = await startSim({ demo: true, port: 0 });
});
afterAll(async () => {
  agent.destroy();
  await sim.close();
});

/** Sends a request. Resolves with the status, or 0 when the server cut the connection. */
function send({ method, path, token, type = 'application/json', body }: HostileRequest): Promise<number> {
  return new Promise((resolve) => {
    const asked = request(`${sim.url}${path}`, {
      method,
      agent,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        'idempotency-key': 'hostile-request',
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
      },
    });
    asked.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', () => resolve(0));
    asked.end(body);
  });
}

/** Signs in a user who may send the request, because some requests end their session. Returns the token. */
async function tokenFor(name: EndpointName): Promise<string> {
  const user_id = userFor(name);
  return user_id === null ? '' : (await answerOf(await fetch(`${sim.url}/auth/login`, json({ user_id })))).body.token;
}

describe('every request of the product', () => {
  it('S14 S17 S18 B39: is handled in short turns with its largest hostile body, query and path, and leaves nothing in memory', async () => {
    const alice = await Terminal.signIn(sim, 'carol');
    const bob = await Terminal.signIn(sim, 'dave');
    const dial = { callee_id: 'dave', is_video_call: true, constraints: AV, capabilities: [] };
    const { call_id } = (await alice.send('dial', dial)).payload;
    await bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    // The first request of each kind compiles the code.
    for (const name of PRODUCT_REQUESTS) {
      await send({ method: endpointOf(name).method, path: pathOf(name), token: await tokenFor(name) });
    }
    const before = await heldBytes();
    const slow: string[] = [];
    let count = 0;
    for (const name of PRODUCT_REQUESTS) {
      for (const form of hostileForms(name, await tokenFor(name))) {
        const shown = `${name} ${String(form.body ?? form.path).slice(0, 60)}`;
        let longest = Infinity;
        // A busy machine may delay any turn. A form counts as slow only when it is slow each time.
        for (let tries = 0; tries < TRIES && longest > scaled(LONGEST_TURN_MS); tries += 1) {
          const watch = watchTurns();
          const status = await send(form);
          watch.stop();
          longest = Math.min(longest, watch.longest());
          expect([shown, status]).not.toEqual([shown, 500]);
        }
        count += 1;
        if (longest > scaled(LONGEST_TURN_MS)) slow.push(`${Math.round(longest)} ms: ${shown}`);
      }
    }
    expect(slow).toEqual([]);
    expect(count).toBeGreaterThan(PRODUCT_REQUESTS.length * 2);
    expect((await heldBytes()) - before).toBeLessThan(32 * MIB);
    expect((await alice.send('audio', { call_id, is_enabled: false })).error).toBeUndefined();
    expect(await bob.event('audio')).toEqual({ call_id, is_enabled: false });
    expect((await alice.send('end', { call_id })).error).toBeUndefined();
    await Promise.all([alice.disconnect(), bob.disconnect()]);
  });
});
