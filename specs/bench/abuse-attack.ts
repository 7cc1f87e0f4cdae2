/**
 * The attacker of the bench of abuse, a child process: sends every hostile request and command to a server once, in a
 * call.
 */
import { Agent, request } from 'node:http';
import { COMMAND_BUDGETS } from '../../sim/budgets/calling-budgets.ts';
import { CALLING_ROUTES } from '../../sim/exchange/http/routes.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { commandOf, formsOf, formsOfRoute, REQUESTS } from '../contract/exchange/hostile-calls.ts';
import { hostileForms, PRODUCT_REQUESTS, userFor } from '../contract/exchange/hostile-requests.ts';
import { answerOf, json, Terminal } from '../contract/exchange/terminals.ts';

const [url = ''] = process.argv.slice(2);
const AT_ONCE = 4;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Resolves with the status. 0 when the server cut the connection. */
function fire({ method, path, headers, body }: Shot): Promise<number> {
  return new Promise((resolve) => {
    const sent =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asked = request(`${url}${path}`, { method, agent, headers: { ...sent, ...headers } });
    asked.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', () => resolve(0));
    asked.end(body);
  });
}

const AV = { audio: true, video: true };
const mallory = await Terminal.signIn({ url }, 'carol', 'mallory');
const victim = await Terminal.signIn({ url }, 'dave', 'victim');
const dial = { callee_id: 'dave', is_video_call: true, constraints: AV, capabilities: [] };
const callId: string = (await mallory.send('dial', dial)).payload.call_id;
await victim.send('accept', { call_id: callId, constraints: AV, capabilities: [] });
const shots: Shot[] = [];
for (const name of CALLING_ROUTES) {
  const [method, path] = REQUESTS[name];
  for (const headers of [mallory.headers, {}]) {
    shots.push({ method, path, headers });
    for (const [, body] of formsOfRoute(name)) shots.push({ method, path, headers, body });
  }
}
const [method, path] = REQUESTS.action;
for (const type of Object.keys(COMMAND_BUDGETS)) {
  for (const [, body] of formsOf(commandOf(type, callId), LIMITS.frameBytes)) {
    shots.push({ method, path, headers: mallory.headers, body });
  }
}
for (const name of PRODUCT_REQUESTS) {
  const user_id = userFor(name);
  const token =
    user_id === null ? '' : (await answerOf(await fetch(`${url}/auth/login`, json({ user_id })))).body.token;
  for (const form of hostileForms(name, token)) {
    const { type = 'application/json', body } = form;
    const headers = {
      'idempotency-key': 'hostile-request',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(form.token === '' ? {} : { authorization: `Bearer ${form.token}` }),
    };
    shots.push({ method: form.method, path: form.path, headers, ...(body === undefined ? {} : { body }) });
  }
}
const statuses = new Map<number, number>();
const fired = shots.length;
await Promise.all(
  Array.from({ length: AT_ONCE }, async (_, at) => {
    for (let shot = shots.pop(); shot; shot = shots.pop()) {
      const status = await fire(shot);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // The requests sent by HTTP are also sent by the socket, until the server closes it.
      if (at > 0 || typeof shot.body !== 'string') continue;
      if (mallory.closeCode === undefined) mallory.socket.send(shot.body.slice(0, LIMITS.frameBytes));
      else await mallory.connect();
    }
  }),
);
process.send?.({ fired, statuses: [...statuses] });
process.disconnect();
agent.destroy();
process.exit();
