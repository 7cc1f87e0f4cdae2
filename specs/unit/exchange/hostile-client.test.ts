/**
 * Messages of a broken or hostile client. Each is answered with its code, nothing throws, and the calls of others
 * continue.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogueEntry, ErrorCode } from '../../../src/protocol/errors.ts';
import { CANDIDATE, CONNECTION, createExchangeFixture, PACKED, type Device } from './exchange-fixture.ts';

const golden: { type: string; cmd: string; payload: Record<string, unknown> }[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/wire/commands.json', import.meta.url), 'utf8'),
);
/** A budget that no test here exhausts. */
const AMPLE = { burst: 1e9, perSecond: 1 };
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Two users in a call, and a third user in no call. */
async function inCall() {
  const fixture = createExchangeFixture({ settings: { messages: AMPLE, sent: AMPLE } });
  const [alice, bob, mallory] = [
    await fixture.device('alice'),
    await fixture.device('bob'),
    await fixture.device('carol'),
  ];
  const call_id = alice.dial('bob');
  bob.accept(call_id);
  return { fixture, alice, bob, mallory, call_id };
}

/** The two users of the call still reach each other: a message of one arrives at the other. */
function livesOn({ alice, bob, call_id }: { alice: Device; bob: Device; call_id: string }): void {
  const heard = bob.events.length;
  expect(alice.code('audio', { call_id, is_enabled: false })).toBe(0);
  expect(bob.events.length).toBe(heard + 1);
  expect(bob.event('audio')).toEqual({ call_id, is_enabled: false });
}

describe('descriptions', () => {
  const damaged = (change: (bytes: Buffer) => Buffer | void) => {
    const bytes = gzipSync('v=0\r\n'.repeat(200));
    return base64(change(bytes) ?? bytes);
  };

  it.each([
    ['no base64', '!!!!', 'the sdp is not base64'],
    ['no gzip', base64(Buffer.from('v=0 in the clear')), 'incorrect header check'],
    ['a bad block', damaged((bytes) => void bytes.writeUInt8(0x07, 10)), 'invalid block type'],
    ['half of it', damaged((bytes) => bytes.subarray(0, bytes.length / 2)), 'the compressed sdp is cut short'],
    ['a wrong checksum', damaged((bytes) => void bytes.writeUInt8(1, bytes.length - 5)), 'incorrect data check'],
    ['a bomb', base64(gzipSync(Buffer.alloc(16 * 1024 * 1024))), 'the sdp inflates past its bound'],
    ['no UTF-8', base64(gzipSync(Buffer.from([0xff, 0xfe]))), 'the sdp is not UTF-8'],
  ])(
    'PAY-19 B42: one packed as %s is refused with 1800208 and its message, and the other side gets nothing',
    async (_, sdp, why) => {
      const all = await inCall();
      const heard = all.bob.events.length;
      const { error } = all.alice.send('offer', { call_id: all.call_id, sdp });
      expect(error).toEqual({ code: ErrorCode.ERR_MALFORMED_DATA, message: why });
      expect(all.bob.events).toHaveLength(heard);
      livesOn(all);
    },
  );

  it('B42 D25: one that is too large is refused with 1800300 and named', async () => {
    const all = await inCall();
    const { error } = all.alice.send('offer', { call_id: all.call_id, sdp: 'A'.repeat(33 * 1024) });
    expect(error).toMatchObject({
      code: ErrorCode.INVALID_PARAMETER_VALUE,
      message: expect.stringContaining('payload.sdp'),
    });
    livesOn(all);
  });
});

