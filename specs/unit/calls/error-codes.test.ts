/**
 * Each error of requests, parameters, the session and hold, raised by its real cause. Number, public name, message and
 * parameter are those of the specification (§8) and of the public names.
 */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/calls/client/client.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import type { Answer } from '../../../sim/faults/message.ts';
import { ScriptedExchange } from '../virtual/scripted-exchange.ts';
import { callWorld } from './support/call-world.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const VOICE = { isVideoCall: false, callOption: {} };
const HOSTS = {
  defaultApiHost: 'http://exchange.test',
  defaultWebsocketHost: 'ws://exchange.test',
  parts: loadedParts(),
};
const USER = { user_id: 'alice', nickname: '', profile_url: '', metadata: {}, is_active: true };
const LOGIN = { sbcall_session_token: 'token', user: USER, stats_interval: 3 };

/** The parts of an error that hosts see. */
const seen = (error: unknown) => {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  return { code: error.code, name: error.name, message: error.message, param: 'param' in error ? error.param : null };
};
const raised = (code: number, name: string, message: string, param?: string) => ({ code, name, message, param });

/** A client of an exchange whose answers the test sets. */
function scripted() {
  const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
  const platform = world.platform('alice');
  const client = createClient(platform, HOSTS);
  const { exchange } = world;
  client.init('ringback-demo');
  const attempt = async (act: () => Promise<unknown>, ms = 100) => {
    const outcome = act().then(() => 'nothing was raised', seen);
    await world.advance(ms);
    return outcome;
  };
  const signIn = async (answer: Answer = { status: 200, body: LOGIN }, ms = 100) => {
    exchange.answer = () => answer;
    return attempt(() => client.authenticate({ userId: 'alice' }), ms);
  };
  const connect = (ms = 100) => attempt(() => client.connectWebSocket(), ms);
  const dial = async (ms = 100) => {
    const errors: unknown[] = [];
    client.dial({ userId: 'bob', ...VOICE }, (_call, error) => errors.push(error && seen(error)));
    await world.advance(ms);
    return errors;
  };
  return { world, platform, client, exchange, signIn, connect, dial };
}

const REQUEST_FAILED = raised(1800200, 'ERR_REQUEST_FAILED', 'The http request failed.');
const NOT_OPENED = raised(1800201, 'ERR_WEBSOCKET_CONNECTION_NOT_OPENED', 'Websocket connection not established.');
const CONNECTION_FAILED = raised(1800202, 'ERR_WEBSOCKET_CONNECTION_FAILED', 'Websocket connection failed.');
const NO_RESPONSE = raised(
  1800203,
  'ERR_NO_RESPONSE_DUE_TO_TIMEOUT',
  'The request failed to receive a response due to timeout.',
);
const WRONG_RESPONSE = raised(
  1800205,
  'ERR_WRONG_RESPONSE',
  'The response contains an unexpected object type of data.',
);
const NOT_AUTHENTICATED = raised(1800303, 'USER_NOT_AUTHENTICATED', 'The user is not authenticated.');

describe('requests', () => {
  it('ERR-1800200 HTTP-31: no answer, or a status without a code', async () => {
    const { platform, signIn } = scripted();
    expect(await signIn({ status: 404, body: '<html></html>' })).toEqual(REQUEST_FAILED);
    expect(await signIn({ status: 503 })).toEqual(REQUEST_FAILED);
    platform.net.setHttp('down');
    expect(await signIn()).toEqual(REQUEST_FAILED);
  });

  it('ERR-1800201 RT-06: a dial before the channel was ever open', async () => {
    const { signIn, dial } = scripted();
    await signIn();
    expect(await dial()).toEqual([NOT_OPENED]);
  });

  it('ERR-1800202 RT-06: a channel that cannot be opened', async () => {
    const { platform, signIn, connect, client } = scripted();
    await signIn();
    platform.net.setSockets('down');
    expect(await connect()).toEqual(CONNECTION_FAILED);
    client.deauthenticate();
  });

  it('ERR-1800203 RT-05: no answer in 60 s, over HTTP or the channel', async () => {
    const { platform, exchange, signIn, connect, dial } = scripted();
    platform.net.setHttp('stalled');
    expect(await signIn(undefined, 60_000)).toEqual(NO_RESPONSE);
    platform.net.setHttp('up');
    await signIn();
    await connect();
    exchange.command = (command, connection) => {
      if (command.type === 'heartbeat') connection.reply(command, {});
    };
    expect(await dial(60_000)).toEqual([NO_RESPONSE]);
  });

  it('ERR-1800205 HTTP-33: an answer of another shape, over HTTP or the channel, or to another command', async () => {
    const { exchange, signIn, connect, dial } = scripted();
    for (const body of [{ ok: true }, [], null, 'text', { ...LOGIN, stats_interval: '3' }]) {
      expect(await signIn({ status: 200, body: JSON.stringify(body) })).toEqual(WRONG_RESPONSE);
    }
    await signIn();
    await connect();
    for (const answer of [
      { payload: { call_id: 7 } },
      { payload: undefined },
      { type: 'end_ack', payload: { call_id: 'c1' } },
    ]) {
      exchange.command = ({ request_id, cmd, type }, connection) =>
        connection.send({ version: 1, request_id, cmd, type: `${type}_ack`, ...answer });
      expect(await dial()).toEqual([WRONG_RESPONSE]);
    }
  });

  it('ERR-1800207 HTTP-30: the exchange answers with status 500', async () => {
    const { signIn } = scripted();
    expect(await signIn({ status: 500, body: { code: 1400999, message: 'no' } })).toEqual(
      raised(1800207, 'INTERNAL_SERVER_ERROR', 'An internal server error has occurred.'),
    );
  });

  it('ERR-1800208 HTTP-29: an answer that cannot be read, or a redirect', async () => {
    const { signIn } = scripted();
    const malformed = raised(1800208, 'ERR_MALFORMED_DATA', 'The data format of the response is invalid.');
    for (const answer of [
      { status: 200, body: '<html></html>' },
      { status: 200, body: '' },
      { status: 200, body: '{"ok":' },
      { status: 302 },
      { status: 200, body: LOGIN, redirected: true },
    ]) {
      expect(await signIn(answer), JSON.stringify(answer)).toEqual(malformed);
    }
  });

  it('ERR-1400999 HTTP-32: an error code of the exchange is raised as that code, with its message or its name', async () => {
    const { exchange, signIn, connect, dial } = scripted();
    expect(await signIn({ status: 429, body: { code: 1400999, message: 'Too many logins.' } })).toEqual(
      raised(1400999, 'ERR_SERVER_INTERNAL_ERROR', 'Too many logins.'),
    );
    expect(await signIn({ status: 400, body: { code: 400111, message: 'missing' } })).toEqual(
      raised(400111, 'CallError', 'missing'),
    );
    await signIn();
    await connect();
    exchange.command = ({ request_id, cmd, type }, connection) =>
      connection.send({
        version: 1,
        request_id,
        cmd,
        type: `${type}_ack`,
        error: { code: 1400999, message: '' },
      });
    expect(await dial()).toEqual([raised(1400999, 'ERR_SERVER_INTERNAL_ERROR', '')]);
  });
});

