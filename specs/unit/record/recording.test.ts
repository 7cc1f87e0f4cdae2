import { describe, expect, it } from 'vitest';
import { addressRewriter, originFor, websocketOf } from '../../../sim/record/addresses.ts';
import { passedOn } from '../../../sim/record/upstream.ts';
import { Recording } from '../../../sim/record/recording.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { traceLine } from '../../../sim/scenario/trace/masked-trace.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

function recording() {
  const kept: TraceEvent[] = [];
  let now = 1_000;
  const made = new Recording({ now: () => (now += 1), keep: (event) => kept.push(event) });
  const nothing = { bytes: 0 };
  const login = (clientId: string, user: string) =>
    made.request(
      { method: 'POST', url: `/v1/users/${user}/login`, headers: { [HEADERS.clientId]: clientId } },
      nothing,
    );
  const channel = (clientId: string) => {
    const opened = made.channel(`/v1/realtime?session_token=s-secret&client_id=${clientId}&version=1`);
    if (!opened) throw new Error('no channel');
    return opened;
  };
  const devices = () => kept.map((event) => ('device' in event ? event.device : ''));
  return { made, kept, login, channel, devices, text: () => kept.map(traceLine).join('\n') };
}

const body = (value: unknown) => {
  const text = JSON.stringify(value);
  return { bytes: text.length, text };
};

describe('clients', () => {
  it('are named after their users, and simultaneous ones as devices of the user', () => {
    const { login, channel, devices } = recording();
    login('one', 'alice');
    channel('one');
    login('two', 'alice');
    channel('two');
    login('three', 'bob%40home');
    expect(devices()).toEqual(['alice', 'alice', 'alice.device2', 'alice.device2', 'bob_home']);
  });

  it('that follow a closed client have its name, for example a reloaded page', () => {
    const { login, channel, devices, made } = recording();
    login('one', 'alice');
    channel('one').closed(1006);
    login('two', 'alice');
    expect(devices().at(-1)).toBe('alice');
    expect(made.clients).toBe(2);
  });

  it('keep their name when their channel returns', () => {
    const { login, channel, devices } = recording();
    login('one', 'alice');
    channel('one').closed(1006);
    channel('one');
    login('two', 'alice');
    expect(devices().slice(-2)).toEqual(['alice', 'alice.device2']);
  });

  it('are recognised on a server whose paths begin with another path, as for a script', () => {
    const { made, kept, devices } = recording();
    const headers = { [HEADERS.clientId]: 'one' };
    made.request({ method: 'POST', url: '/scripts/decline/v1/users/carol/login', headers }, { bytes: 0 });
    made.channel('/scripts/decline/v1/realtime?client_id=one');
    expect(devices()).toEqual(['carol', 'carol']);
    expect(kept[0]).toMatchObject({ request: 'POST /v1/users/carol/login' });
  });

  it('that signed in before the recording have names, and users with similar names are distinguished', () => {
    const { login, channel, devices } = recording();
    channel('old');
    login('one', 'a%20b');
    login('two', 'a_b');
    login('three', '7up');
    expect(devices()).toEqual(['client1', 'a_b', 'a_b-2', 'user_7up']);
  });
});