describe('calls of other users', () => {
  it('B46 B47 S20: every command about such a call gets exactly the answer of an unknown call', async () => {
    const all = await inCall();
    const { mallory, call_id } = all;
    const about = golden.filter(({ payload }) => 'call_id' in payload);
    expect(about.length).toBeGreaterThan(15);
    for (const { type, payload } of about) {
      const sdp = 'sdp' in payload ? { sdp: PACKED } : {};
      const answers = [call_id, 'there-is-none', '__proto__'].map(
        (id) => mallory.send(type as never, { ...payload, ...sdp, call_id: id } as never).error,
      );
      expect(answers, type).toEqual([0, 1, 2].map(() => ({ code: ErrorCode.ERR_CALL_DOES_NOT_EXIST, message: '' })));
    }
    livesOn(all);
  });

  it('B45: each side may send only its kind of description: the other is refused, and the call does not change', async () => {
    const all = await inCall();
    const { alice, bob, call_id } = all;
    expect(bob.code('offer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(alice.code('answer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(alice.accept(call_id)).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(alice.code('decline', { call_id })).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(bob.code('cancel', { call_id })).toBe(ErrorCode.ERR_NO_PERMISSION);
    livesOn(all);
  });

  it('B45: messages of a later part of the call are refused while it rings', async () => {
    const fixture = createExchangeFixture();
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = alice.dial('bob');
    expect(alice.code('offer', { call_id, sdp: PACKED })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(alice.code('candidate', { call_id, candidate: CANDIDATE })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(alice.code('connected', { call_id, connection: CONNECTION, reconnect: false })).toBe(
      ErrorCode.ERR_INVALID_CALL_STATUS,
    );
    expect(alice.code('hold', { call_id, is_on_hold: true, was_relayed: false })).toBe(
      ErrorCode.ERR_INVALID_CALL_STATUS,
    );
    expect(bob.code('audio', { call_id, is_enabled: true })).toBe(ErrorCode.ERR_INVALID_CALL_STATUS);
    expect(bob.types).toEqual(['dial']);
    expect(bob.accept(call_id)).toBe(0);
  });
});

describe('candidates', () => {
  it('B44: a hundred of five thousand are forwarded, and the log has none of them', async () => {
    const all = await inCall();
    const { alice, bob, call_id, fixture } = all;
    const codes = new Map<number, number>();
    for (let at = 0; at < 5_000; at += 1) {
      const candidate = { ...CANDIDATE, sdp: `candidate:${at} 1 udp 1 203.0.113.77 9 typ host` };
      const code = alice.code('candidate', { call_id, candidate });
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect([...codes]).toEqual([
      [0, 100],
      [ErrorCode.INVALID_PARAMETER_VALUE, 4_900],
    ]);
    expect(bob.types.filter((type) => type === 'candidate')).toHaveLength(100);
    expect(JSON.stringify(fixture.log)).not.toContain('203.0.113');
    livesOn(all);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['8 KB', { ...CANDIDATE, sdp: 'x'.repeat(8_192) }],
    ['a line below zero', { ...CANDIDATE, sdp_mline_index: -1 }],
    ['a line without end', { ...CANDIDATE, sdp_mline_index: 1e9 }],
    ['a text for its line', { ...CANDIDATE, sdp_mline_index: '0' }],
    ['a number for its mid', { ...CANDIDATE, sdp_mid: 0 }],
  ])('B44 B48: one that is %s is refused with 1800300, and named', async (_, candidate) => {
    const all = await inCall();
    const { error } = all.alice.send('candidate', { call_id: all.call_id, candidate } as never);
    expect(error).toMatchObject({
      code: ErrorCode.INVALID_PARAMETER_VALUE,
      message: expect.stringContaining('payload.candidate'),
    });
    livesOn(all);
  });
});

describe('every field of every command', () => {
  const strange = ['yes', '', 1, -1, 1e308, null, true, [], {}, 'x'.repeat(40_000), '__proto__', ['a', { b: 1 }]];
  const fields = golden.flatMap(({ type, cmd, payload }) =>
    [...Object.keys(payload), '__proto__', 'constructor', 'unknown'].map((field) => ({ type, cmd, payload, field })),
  );

  it('B34 B38 B48: with any other value gets an answer of the catalogue, throws nothing and affects no other call', async () => {
    const all = await inCall();
    const { mallory, call_id } = all;
    let sent = 0;
    for (const { type, cmd, payload, field } of fields) {
      for (const value of strange) {
        sent += 1;
        const id = `strange-${sent}`;
        const changed = JSON.stringify({ ...payload, call_id, PLACE: value }).replace('"PLACE"', JSON.stringify(field));
        mallory.receive(`{"version":1,"request_id":"${id}","cmd":"${cmd}","type":"${type}","payload":${changed}}`);
        const reply = mallory.replies.at(-1);
        expect(reply?.request_id, `${type}.${field}`).toBe(id);
        if (reply?.error) expect(catalogueEntry(reply.error.code), String(reply.error.code)).toBeDefined();
      }
    }
    expect(sent).toBeGreaterThan(500);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(mallory.closes).toEqual([]);
    livesOn(all);
  });
});

describe('random input', () => {
  const frame = fc.constantFrom(...golden);
  const payload = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
  const text = fc.oneof(
    fc.string(),
    fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
    fc
      .tuple(frame, payload, fc.jsonValue({ maxDepth: 1 }))
      .map(([{ cmd, type, payload: right }, wrong, id]) =>
        JSON.stringify({ version: 1, request_id: id, cmd, type, payload: { ...right, ...wrong } }),
      ),
    fc.tuple(frame, fc.nat(), fc.string({ maxLength: 4 })).map(([whole, at, dirt]) => {
      const said = JSON.stringify({ ...whole, version: 1, request_id: 'r' });
      const place = at % said.length;
      return said.slice(0, place) + dirt + said.slice(place + dirt.length);
    }),
  );

  it('I23 S18 S20: throws nothing on the channel, is answered from the catalogue or logged, and affects no other user', async () => {
    const all = await inCall();
    const { mallory } = all;
    fc.assert(
      fc.property(text, (message) => {
        const before = mallory.replies.length;
        mallory.receive(message);
        for (const { error } of mallory.replies.slice(before)) {
          if (error) expect(catalogueEntry(error.code)).toBeDefined();
        }
      }),
      { numRuns: 3_000, seed: 20260101 },
    );
    expect(mallory.closes).toEqual([]);
    livesOn(all);
  });

  it('I23 S19: is answered over HTTP with a status, a code and a message, and never with the cause of the failure', async () => {
    const all = await inCall();
    const { fixture, mallory } = all;
    const paths = [
      '/v1/users/carol/login',
      '/v1/action/direct_call',
      '/v1/direct_calls/missed_signal',
      '/v1/direct_calls/x/summary',
      '/v1/direct_calls/x/custom_items',
      '/v1/users/carol/calls',
      '/v1/users/carol/push/fcm_voip',
      '/v1/sdk/logs',
      '/v1/sdk/debug_logs',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
        fc.oneof(
          fc.jsonValue({ maxDepth: 3 }),
          fc.tuple(frame, payload).map(([right, wrong]) => ({ ...right, ...wrong })),
        ),
        fc.dictionary(fc.constantFrom('call_ids', 'limit', 'next', 'role', 'start_ts', '__proto__'), fc.string()),
        async (path, method, body, query) => {
          const answer = await fixture.http(method, path, { headers: mallory.headers, body, query });
          expect(answer.status).toBeLessThan(500);
          if (answer.status < 400) return;
          expect(answer.body).toEqual({ code: expect.any(Number), message: expect.any(String) });
          expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|at \/|\.ts\b/);
        },
      ),
      { numRuns: 1_000, seed: 20260101 },
    );
    livesOn(all);
  });
});
