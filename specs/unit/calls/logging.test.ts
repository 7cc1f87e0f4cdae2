import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { formatLogTime } from '../../../src/calls/logging/log-time.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import { maskText, maskValue } from '../../../src/calls/logging/mask.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';

function setUp() {
  const clock = new VirtualClock(Date.UTC(2026, 2, 4, 5, 6, 7, 8));
  const lines: string[] = [];
  const log = new Log({ clock, print: (level, line) => lines.push(`${level}: ${line}`) });
  return { clock, lines, log };
}

const CANDIDATE = 'candidate:1 1 udp 2113937151 192.168.17.4 51234 typ srflx raddr 2001:db8:0:1:2:3:4:5 rport 9';
const SDP = ['v=0', 'o=- 1 2 IN IP4 203.0.113.9', 'a=ice-pwd:pAss+/word', `a=${CANDIDATE}`, 'a=ice-ufrag:ab', ''].join(
  '\r\n',
);

describe('masking', () => {
  test.each([
    ['a token in a query', 'GET /v1/realtime?session_token=s3cret&client_id=c', 's3cret'],
    ['a token in JSON', '{"sbcall_session_token":"s3cret","x":1}', 's3cret'],
    ['a token in JSON with a quote in it', String.raw`{"access_token":"s3\"cret more","x":1}`, 'cret'],
    ['a password in JSON within JSON', String.raw`{"body":"{\"password\":\"s3 cret\"}"}`, 'cret'],
    ['a token in a header', 'x-short-lived-token: s3cret', 's3cret'],
    ['a bearer', 'authorization: Bearer s3cret.x.y', 's3cret'],
    ['a bearer that follows something else', 'sent Bearer s3cret', 's3cret'],
    ['a password in single quotes', `password='s3"cret'`, 'cret'],
    ['a relay server', 'ice server turn:relay.secret.example:3478?transport=udp failed', 'relay.secret'],
    ['a relay server over TLS, in a list', '["turns:relay.secret.example","stun:stun.secret.example:1"]', 'secret'],
    ['an IPv4 address', 'connected to 10.20.30.40.', '10.20'],
    ['an IPv4 address with a port', 'wss://10.20.30.40:8443/v1', '10.20'],
    ['an IPv6 address', 'connected to 2001:db8:aaaa::7, then on', 'aaaa'],
    ['an IPv6 address in brackets', 'https://[2001:db8:aaaa::7]:8443/', 'aaaa'],
    ['an IPv6 address behind a colon', 'address:fe80::aaaa:1: refused', 'aaaa'],
    ['an IPv6 address behind a quote and a colon', '"ip":fe80::aaaa:1', 'aaaa'],
    ['an IPv6 address that ends in colons, before another', 'aaaa::: refused', 'aaaa'],
    ['an IPv6 address with a zone', 'on fe80::aaaa%eth0', 'eth0'],
    ['an IPv4 address mapped into IPv6', '::ffff:10.20.30.40', '10.20'],
    ['a candidate', CANDIDATE, '192.168'],
    ['the related address of a candidate', CANDIDATE, '2001:db8'],
    ['the address in an sdp', SDP, '203.0'],
    ['the password in an sdp', SDP, 'pAss'],
    ['an sdp packed for the wire', `{"sdp":"${packSdp(SDP)}"}`, packSdp(SDP).slice(8, 40)],
  ])('LOG-01 %s is masked', (_, text, secret) => {
    expect(text).toContain(secret);
    expect(maskText(text)).not.toContain(secret);
    expect(maskText(text)).toContain('***');
  });

  test.each([
    'version 1.10.20 at 2026.03.04 05:06:07:008',
    'std::vector and Foo::bar',
    'a=fingerprint:sha-256 AB:CD:EF:01:02:03:04:05:06:07:08:09',
    'call c-1 went from dialing to established: done',
    'c=IN IP6 ::',
  ])('LOG-01 a value that is no secret stays: %s', (text) => {
    expect(maskText(text)).toBe(text);
  });

  test('LOG-01 nested objects, lists, maps and errors are masked by name and by form', () => {
    const masked = JSON.stringify(
      maskValue({
        turn_credential: { username: 'u', password: 'pa55', turn_urls: ['turn:relay.secret.example'] },
        headers: new Map([['x-session-token', 'quiet']]).size,
        list: [{ deep: { accessToken: 'acce55' } }, new Map([['peer', '10.20.30.40']])],
        error: new Error('no route to 10.20.30.40', { cause: { sessionToken: '5ession' } }),
      }),
    );
    for (const secret of ['pa55', 'relay.secret', 'acce55', '10.20', '5ession']) expect(masked).not.toContain(secret);
    expect(masked).toContain('no route to ***');
    expect(masked).toContain('"cause":{"sessionToken":"***"}');
  });

  test('LOG-01 a secret that is a number is masked, and another number stays', () => {
    const facts = { password: 135_790, list: [{ access_token: 246_801 }], attempt: 3 };
    expect(maskValue(facts)).toEqual({ password: '***', list: [{ access_token: '***' }], attempt: 3 });
  });

  test('LOG-01 every ip address is masked, at any position', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6()),
        fc.constantFrom(' ', '"', '=', '(', ',', '\n', ': '),
        (address, edge) => {
          fc.pre(address !== '::' && /[0-9a-f]/i.test(address));
          return maskText(`peer${edge}${address}${edge}end`) === `peer${edge}***${edge}end`;
        },
      ),
      { numRuns: 500 },
    );
  });

  test('LOG-01 values that cannot be copied are named, and nothing throws', () => {
    const circle: Record<string, unknown> = { big: 1n, run: () => 1 };
    circle['self'] = circle;
    const trap = {
      get broken() {
        throw new Error('no');
      },
    };
    expect(maskValue(circle)).toEqual({ big: '1', run: '[function]', self: '[circular]' });
    expect(maskValue({ trap })).toEqual({ trap: '[unreadable]' });
  });

  test('LOG-01 the printed and the stored log is masked', () => {
    const { log, lines } = setUp();
    log.setConsoleLevel('DEBUG');
    log.setUploadLevel('DEBUG');
    log.debug('opened ws://10.20.30.40/?session_token=s3cret', { password: 'pa55' });
    const all = JSON.stringify([lines, log.takeBuffered()]);
    for (const secret of ['10.20', 's3cret', 'pa55']) expect(all).not.toContain(secret);
    expect(lines).toHaveLength(1);
  });
});

