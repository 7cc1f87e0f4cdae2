import { describe, expect, test } from 'vitest';
import { parseCandidate, redirectCandidate, stripCandidates } from '../../../sim/media/candidate.ts';

const host = 'candidate:1 1 udp 2122260223 192.0.2.2 45678 typ host generation 0 ufrag abcd network-id 1';

describe('candidate text', () => {
  test('is parsed, and its address replaced', () => {
    expect(parseCandidate(host)).toEqual({ protocol: 'udp', address: '192.0.2.2', port: 45_678 });
    expect(redirectCandidate(host, '198.51.100.7', 9)).toBe(
      'candidate:1 1 udp 2122260223 198.51.100.7 9 typ host generation 0 ufrag abcd network-id 1',
    );
  });

  test('loses the related address, which is the real one', () => {
    const reflexive = 'candidate:2 1 UDP 1686 203.0.113.5 1000 typ srflx raddr 192.0.2.2 rport 45678 generation 0';
    expect(redirectCandidate(reflexive, '198.51.100.7', 9)).toBe(
      'candidate:2 1 UDP 1686 198.51.100.7 9 typ srflx raddr 0.0.0.0 rport 0 generation 0',
    );
  });

  const wrongPorts = ['0', '99999'].map((port) => host.replace('45678', port));
  test.each(['', 'candidate:', 'candidate:1 1 udp x 192.0.2.2 1 typ host', 'v=0', ...wrongPorts])(
    '%j is no candidate',
    (text) => expect(parseCandidate(text)).toBeNull(),
  );

  test('is removed from a session description, which otherwise stays', () => {
    const sdp = `v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=${host}\r\na=mid:0\r\na=end-of-candidates\r\n`;
    expect(stripCandidates(sdp)).toBe('v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n');
  });
});