describe('the recorded content', () => {
  it('has every message, in the form of a trace, with its sdp unpacked', () => {
    const { login, channel, kept } = recording();
    login('one', 'alice');
    const { up, down, closed } = channel('one');
    const sdp = packSdp('v=0\r\no=- 1 2 IN IP4 192.0.2.7\r\na=ice-pwd:hush\r\na=mid:0\r\n');
    up(JSON.stringify({ version: 1, request_id: 'r', cmd: 'SGNL', type: 'offer', payload: { call_id: 'c', sdp } }));
    down(
      JSON.stringify({
        request_id: 'r',
        type: 'offer_ack',
        error: { code: ErrorCode.ERR_INVALID_CALL_STATUS, message: '' },
      }),
    );
    up('no json');
    closed(4000);
    closed(1006);
    expect(kept.slice(1)).toEqual([
      { at: 2, kind: 'socket', device: 'alice', what: 'open' },
      {
        at: 3,
        kind: 'message',
        device: 'alice',
        direction: 'up',
        cmd: 'offer',
        payload: { call_id: 'c', session: ['v=0', 'a=mid:0'] },
      },
      {
        at: 4,
        kind: 'message',
        device: 'alice',
        direction: 'down',
        cmd: 'offer_ack',
        payload: undefined,
        error: ErrorCode.ERR_INVALID_CALL_STATUS,
      },
      { at: 5, kind: 'message', device: 'alice', direction: 'up', cmd: '?', payload: undefined },
      { at: 6, kind: 'socket', device: 'alice', what: 'close', code: 4000 },
    ]);
  });

  it('has no token, password, relay credential or address, at any position', () => {
    const { made, login, channel, text } = recording();
    login('one', 'alice')(
      200,
      body({ sbcall_session_token: 's-secret', user: { user_id: 'alice' }, cookies: 's-secret' }),
    );
    const headers = { [HEADERS.clientId]: 'one', [HEADERS.sessionToken]: 's-secret', authorization: 'Bearer s-secret' };
    made.request({ method: 'DELETE', url: '/v1/users/alice/push/apns/s-secret?x=s-secret', headers }, { bytes: 0 });
    const sdp = packSdp(
      'v=0\r\nc=IN IP4 192.0.2.7\r\na=ice-pwd:s-secret\r\na=candidate:1 1 udp 1 192.0.2.7 9 typ host\r\n',
    );
    made.request(
      { method: 'POST', url: '/v1/action/direct_call', headers },
      body({ type: 'offer', cmd: 'SGNL', payload: { call_id: 'c', sdp } }),
    );
    for (const place of ['/scripts/decline', '/scripts/v1', '/api/v1/'])
      made.request({ method: 'DELETE', url: `${place}/v1/users/alice/push/apns/s-secret`, headers }, { bytes: 0 });
    made.failed(
      { method: 'POST', url: '/v1/users/alice/push/apns/s-secret', headers },
      '192.0.2.7:1 cannot be reached',
    );
    const { up, down } = channel('one');
    const turn_credential = {
      username: 's-secret',
      password: 's-secret',
      turn_urls: ['turn:192.0.2.7'],
      urls: 'turns:x.s-secret',
      credential: 's-secret',
    };
    down(JSON.stringify({ type: 'dial', payload: { call_id: 'c', turn_credential, short_lived_token: 's-secret' } }));
    up(
      JSON.stringify({
        type: 'candidate',
        payload: { candidate: { sdp: 'candidate:1 1 udp 1 192.0.2.7 9 typ host' } },
      }),
    );
    up(
      JSON.stringify({
        type: 'other',
        payload: {
          text: 'v=0\r\na=ice-pwd:s-secret\r\na=rtcp:9 IN IP4 192.0.2.7',
          jwt: 'eyJhbGciOi.eyJzdWIi.s-secret',
        },
      }),
    );
    const written = text();
    expect(written).not.toMatch(/s-secret|192\.0\.2/);
    expect(written).toContain('"session":["v=0"]');
    expect(written).toContain('DELETE /v1/users/alice/push/apns/***');
  });

  it('omits preflight requests, binary content, other websockets, and everything after the end', () => {
    const { made, kept } = recording();
    const headers = { [HEADERS.clientId]: 'one' };
    made.request({ method: 'OPTIONS', url: '/v1/users/alice/login', headers }, { bytes: 0 })(204, { bytes: 0 });
    expect(made.channel('/ws/events')).toBeUndefined();
    made.request({ method: 'GET', url: '/portraits/alice.svg', headers: {} }, { bytes: 0 })(200, { bytes: 4096 });
    expect(kept.map((event) => (event.kind === 'http' ? [event.device, event.body] : []))).toEqual([
      ['client', undefined],
      ['client', '(4096 bytes)'],
    ]);
    made.end();
    made.request({ method: 'GET', url: '/x', headers }, { bytes: 0 });
    expect(kept).toHaveLength(2);
  });
});

describe('addresses', () => {
  const http = new URL('https://calls.example/api');
  const own = new URL('http://127.0.0.1:4000');
  const rewrite = addressRewriter({ http, websocket: new URL('wss://ws.calls.example') }, own);

  it('of the server become those of the recorder, also with escaped slashes; others stay', () => {
    expect(rewrite('{"a":"https://calls.example/api/v1","b":"https:\\/\\/calls.example\\/api\\/v1"}')).toBe(
      '{"a":"http://127.0.0.1:4000/v1","b":"http:\\/\\/127.0.0.1:4000\\/v1"}',
    );
    expect(rewrite('wss://ws.calls.example/v1/realtime')).toBe('ws://127.0.0.1:4000/v1/realtime');
    for (const other of [
      'https://calls.example/apiary',
      'https://calls.example.org/api',
      'https://calls.example:8443/api',
      'wss://calls.example/api',
    ])
      expect(rewrite(other)).toBe(other);
  });

  it('of a websocket host without a name are treated as equal', () => {
    expect(websocketOf(http).href).toBe('wss://calls.example/api');
    expect(websocketOf(new URL('http://127.0.0.1:4870')).href).toBe('ws://127.0.0.1:4870/');
  });

  it('of a page that was loaded through the recorder become those of the server', () => {
    expect(originFor('http://127.0.0.1:4000', own, http)).toBe('https://calls.example');
    expect(originFor('http://localhost:4871', own, http)).toBe('http://localhost:4871');
  });

  it('in headers for the next hop are not forwarded, also in those that the connection header names', () => {
    expect(
      passedOn(
        { connection: 'keep-alive, x-mine', 'x-mine': '1', te: 'trailers', upgrade: 'h2c', host: 'a', accept: '*/*' },
        ['host'],
      ),
    ).toEqual({ accept: '*/*' });
  });
});