describe('the log', () => {
  test('LOG-03 the time is year.month.day hour:minute:second:millisecond', () => {
    expect(formatLogTime(Date.UTC(2026, 2, 4, 5, 6, 7, 8))).toBe('2026.03.04 05:06:07:008');
    const { log, lines, clock } = setUp();
    log.setConsoleLevel('INFO');
    clock.skewWall(1_000);
    log.info('hello');
    expect(lines).toEqual(['info: 2026.03.04 05:06:08:008 [INFO] hello']);
  });

  test('ENT-22 nothing is printed by default; a level prints its lines and more severe ones', () => {
    const { log, lines } = setUp();
    const all = () => {
      log.verbose('v');
      log.debug('d');
      log.info('i');
      log.warning('w');
      log.error('e');
      return lines
        .splice(0)
        .map((line) => line.slice(-1))
        .join('');
    };
    expect(all()).toBe('');
    const seen = (['VERBOSE', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'NONE'] as const).map((level) => {
      log.setConsoleLevel(level);
      return all();
    });
    expect(seen).toEqual(['vdiwe', 'diwe', 'iwe', 'we', 'e', '']);
  });

  test('LOG-02 F67 at most 500 lines are stored, filtered by level, the newest, and a loss is reported once', () => {
    const { log } = setUp();
    log.setUploadLevel('INFO');
    for (let n = 0; n < 500; n += 1) {
      log.debug(`not kept ${n}`);
      log.info(`kept ${n}`);
    }
    const full = log.takeBuffered();
    expect([full.entries.length, full.overflowed]).toEqual([500, false]);
    for (let n = 0; n < 501; n += 1) log.error(`again ${n}`);
    const { entries, overflowed } = log.takeBuffered();
    expect([entries.length, overflowed, entries[0]?.log_message]).toEqual([500, true, 'again 1']);
    expect(entries[0]).toEqual({ log_dt: '2026.03.04 05:06:07:008', log_level: 'ERROR', log_message: 'again 1' });
    expect(log.takeBuffered()).toEqual({ entries: [], overflowed: false });
  });

  test('line breaks, control characters and reversed writing are escaped: one line stays one line', () => {
    const { log, lines } = setUp();
    log.setConsoleLevel('INFO');
    log.info('a\r\nb\u001b[31m\u2028\u202e', { nickname: 'x\ny\u202e' });
    expect(lines[0]?.endsWith(String.raw`a\r\nb\u001b[31m\u2028\u202e {"nickname":"x\ny\u202e"}`)).toBe(true);
  });

  test('a console that throws has no effect', () => {
    const log = new Log({
      clock: new VirtualClock(),
      print: () => {
        throw new Error('no console');
      },
    });
    log.setConsoleLevel('INFO');
    expect(() => log.info('hello')).not.toThrow();
  });
});
