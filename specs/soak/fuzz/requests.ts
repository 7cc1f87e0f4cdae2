/** Requests over HTTP: method and target in the first line, the body below. To the calling service, or to the product. */
import { parseBoundedJson } from '../../../sim/server/bounded-json.ts';
import { targetOf } from '../../../sim/server/target.ts';
import { CALLING_ROUTES } from '../../../sim/exchange/http/routes.ts';
import { toJsonSchema } from '@valibot/to-json-schema';
import { endpointOf } from '../../../src/protocol/product/api.ts';
import type { HttpResponse, RequestHead, Admission } from '../../../sim/http/request.ts';
import { REQUESTS } from '../../contract/exchange/hostile-calls.ts';
import { pathOf, PRODUCT_REQUESTS } from '../../contract/exchange/hostile-requests.ts';
import { createExchangeFixture } from '../../unit/exchange/exchange-fixture.ts';
import { openStage } from '../../unit/product/support/stage.ts';
import { openTestDatabase } from '../../unit/product/support/test-database.ts';
import { exampleOf } from './example.ts';
import { answerFault, faultOf, type FuzzTarget, type FuzzWorld, loggedFault } from './target.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
const LINE_END = 0x0a;
const WORLD_INPUTS = 500;

interface Api {
  admit(head: RequestHead): Promise<Admission | HttpResponse> | Admission | HttpResponse;
  http(request: RequestHead & { readonly body: unknown }): Promise<HttpResponse>;
}

/** Reads an input as the server reads a request: method, target and body. */
function requestOf(input: Buffer) {
  const end = input.indexOf(LINE_END);
  const line = input.subarray(0, end < 0 ? input.length : end).toString('latin1');
  const [method = '', ...target] = line.split(' ');
  return {
    method: METHODS.includes(method) ? method : 'POST',
    ...targetOf({ url: target.join('%20') || '/' }),
    bytes: end < 0 ? Buffer.alloc(0) : input.subarray(end + 1),
  };
}

/** Sends an input to an API. Returns the fault of the answer. */
async function ask(api: Api, input: Buffer, headers: Readonly<Record<string, string>>): Promise<string | null> {
  const { method, path, query, bytes } = requestOf(input);
  const head: RequestHead = { method, path, query: Object.fromEntries(query), headers, address: '192.0.2.1' };
  try {
    const admission = await api.admit(head);
    if ('status' in admission) return answerFault(admission);
    if (bytes.length > admission.maxBytes) return null;
    let body: unknown;
    try {
      body = bytes.length === 0 ? undefined : parseBoundedJson(bytes);
    } catch (error) {
      return error instanceof SyntaxError ? null : faultOf('the reader of JSON throws', error);
    }
    return answerFault(await api.http({ ...head, body }));
  } catch (error) {
    return faultOf('the API throws', error);
  }
}

async function openCalling(): Promise<FuzzWorld> {
  const fixture = createExchangeFixture({ settings: { requestFactor: 1e9 } });
  const carol = await fixture.device('carol');
  const { exchange } = fixture;
  const api: Api = { admit: (head) => exchange.admit(head), http: (request) => exchange.http(request) };
  return {
    async feed(input) {
      const fault = await ask(api, input, carol.headers);
      return fault ?? loggedFault(fixture.log.splice(0));
    },
    async close() {
      exchange.close();
      return null;
    },
  };
}

async function openProduct(): Promise<FuzzWorld> {
  const database = await openTestDatabase(':memory:');
  const stage = await openStage(database);
  const api: Api = { admit: (head) => stage.product.admit(head), http: (request) => stage.product.http(request) };
  let sent = 0;
  return {
    async feed(input) {
      sent += 1;
      // The rate limits refill, so that they do not refuse every further input.
      stage.clock.advance(1_000);
      const user = sent % 2 === 0 ? 'kai' : 'mei';
      const headers = { authorization: `Bearer ${stage.tokenOf(user)}`, 'idempotency-key': `fuzz-${sent}-0000` };
      const fault = await ask(api, input, headers);
      // An input may end the session.
      const isSignedIn = (await stage.ask(user, 'GET', '/profile')).status !== 401;
      if (!isSignedIn) await stage.signIn(user);
      return fault ?? loggedFault(stage.fixture.log.splice(0));
    },
    async close() {
      stage.close();
      await database.db.destroy();
      return null;
    },
  };
}

const requestText = (method: string, path: string, body?: unknown): Buffer =>
  Buffer.from(`${method} ${path}\n${body === undefined ? '' : JSON.stringify(body)}`);

const callingSeeds = CALLING_ROUTES.flatMap((name) => {
  const [method, path, ...bodies] = REQUESTS[name];
  return bodies.length === 0 ? [requestText(method, path)] : bodies.map((body) => requestText(method, path, body));
}).filter(({ length }) => length < 16 * 1024);

const productSeeds = PRODUCT_REQUESTS.map((name) => {
  const { method, body } = endpointOf(name);
  const schema = body && toJsonSchema(body, { errorMode: 'ignore', typeMode: 'input' });
  return requestText(method, pathOf(name, 'mei'), schema ? exampleOf(schema) : undefined);
});

export const CALLING: FuzzTarget = {
  name: 'calling requests',
  share: 0.2,
  seeds: callingSeeds,
  open: openCalling,
  worldInputs: WORLD_INPUTS,
};

export const PRODUCT: FuzzTarget = {
  name: 'product requests',
  share: 0.06,
  seeds: productSeeds,
  open: openProduct,
  worldInputs: WORLD_INPUTS,
};