describe('parameters and the session', () => {
  it('ERR-1800300 ERR-1800301: an empty parameter, or one of the wrong type, with its name', async () => {
    const { client, signIn, world } = scripted();
    await signIn();
    const dial = (more: object) => {
      try {
        return client.dial({ userId: 'bob', ...VOICE, ...more });
      } catch (error) {
        return seen(error);
      }
    };
    const before = world.network.trace.length;
    expect(dial({ userId: '' })).toEqual(
      raised(1800300, 'INVALID_PARAMETER_VALUE', 'userId is an invalid or empty value.', 'userId'),
    );
    expect(dial({ isVideoCall: 'yes' })).toEqual(
      raised(1800301, 'INVALID_PARAMETER_TYPE', 'The data type of isVideoCall is invalid.', 'isVideoCall'),
    );
    expect(dial({ userId: 'alice' })).toEqual(
      raised(1800101, 'MY_USER_ID_NOT_ALLOWED', "The caller can't dial their own user ID."),
    );
    expect(world.network.trace).toHaveLength(before);
  });

  it('ERR-1800302: no initialisation', async () => {
    const { platform } = scripted();
    const client = createClient(platform, HOSTS);
    await expect(client.connectWebSocket().catch(seen)).resolves.toEqual(
      raised(1800302, 'INSTANCE_NOT_INITIALIZED', 'Call instance not initialized.'),
    );
  });

  it('ERR-1800303: no authentication, or a session that the exchange refuses', async () => {
    const { exchange, signIn, connect, dial } = scripted();
    expect(await connect()).toEqual(NOT_AUTHENTICATED);
    await signIn();
    exchange.admit = () => ({ status: 401 });
    exchange.answer = () => ({ status: 401, body: { code: 1800303, message: '' } });
    expect(await connect()).toEqual(NOT_AUTHENTICATED);
    exchange.admit = () => undefined;
    await signIn();
    await connect();
    exchange.command = ({ request_id, cmd, type }, connection) =>
      connection.send({ version: 1, request_id, cmd, type: `${type}_ack`, error: { code: 1800303, message: '' } });
    exchange.answer = () => ({ status: 401, body: { code: 1800303, message: '' } });
    expect(await dial()).toEqual([NOT_AUTHENTICATED]);
  });
});

describe('calls', () => {
  it('ERR-1800100 DC-57: a call that is ended before the exchange has answered', async () => {
    const world = await callWorld();
    const [alice] = [await world.party('alice'), await world.party('bob')];
    const errors: unknown[] = [];
    const call = alice.client.dial({ userId: 'bob', ...VOICE }, (_call, error) => errors.push(error && seen(error)));
    call.end();
    await world.settle();
    expect(errors).toEqual([raised(1800100, 'DIAL_CANCELED', 'Call canceled before receiving a callback.')]);
  });

  it('ERR-1800801 ERR-1800802 ERR-1800803 HOLD-02 HOLD-03 HOLD-04: a second hold, unhold without a hold, unhold beside another call', async () => {
    const world = await callWorld();
    const [alice, bob, carol] = [await world.party('alice'), await world.party('bob'), await world.party('carol')];
    const first = alice.dial('bob', VOICE);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect(await first.unhold().catch(seen)).toEqual(
      raised(
        1800802,
        'ERR_ACTIVE_CALL_IN_PROGRESS',
        "The active call is in progress, so it cannot be removed from hold because it isn't on hold.",
      ),
    );
    await world.done(first.hold());
    expect(await first.hold().catch(seen)).toEqual(
      raised(1800801, 'ERR_CALL_ALREADY_ON_HOLD', 'The call is already on hold.'),
    );
    alice.dial('carol', { ...VOICE, holdActiveCall: true });
    await world.settle();
    carol.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect(await first.unhold().catch(seen)).toEqual(
      raised(
        1800803,
        'ERR_ANOTHER_CALL_IN_PROGRESS',
        "Another call is in progress, so a hold can't be removed from another call.",
      ),
    );
    expect([first.isOnHold, bob.rung().isOnHold]).toEqual([true, true]);
  });
});
