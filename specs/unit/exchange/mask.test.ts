/** Each rule of the masker at its limits: what it hides, and similar values that stay. */
import { describe, expect, it } from 'vitest';
import { maskText, maskValue } from '../../../sim/exchange/logging/mask.ts';

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
    ['1.2.3 1.2.3.4.5 1234.1.1.1 1.1.1.1234 1..1.1', '1.2.3 1.2.3.4.5 1234.1.1.1 1.1.1.1234 1..1.1'],
    ['1:2:3:4:5:6:7:8 2001:DB8:0:1:2:3:4:abcd', '*** ***'],
    ['1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:12345', '1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:12345'],
    [':: ::1 fe80:: a::b 1:2:3:4:5:6:7:: ::1:2:3:4:5:6:7', '*** *** *** *** *** ***'],
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

  it('values deeper than six levels are omitted', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) });
    const listed = (depth: number): unknown => (depth === 0 ? 'x' : [listed(depth - 1)]);
    expect(maskValue(nested(6))).toEqual(nested(6));
    expect(maskValue(listed(6))).toEqual(listed(6));
    expect(JSON.stringify(maskValue(nested(7)))).toBe('{"a":{"a":{"a":{"a":{"a":{"a":"…"}}}}}}');
    expect(JSON.stringify(maskValue(listed(7)))).toBe('[[[[[["…"]]]]]]');
  });
});
