/**
 * Messages of a broken or hostile exchange, or of a hostile other side behind it. The client logs or refuses all of
 * them and never throws. Other calls continue.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { packSdp, unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { callWorld, type Frame, type MediaPeer } from './support/call-world.ts';
import { connected, ringing } from './support/two-people.ts';

const VIDEO = { isVideoCall: true, callOption: {} };

/** An event of the exchange. 0 is the number of an event without a sequence number. */
const event = (cmd: string, type: string, payload: object, more: object = {}) => ({
  version: 1,
  message_id: `injected-${type}`,
  cmd,
  type,
  delivery_info: { channel: 'websocket' },
  sequence_number: 0,
  payload,
  ...more,
});

/** The channel and both calls have not changed, and signals still arrive. */
async function livesOn({ world, alice, bob, call, rung }: Awaited<ReturnType<typeof connected>>) {
  expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
  expect(alice.logged('info').filter((line) => line.includes('realtime channel open'))).toHaveLength(1);
  rung.muteMicrophone();
  await world.settle();
  expect(call.isRemoteAudioEnabled).toBe(false);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('invalid frames', () => {
  it.each([
    ['nothing', ''],
    ['not JSON', '{"version":1,'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '1e999'],
    ['a byte order mark before it', `\uFEFF${JSON.stringify(event('CALL', 'dial_rcv', { call_id: 'x' }))}`],
    ['a million brackets', '['.repeat(1_000_000)],
    ['brackets as deep as a frame is long', `${'['.repeat(32_000)}${']'.repeat(32_000)}`],
    ['B39 more than 64 KiB', JSON.stringify(event('CALL', 'dial_rcv', { call_id: 'x'.repeat(64 * 1024) }))],
  ])('B37 S18: %s is logged with 1800208, and nothing else happens', async (_, text) => {
    const all = await connected();
    all.alice.inject(text);
    await all.world.settle();
    expect(all.alice.errors()).toEqual([expect.stringMatching(/unreadable frame .*"code":1800208/)]);
    await livesOn(all);
  });

  it.each<[string, object | string]>([
    ['an empty object', {}],
    ['no group and no type', { version: 1, message_id: 'm', sequence_number: 0, payload: {} }],
    ['an unknown group', event('ROOT', 'end', { call_id: 'x' })],
    ['an unknown type', event('CALL', 'explode', { call_id: 'x' })],
    ['a type of another group', event('SGNL', 'end', { call_id: 'x' })],
    ['a type that every object has', event('CALL', 'constructor', {})],
    ['a reply without a group', { version: 1, request_id: 'r', type: 'end_ack', payload: {} }],
    ['a reply whose error has no number', { version: 1, request_id: 'r', cmd: 'CALL', type: 'end_ack', error: 'no' }],
    ['B49 no sequence number', event('CALL', 'dial_rcv', { call_id: 'x' }, { sequence_number: undefined })],
    ['B49 a sequence number below zero', event('CALL', 'dial_rcv', { call_id: 'x' }, { sequence_number: -1 })],
    [
      'B49 a sequence number beyond 2^53',
      event('CALL', 'dial_rcv', { call_id: 'x' }, { sequence_number: 2 ** 53 + 1 }),
    ],
    ['B49 another version', event('CALL', 'dial_rcv', { call_id: 'x' }, { version: '999' })],
    ['B48 hold with a text for a flag', event('CALL', 'hold', { call_id: 'x', holded_by: 'bob', is_relayed: 'yes' })],
    ['B48 audio with a number for a flag', event('COMM', 'audio', { call_id: 'x', is_enabled: 1 })],
    ['B44 a candidate that is null', event('SGNL', 'candidate', { call_id: 'x', candidate: null })],
    ['an end without its result', event('CALL', 'end', { call_id: 'x' })],
    ['a payload that is a list', event('CALL', 'dial_rcv', [])],
    [
      'a payload of prototypes alone',
      '{"version":1,"message_id":"m","cmd":"CALL","type":"dial_rcv","delivery_info":{"channel":"websocket"},"sequence_number":0,"payload":{"__proto__":{"call_id":"x","polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ],
  ])('B38 F38: %s is logged with 1800205, and nothing else happens', async (_, frame) => {
    const all = await connected();
    all.alice.inject(
      typeof frame === 'string' ? frame : JSON.stringify(frame).replaceAll('"x"', JSON.stringify(all.call.callId)),
    );
    await all.world.settle();
    expect(all.alice.errors()).toEqual([expect.stringMatching(/unreadable frame .*"code":1800205/)]);
    await livesOn(all);
  });

  it('B37: half a surrogate and a duplicate name are read as JSON reads them', async () => {
    const all = await connected();
    const { callId } = all.call;
    const twice = JSON.stringify(event('CALL', 'end', { call_id: 'other' })).replace(
      '"type":"end"',
      String.raw`"type":"end","type":"dial_rcv","more":"\ud800"`,
    );
    all.alice.inject(twice.replace('"other"', JSON.stringify(callId)));
    await all.world.settle();
    expect(all.alice.errors()).toEqual([]);
    await livesOn(all);
  });

  it('F34: an event about an unknown call, with any id, is ignored', async () => {
    const all = await connected();
    const over = { end_result: 'completed', ended_by: null, ended_at: 1, duration: 1 };
    for (const call_id of ['nobody-knows', '__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      all.alice.inject(event('CALL', 'end', { call_id, ...over }));
      all.alice.inject(event('SGNL', 'offer', { call_id, sdp: 'AAAA' }));
    }
    await all.world.settle();
    expect(all.alice.errors()).toEqual([]);
    await livesOn(all);
  });

  it('B49: a message that comes twice or late is applied once', async () => {
    const { world, alice, call, rung } = await connected();
    const heard: boolean[] = [];
    call.onRemoteAudioSettingsChanged = () => heard.push(call.isRemoteAudioEnabled);
    rung.muteMicrophone();
    await world.settle();
    const [muted] = alice.events('audio').filter(({ payload }) => payload['is_enabled'] === false);
    rung.unmuteMicrophone();
    await world.settle();
    for (let again = 0; again < 10; again += 1) alice.inject(muted ?? {});
    await world.settle();
    expect([heard, call.isRemoteAudioEnabled]).toEqual([[false, true], true]);
  });

  it('B50 B51: times in the year 3000, a negative length and an unknown result are not shown', async () => {
    const { world, alice, call } = await connected();
    const now = world.world.clock.wallTime();
    alice.inject(
      event('CALL', 'end', {
        call_id: call.callId,
        end_result: 'hacked',
        ended_by: null,
        ended_at: Date.UTC(3000, 0, 1),
        duration: -5,
      }),
    );
    await world.settle();
    expect([call.endResult, call.endedBy]).toEqual(['UNKNOWN', null]);
    expect(call.callLog.endedAt).toBe(now);
    expect(call.getDuration()).toBeGreaterThanOrEqual(0);
    expect(call.getDuration()).toBeLessThan(3_000);
  });
});

describe('descriptions of the other side', () => {
  const bomb = () => base64(gzipSync(Buffer.alloc(16 * 1024 * 1024)));
  const damaged = (change: (bytes: Buffer) => Buffer | void) => {
    const bytes = gzipSync('v=0\r\n'.repeat(200));
    return base64(change(bytes) ?? bytes);
  };

  it.each([
    ['no base64', () => '!!!!', /not base64/],
    ['no gzip', () => base64(Buffer.from('v=0 in the clear')), /incorrect header check/],
    ['a bad block', () => damaged((bytes) => void bytes.writeUInt8(0x07, 10)), /invalid block type/],
    ['half of it', () => damaged((bytes) => bytes.subarray(0, bytes.length / 2)), /cut short/],
    ['a wrong checksum', () => damaged((bytes) => void bytes.writeUInt8(1, bytes.length - 5)), /incorrect data check/],
    ['a bomb', bomb, /past its bound/],
    ['two of them', () => base64(Buffer.concat([gzipSync('a'), gzipSync('b')])), /no sound/],
    ['no UTF-8', () => base64(gzipSync(Buffer.from([0xff, 0xfe]))), /not UTF-8/],
  ])('PAY-19 B42: packed as %s are logged with 1800208, and the call ends by its timer', async (_, sdp, why) => {
    const { world, alice, bob, call, rung } = await ringing();
    world.corrupt({ to: 'bob', type: 'offer', sdp: sdp() });
    rung.accept({ callOption: {} });
    await world.advance(30_000);
    expect(bob.errors()[0]).toMatch(/the offer cannot be read .*"code":1800208/);
    expect(bob.errors()[0]).toMatch(why);
    expect([alice.state(call), bob.state(rung)]).toEqual(['established', 'established']);
    await world.advance(31_000);
    expect([call.endResult, rung.endResult]).toEqual(['TIMED_OUT', 'TIMED_OUT']);
  });

  const lines = (change: (lines: string[]) => string[]) => (sdp: string) => change(sdp.split('\r\n')).join('\r\n');
  const hostile: [string, (sdp: string) => string, RegExp][] = [
    ['empty', () => '', /no sound/],
    ['no sdp', () => '<html></html>', /no sound/],
    ['1 MB', () => 'a'.repeat(1024 * 1024), /past its bound/],
    ['ten thousand sections', (sdp) => `${sdp}${'m=audio 9 RTP/AVP 0\r\n'.repeat(10_000)}`, /too many sections/],
    ['a channel for data alone', (sdp) => sdp.replaceAll(/^m=(audio|video)/gm, 'm=application'), /no sound/],
    ['a bare line feed in its ufrag', (sdp) => sdp.replace('a=ice-ufrag:', 'a=ice-ufrag:\na=x:'), /broken lines/],
    ['a bare return in its ufrag', (sdp) => sdp.replace('a=ice-ufrag:', 'a=ice-ufrag:\ra=x:'), /broken lines/],
    ['a NUL', (sdp) => sdp.replace('s=-', 's=\0'), /broken lines/],
    ['no fingerprint', lines((all) => all.filter((line) => !line.startsWith('a=fingerprint'))), /no safe fingerprint/],
    ['a sha-1 fingerprint', (sdp) => sdp.replaceAll('fingerprint:sha-256', 'fingerprint:sha-1'), /no safe fingerprint/],
    ['an md5 fingerprint beside the right one', (sdp) => `${sdp}a=fingerprint:md5 00:11\r\n`, /no safe fingerprint/],
    ['sections that the engine refuses', lines((all) => all.filter((line) => !line.startsWith('a=mid'))), /answering/],
  ];

  const change = (party: MediaPeer, type: string, how: (sdp: string) => string) =>
    party.rewrite((frame: Frame) => {
      if (frame.type !== type || frame.request_id !== undefined) return frame;
      const sdp = packSdp(how(unpackSdp(String(frame.payload['sdp']))));
      return { ...frame, payload: { ...frame.payload, sdp } };
    });

  it.each(hostile)('B43 S31: an offer with %s is refused, and the call ends by its timer', async (_, how, why) => {
    const { world, alice, bob, call, rung } = await ringing();
    change(bob, 'offer', how);
    rung.accept({ callOption: {} });
    await world.advance(59_000);
    expect(bob.errors().join('\n')).toMatch(why);
    expect([alice.state(call), bob.state(rung)]).toEqual(['established', 'established']);
    expect(bob.sent('answer')).toEqual([]);
    await world.advance(2_000);
    expect([call.endResult, rung.endResult]).toEqual(['TIMED_OUT', 'TIMED_OUT']);
  });

  it.each(hostile.filter(([, , why]) => !why.test('answering')))(
    'B43 S31: an answer with %s is refused, and the correct one still accepted',
    async (_, how, why) => {
      const { world, alice, bob, call, rung } = await ringing();
      let left = 1;
      change(alice, 'answer', (sdp) => (left-- > 0 ? how(sdp) : sdp));
      rung.accept({ callOption: {} });
      await world.advance(20_000);
      expect(alice.errors().join('\n')).toMatch(why);
      expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    },
  );

  it('B43: unreachable candidates within it, and an address of zeros, are left to the engine', async () => {
    const { world, alice, bob, call, rung } = await ringing();
    const odd = ['127.0.0.1 9', '169.254.169.254 80', '224.0.0.1 9', '192.0.2.1 0', '192.0.2.1 99999'];
    change(bob, 'offer', (sdp) => sdp + odd.map((end) => `a=candidate:1 1 udp 1 ${end} typ host\r\n`).join(''));
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
  });

  it('B45: an offer to the caller, an unexpected answer, and one for another connection change nothing', async () => {
    const all = await connected();
    const { alice, bob, call, world } = all;
    const { callId } = call;
    const [offer] = bob.events('offer');
    const [answer] = alice.events('answer');
    const about = (frame: Frame | undefined, more: object = {}) => ({
      call_id: callId,
      sdp: frame?.payload['sdp'],
      peer_connection_id: frame?.payload['peer_connection_id'],
      ...more,
    });
    alice.inject(event('SGNL', 'offer', about(offer)));
    alice.inject(event('SGNL', 'offer', about(offer, { peer_connection_id: 'another' })));
    alice.inject(event('SGNL', 'answer', about(answer)));
    alice.inject(event('SGNL', 'answer', about(answer)));
    alice.inject(event('SGNL', 'answer', about(answer, { peer_connection_id: 'another' })));
    bob.inject(event('SGNL', 'answer', about(answer)));
    await world.advance(3_000);
    expect([alice.openPeerConnections(), bob.openPeerConnections()]).toEqual([1, 1]);
    expect(alice.told()).not.toContain('onReconnecting');
    expect(alice.errors().length).toBeGreaterThan(0);
    expect(bob.errors().length).toBeGreaterThan(0);
    await livesOn(all);
  });
});

describe('candidates of the other side', () => {
  it('B44: candidates above the limit are dropped, and their contents are masked', async () => {
    const all = await connected();
    const { bob, rung, world } = all;
    const id = bob.events('offer')[0]?.payload['peer_connection_id'];
    const candidate = (more: object) =>
      event('SGNL', 'candidate', {
        call_id: rung.callId,
        peer_connection_id: id,
        candidate: { sdp: 'candidate:1 1 udp 1 203.0.113.77 9 typ host', sdp_mline_index: 0, sdp_mid: '0', ...more },
      });
    const [connection] = bob.platform.rtc.open;
    for (const strange of [
      { sdp: '' },
      { sdp: 'candidate:1 1 udp 1 203.0.113.77 9 typ host ufrag foreign' },
      { sdp: 'nonsense 203.0.113.77' },
      { sdp_mid: 'unknown' },
      { sdp_mid: null, sdp_mline_index: null },
      { sdp: 'x'.repeat(8_192) },
      { sdp_mline_index: -1 },
      { sdp_mline_index: 1e9 },
      { sdp_mline_index: '0' },
    ]) {
      bob.inject(candidate(strange));
    }
    await world.settle();
    for (let at = 0; at < 5_000; at += 1) bob.inject(candidate({}));
    await world.settle();
    expect(connection?.remoteCandidates).toBeLessThanOrEqual(LIMITS.candidatesPerLeg);
    expect(connection?.remoteCandidates).toBeGreaterThan(LIMITS.candidatesPerLeg - 10);
    expect(bob.platform.printed.join('\n')).not.toContain('203.0.113');
    await livesOn(all);
  });

  it('B44: candidates for a connection that does not exist yet are stored up to a limit', async () => {
    const { world, alice, bob, call, rung } = await ringing();
    rung.accept({ callOption: {} });
    for (let at = 0; at < 5_000; at += 1) {
      bob.inject(
        event('SGNL', 'candidate', {
          call_id: rung.callId,
          peer_connection_id: `none-${at}`,
          candidate: { sdp: 'candidate:1', sdp_mline_index: 0, sdp_mid: '0' },
        }),
      );
    }
    await world.advance(2_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
  });
});

describe('relay credentials', () => {
  /** Replaces the credential that the exchange sends to both sides. */
  async function through(turn_credential: object, { engine = true } = {}) {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    for (const party of [alice, bob]) {
      party.rewrite((frame) =>
        'turn_credential' in (frame.payload ?? {})
          ? { ...frame, payload: { ...frame.payload, turn_credential } }
          : frame,
      );
      if (engine) continue;
      const { rtc } = party.platform;
      const make = rtc.createPeerConnection.bind(rtc);
      vi.spyOn(rtc, 'createPeerConnection').mockImplementation((configuration) => {
        if (configuration.iceServers?.length) throw new DOMException('a relay it does not like', 'InvalidAccessError');
        return make(configuration);
      });
    }
    const call = alice.dial('bob', VIDEO);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(2_000);
    expect([alice.state(call), bob.state(bob.rung())]).toEqual(['connected', 'connected']);
    return { alice, bob, configuration: bob.platform.rtc.made[0]?.configuration };
  }
  const base = { username: 'u', password: 'p', transport_policy: 'all' };

  it.each<[string, object, number, number]>([
    ['without addresses', { ...base, turn_urls: [] }, 0, 0],
    ['with a script for an address', { ...base, turn_urls: ['javascript:alert(1)', 'turn:ok.test'] }, 1, 2],
    ['with addresses of no kind', { ...base, turn_urls: [7, null, {}, ['turn:x'], 'turn:ok.test'] }, 1, 0],
    ['with blanks in one', { ...base, turn_urls: ['turn:a b', 'turn:', 'turn:ok.test'] }, 1, 2],
    ['with one that never ends', { ...base, turn_urls: [`turn:${'x'.repeat(600)}`, 'turn:ok.test'] }, 1, 0],
    ['with a thousand', { ...base, turn_urls: Array.from({ length: 1_000 }, (_, at) => `turn:r${at}.test`) }, 1, 0],
    ['with a line break in the name', { ...base, username: 'u\r\nx: y', turn_urls: ['turn:ok.test'] }, 1, 0],
    ['with a policy nobody knows', { ...base, transport_policy: 'none', turn_urls: ['turn:ok.test'] }, 1, 0],
  ])(
    'B53: a credential %s does not stop the call, and the dropped part is logged',
    async (_, credential, used, logged) => {
      const { bob, configuration } = await through(credential);
      expect([configuration?.iceServers?.[0]?.urls ?? []].flat()).toHaveLength(used);
      expect(configuration?.iceTransportPolicy).toBe('all');
      // The callee gets a credential as the call rings, and another one as it accepts.
      expect(bob.errors().filter((line) => line.includes('relay addresses were left out'))).toHaveLength(logged);
      expect(bob.platform.printed.join('\n')).not.toMatch(/ok\.test|javascript/);
    },
  );

  it('B53: a credential that the engine refuses does not stop the call', async () => {
    const { alice, bob, configuration } = await through({ ...base, turn_urls: ['turn:ok.test'] }, { engine: false });
    expect(configuration?.iceServers).toEqual([]);
    for (const party of [alice, bob]) expect(party.errors().join('\n')).toMatch(/the relay was refused/);
  });
});

describe('a page that cannot create more peer connections', () => {
  it('F68: an engine that refuses each one ends the call by its timer, logs the cause, and runs the next call', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const { rtc } = alice.platform;
    const refusing = vi.spyOn(rtc, 'createPeerConnection').mockImplementation(() => {
      throw new DOMException('Cannot create so many PeerConnections', 'UnknownError');
    });
    const call = alice.dial('bob', VIDEO);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(61_000);
    expect([alice.state(call), bob.state(bob.rung())]).toEqual(['ended', 'ended']);
    expect(alice.errors().join('\n')).toMatch(/createPeerConnection failed.*Cannot create so many PeerConnections/s);

    refusing.mockRestore();
    const next = alice.dial('bob', VIDEO);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(2_000);
    expect(alice.state(next)).toBe('connected');
  });
});

describe('random events of the exchange', () => {
  const golden: Record<string, any>[] = JSON.parse(
    readFileSync(new URL('../../../fixtures/wire/events.json', import.meta.url), 'utf8'),
  );
  const places = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))]
      : [path];
  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('', '__proto__', '\ud800', 'x'.repeat(5_000), 2 ** 53 + 1, -1, 1e308, [], {}, null, true),
  );
  /** An event as the exchange sends it, about this call, with a different value in one place. */
  const broken = (call_id: string) =>
    fc
      .constantFrom(...golden.map((frame) => ({ ...frame, payload: { ...frame['payload'], call_id } })))
      .chain((frame) =>
        fc.tuple(fc.constantFrom(...places(frame)), strange).map(([path, value]) => put(frame, path, value)),
      );
  const put = (frame: unknown, [key, ...rest]: string[], value: unknown): unknown => {
    if (key === undefined) return value;
    const copy = structuredClone(frame) as Record<string, unknown>;
    Object.defineProperty(copy, key, { value: put(copy[key], rest, value), enumerable: true, configurable: true });
    return copy;
  };

  it('I23 S18: cause no exception, and do not affect the channel and the other call', async () => {
    const world = await callWorld();
    const [alice, bob, carol] = [await world.party('alice'), await world.party('bob'), await world.party('carol')];
    const first = alice.dial('bob', VIDEO);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    const rounds = fc.sample(fc.array(fc.oneof(broken('TARGET'), fc.string(), strange), { maxLength: 40 }), {
      numRuns: 25,
      seed: 20260101,
    });
    for (const frames of rounds) {
      alice.dial('carol', { ...VIDEO, holdActiveCall: true });
      await world.settle();
      carol.rung().accept({ callOption: {} });
      await world.advance(1_000);
      const target = alice.client.getOngoingCalls().find((call) => call !== first)?.callId ?? '';
      for (const frame of frames) {
        const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
        expect(() => alice.inject(text.replaceAll('TARGET', target))).not.toThrow();
        await world.advance(20);
      }
      carol.rung().end();
      for (const call of alice.client.getOngoingCalls()) if (call !== first) call.end();
      await world.advance(4_000);
    }
    expect([first.isEnded, alice.state(first)]).toEqual([false, 'connected']);
    await world.done(first.unhold());
    bob.rung().muteMicrophone();
    await world.settle();
    expect([first.isRemoteAudioEnabled, alice.client.getOngoingCallCount()]).toEqual([false, 1]);
    expect(alice.logged('info').filter((line) => line.includes('realtime channel open'))).toHaveLength(1);
  });
});
