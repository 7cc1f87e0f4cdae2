/** Each rule of the mask at its limits, for the server and the library: what it hides, and similar values that stay. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { maskText, maskValue } from '../../../sim/exchange/logging/log.ts';
import * as common from '../../../src/common/mask.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';

const CANDIDATE = 'candidate:1 1 udp 2113937151 192.168.17.4 51234 typ srflx raddr 2001:db8:0:1:2:3:4:5 rport 9';
const SDP = ['v=0', 'o=- 1 2 IN IP4 203.0.113.9', 'a=ice-pwd:pAss+/word', `a=${CANDIDATE}`, 'a=ice-ufrag:ab', ''].join(
  '\r\n',
);

describe('S32 in a text', () => {
  it.each([
    ['turn:a turns:b STUN:c stuns:d', 'relay:*** relay:*** relay:*** relay:***'],
    [`"turn:a" 'turn:b' [turn:c] turn:d,e`, `"relay:***" 'relay:***' [relay:***] relay:***,e`],
    ['return:a, turn: a', 'return:a, turn: a'],
    [
      '?session_token=a&access_token=b&token=c&sign=d&x=e',
      '?session_token=***&access_token=***&token=***&sign=***&x=e',
    ],
    [`token=a b "token=c" 'TOKEN=d' token=`, `token=*** b "token=***" 'TOKEN=***' token=`],
    ['postgres://u:p@h/d and POSTGRESQL://u@h', 'postgres://***@h/d and POSTGRESQL://***@h'],
    ['postgres://h/d u@h', 'postgres://h/d u@h'],
    ['Bearer a.b_c~+/=-d e, bearer  x', 'Bearer *** e, Bearer ***'],
    ['Bearer', 'Bearer'],
    ['got eyJhbGci-_O.eyJz-_d.s-_g and eyJa.b. too', 'got *** and *** too'],
    ['eyJa eyJa.b xeyJa.b.c', 'eyJa eyJa.b xeyJa.b.c'],
    ['a=ice-pwd:p q\r\na=fingerprint:sha 1', String.raw`a=ice-pwd:***\u000d\u000aa=fingerprint:***`],
    [
      String.raw`"a=crypto:1 x" a=ice-pwd:y\n, a=ice-ufrag:z`,
      String.raw`"a=crypto:***" a=ice-pwd:***\n, a=ice-ufrag:z`,
    ],
    ['1.2.3.4 255.255.255.255:9 (10.0.0.1)', '*** ***:9 (***)'],
    ['1.2.3 1.2.3.4.5 1234.1.1.1 1.1.1.1234 1..1.1', '1.2.3 ***.5 1234.1.1.1 1.1.1.1234 1..1.1'],
    ['1:2:3:4:5:6:7:8 2001:DB8:0:1:2:3:4:abcd', '*** ***'],
    ['1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:12345', '1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:12345'],
    [':: ::1 fe80:: a::b 1:2:3:4:5:6:7:: ::1:2:3:4:5:6:7', ':: *** *** *** *** ***'],
    ['FE80::ABCD ::ffff:abcd:12', '*** ***'],
    ['std::vector x::1 10:20:30 a:b', 'std::vector x::1 10:20:30 a:b'],
    ['0a-1b.local 0A.LOCAL x.locale .local', '*** *** x.locale .local'],
    ['a@b c@d. @b.cc', 'a@b c@d. @b.cc'],
    ['a@b.co x_y%z+1-2.3@sub-d.example.org', '*** ***'],
    ['+12345678 +123456789012345', '*** ***'],
    [
      '+1234567 +1234567890123456 +01234567890 a+12345678 ++12345678',
      '+1234567 +1234567890123456 +01234567890 a+12345678 ++12345678',
    ],
    ['0912345678 0912-345 678 886 912 345-678 +886-912345678', '*** *** *** ***'],
    [
      '0812345678 091234567 09123456789 x0912345678 1.0912345678',
      '0812345678 091234567 09123456789 x0912345678 1.0912345678',
    ],
  ])('%j becomes %j', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it('S33 control characters and line breaks are escaped, and the characters beside them are not', () => {
    const escaped = ['\u0000', '\u001F', '\u007F', '\u009F', '\u2028', '\u2029'];
    expect(escaped.map((char) => maskText(char))).toEqual([
      String.raw`\u0000`,
      String.raw`\u001f`,
      String.raw`\u007f`,
      String.raw`\u009f`,
      String.raw`\u2028`,
      String.raw`\u2029`,
    ]);
    for (const char of [' ', '~', '\u00A0', '\u2027', '\u202A']) expect(maskText(`x${char}`)).toBe(`x${char}`);
  });

  it('a text is cut after 500 characters, or after a given limit', () => {
    expect([maskText('x'.repeat(500)), maskText('x'.repeat(501))]).toEqual(['x'.repeat(500), `${'x'.repeat(500)}…`]);
    expect([maskText('abc', 3), maskText('abcd', 3)]).toEqual(['abc', 'abc…']);
  });
});

describe('S32 in a value', () => {
  it.each([
    'token',
    'sessionToken',
    'PASSWORD',
    'secret_key',
    'authorization',
    'username',
    'turn_urls',
    'sdp',
    'credential',
    'set-cookie',
    'api_key',
    'apikey',
    'signature',
  ])('any value under the name %s is hidden', (key) => {
    for (const value of ['x', 7, true, { a: 1 }, ['x'], ''])
      expect(maskValue({ [key]: value })).toEqual({ [key]: '***' });
    for (const value of [null, undefined]) expect(maskValue({ [key]: value })).toEqual({ [key]: value });
  });

  it('a name that only contains such a word stays', () => {
    const value = { sdp_mid: '0', turn_credential_at: 1, asdp: 'x', urls: ['x'] };
    expect(maskValue(value)).toEqual(value);
  });

  it('numbers, booleans and null stay; addresses are hidden in lists, in errors and in the names of fields', () => {
    expect([7, true, null, undefined].map((value) => maskValue(value))).toEqual([7, true, null, undefined]);
    expect(maskValue([['1.2.3.4'], { '1.2.3.4': 1 }])).toEqual([['***'], { '***': 1 }]);
    expect(maskValue(new TypeError('at 1.2.3.4'))).toBe('TypeError: at ***');
  });

  it('values deeper than eight levels are named', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) });
    const listed = (depth: number): unknown => (depth === 0 ? 'x' : [listed(depth - 1)]);
    expect(maskValue(nested(8))).toEqual(nested(8));
    expect(maskValue(listed(8))).toEqual(listed(8));
    expect(JSON.stringify(maskValue(nested(9)))).toBe('{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":"[too deep]"}}}}}}}}');
    expect(JSON.stringify(maskValue(listed(9)))).toBe('[[[[[[[["[too deep]"]]]]]]]]');
  });
});

describe('the mask of the server', () => {
  it.each([
    ['connect to 192.0.2.1:4870', 'connect to ***:4870'],
    ['candidate 2001:db8::1 and fe80::1', 'candidate *** and ***'],
    ['2001:db8::1... 2001:db8::1.443 cafe.2001:db8::1 x=2001:db8:0:0:0:0:0:1..', '***... ***.443 cafe.*** x=***..'],
    ['postgres://app:my-secret=1@db/x postgres://app:password:x@db', 'postgres://***@db/x postgres://***@db'],
    [`head eyJ${'a'.repeat(400)}.b.c.`, 'head ***.'],
    ['turn:relay.example:3478?transport=udp failed', 'relay:*** failed'],
    ['/v1/realtime?session_token=abc&client_id=c', '/v1/realtime?session_token=***&client_id=c'],
    ['authorization: Bearer a.b-c', 'authorization: Bearer ***'],
    ['0a1b-2c.local at 10:20:30', '*** at 10:20:30'],
    ['one\r\nforged \u001b[31m', 'one\\u000d\\u000aforged \\u001b[31m'],
    ['version 1.10.20', 'version 1.10.20'],
    ['/media/m-1/small?until=1767225600000&sign=aB-_9', '/media/m-1/small?until=1767225600000&sign=***'],
    ['to 0912345678, 0912-345-678 or 0912 345 678', 'to ***, *** or ***'],
    ['to +886912345678, +886 912-345-678 or +4915112345678', 'to ***, *** or ***'],
    ['to=%2B886912345678&or=%2b4915112345678, %2B886 912 345 678', 'to=***&or=***, ***'],
    ['to 886912345678 or 886-912-345-678, not to 8869123456789', 'to *** or ***, not to 8869123456789'],
    ['to mei@example.com, <mei.lin+a@mail.example.com.tw>: 小美@例子.台灣', 'to ***, <***>: ***'],
    ['/auth/available?contact=mei%40example.com&kind=mei%2Ba%40example.com', '/auth/available?contact=***&kind=***'],
    ['ringback@1.2.3 at 10@20, @mei', 'ringback@1.2.3 at 10@20, @mei'],
    ['at 1767225600000 of 09123456789 and a0912345678', 'at 1767225600000 of 09123456789 and a0912345678'],
    ['design=new, 2026-01-01T00:00:00+0800', 'design=new, 2026-01-01T00:00:00+0800'],
  ])('S32 S33 LOG-01 %j becomes %j', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it('S32 hides secrets by the names of their fields, at any depth', () => {
    expect(
      maskValue({
        a: { access_token: 'x', list: [{ password: 'y', sdp: 'packed', ip: '192.0.2.1' }] },
        error: new Error('at 192.0.2.1'),
      }),
    ).toEqual({
      a: { access_token: '***', list: [{ password: '***', sdp: '***', ip: '***' }] },
      error: 'Error: at ***',
    });
  });
});

describe('the mask of the library', () => {
  it.each([
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
    expect(common.maskText(text)).not.toContain(secret);
    expect(common.maskText(text)).toContain('***');
  });

  it.each([
    'version 1.10.20 at 2026.03.04 05:06:07:008',
    'std::vector and Foo::bar',
    'a=fingerprint:sha-256 AB:CD:EF:01:02:03:04:05:06:07:08:09',
    'call c-1 went from dialing to established: done',
    'c=IN IP6 ::',
  ])('LOG-01 a value that is no secret stays: %s', (text) => {
    expect(common.maskText(text)).toBe(text);
  });

  it('LOG-01 nested objects, lists, maps and errors are masked by name and by form', () => {
    const masked = JSON.stringify(
      common.maskValue({
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

  it('LOG-01 a secret that is a number is masked, and another number stays', () => {
    const facts = { password: 135_790, list: [{ access_token: 246_801 }], attempt: 3 };
    expect(common.maskValue(facts)).toEqual({ password: '***', list: [{ access_token: '***' }], attempt: 3 });
  });

  it('LOG-01 every ip address is masked, at any position', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6()),
        fc.constantFrom(' ', '"', '=', '(', ',', '\n', ': '),
        (address, edge) => {
          fc.pre(address !== '::' && /[0-9a-f]/i.test(address));
          return common.maskText(`peer${edge}${address}${edge}end`) === `peer${edge}***${edge}end`;
        },
      ),
      { numRuns: 500 },
    );
  });

  it('LOG-01 values that cannot be copied are named, and nothing throws', () => {
    const circle: Record<string, unknown> = { big: 1n, run: () => 1 };
    circle['self'] = circle;
    const trap = {
      get broken() {
        throw new Error('no');
      },
    };
    expect(common.maskValue(circle)).toEqual({ big: '1', run: '[function]', self: '[circular]' });
    expect(common.maskValue({ trap })).toEqual({ trap: '[unreadable]' });
  });
});

describe('S32 LOG-01 the mask of the library and that of the server', () => {
  const masks = { library: common.maskText, server: (text: string) => maskText(text) };

  it.each([
    // The server showed these.
    ['a packed sdp', `got ${packSdp(SDP)}`, packSdp(SDP).slice(8, 40)],
    ['a token in JSON', '{"access_token":"s3cret","x":1}', 's3cret'],
    ['a token in JSON with a quote in it', String.raw`{"access_token":"s3\"cret more","x":1}`, 'cret'],
    ['a password in JSON within JSON', String.raw`{"body":"{\"password\":\"s3 cret\"}"}`, 'cret'],
    ['a token in a header', 'x-short-lived-token: s3cret', 's3cret'],
    ['an IPv4 address at the end of a sentence', 'connected to 10.20.30.40.', '10.20'],
    ['an IPv6 address with a zone', 'on fe80::aaaa%eth0', 'eth0'],
    ['an IPv4 address mapped into IPv6', '::ffff:10.20.30.40', '10.20'],
    ['an IPv6 address behind a colon', 'address:fe80::aaaa:1: refused', 'aaaa'],
    // The library showed these.
    ['a signed token', 'got eyJhbGci.eyJzdWIi.c2ln', 'eyJ'],
    ['the signature of an address', '/media/m-1?until=1&sign=aB-_9', 'aB-_9'],
    ['the rest of a token behind a comma', '?token=abc,def;ghi&x=1', 'ghi'],
    ['the name of a host in a candidate', '1 udp 2113937151 0a1b-2c.local 5', '0a1b'],
    // Both showed these.
    ['a token in quotes behind many backslashes', `token=${'\\'.repeat(40)}"s3cret"`, 's3cret'],
  ])('hide %s', (_, text, secret) => {
    expect(text).toContain(secret);
    for (const mask of Object.values(masks)) expect(mask(text)).not.toContain(secret);
  });

  it('hide fields by the names of both', () => {
    const value = { cookie: 'a', username: { b: 1 }, pwd: 'c', passwd: 7, turn_credential: { password: 'd', ttl: 5 } };
    const masked = {
      cookie: '***',
      username: '***',
      pwd: '***',
      passwd: '***',
      turn_credential: { password: '***', ttl: 5 },
    };
    expect(common.maskValue(value)).toEqual(masked);
    expect(maskValue(value)).toEqual(masked);
  });

  it('name what cannot be copied', () => {
    const circle: Record<string, unknown> = { big: 1n };
    circle['self'] = circle;
    expect(maskValue(circle)).toEqual({ big: '1', self: '[circular]' });
  });

  it('e-mails, phone numbers and logins of databases are hidden by the server only', () => {
    const text = 'mei@example.com +886912345678 postgres://u:p@host';
    expect([masks.library(text), masks.server(text)]).toEqual([text, '*** *** postgres://***@host']);
  });
});

describe('S33 a hostile text', () => {
  const CHARS = 100_000;
  const MOST_MS = 1_000;
  const HOSTILE = [
    'a',
    'a.',
    'a:',
    '1',
    '1.',
    ':',
    '-eyJ',
    '-eyJa.',
    'token',
    'token=\\',
    'token: ',
    'token="\\',
    'Bearer ',
    'turn:',
    'H4sI',
    'postgres://',
    'a-',
    'a@',
    'a@a.',
    '+1',
    '09',
    'a=crypto:',
    '::',
    'a::',
    '%40',
    'token=\\\\"\\\\',
  ];

  // A busy machine may be slow once, and a quadratic pattern is slow each time.
  const quickest = (run: () => void) => {
    let best = Infinity;
    for (let tries = 0; tries < 3 && best > MOST_MS; tries += 1) {
      const began = performance.now();
      run();
      best = Math.min(best, performance.now() - began);
    }
    return best;
  };

  it.each(HOSTILE)('of a hundred thousand characters of %j is masked in linear time', (piece) => {
    const text = piece.repeat(CHARS / piece.length);
    expect(quickest(() => void common.maskText(`${text}g`, common.SERVER_ONLY))).toBeLessThan(MOST_MS);
    expect(quickest(() => void common.maskText(`g${text}::g`, common.SERVER_ONLY))).toBeLessThan(MOST_MS);
  });
});
