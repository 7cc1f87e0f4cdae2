import { describe, expect, it } from 'vitest';
import { createClientAddresses } from '../../../sim/server/client-address.ts';

describe('the address of a client', () => {
  it('B55: is the other end of the connection while no proxy is trusted, for any X-Forwarded-For', () => {
    const address = createClientAddresses().of;
    expect(address({ remoteAddress: '192.0.2.1', forwardedFor: '198.51.100.7' })).toBe('192.0.2.1');
    expect(address({ remoteAddress: '127.0.0.1', forwardedFor: '198.51.100.7' })).toBe('127.0.0.1');
  });

  it('B55: is the last hop of X-Forwarded-For that is no trusted proxy', () => {
    const addresses = createClientAddresses(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
    const behind = (forwardedFor: string, remoteAddress = '127.0.0.1') => addresses.of({ remoteAddress, forwardedFor });
    expect(addresses.isTrustedProxy({ remoteAddress: '::ffff:10.1.2.3' })).toBe(true);
    expect(addresses.isTrustedProxy({ remoteAddress: '192.0.2.1' })).toBe(false);
    expect(behind('198.51.100.7')).toBe('198.51.100.7');
    // A client can write anything to the left of the proxy's entry.
    expect(behind('203.0.113.9, 198.51.100.7, 10.1.2.3')).toBe('198.51.100.7');
    expect(behind('198.51.100.7', '2001:db8::9')).toBe('198.51.100.7');
    expect(behind('198.51.100.7', '192.0.2.1')).toBe('192.0.2.1');
    expect(behind('')).toBe('127.0.0.1');
    expect(behind('nonsense')).toBe('127.0.0.1');
  });

  it('B55: is the first 64 bits of an IPv6 address, and an IPv4 address also when an IPv6 socket reports it', () => {
    const address = createClientAddresses().of;
    expect(address({ remoteAddress: '2001:db8:0:7:aaaa::1' })).toBe('2001:db8:0:7::/64');
    expect(address({ remoteAddress: '2001:db8::1' })).toBe('2001:db8:0:0::/64');
    expect(address({ remoteAddress: 'fe80::1%eth0' })).toBe('fe80:0:0:0::/64');
    expect(address({ remoteAddress: '::1' })).toBe('::1');
    expect(address({ remoteAddress: '::ffff:192.0.2.1' })).toBe('192.0.2.1');
    expect(address({})).toBe('');
  });

  it('reports a trusted proxy that is no address', () => {
    for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '::1/129', '']) {
      expect(() => createClientAddresses([wrong])).toThrow(`not "${wrong}"`);
    }
  });
});
