/** Returns a description of sound alone with PCMU as its only codec, for a stack that takes every codec of an offer. */
export function onlyPcmu(sdp: string): string {
  return sdp
    .split('\r\n')
    .map((line) => line.replace(/^(m=audio \d+ \S+) .*$/, '$1 0'))
    .filter((line) => !/^a=(?:rtpmap|fmtp|rtcp-fb):(?!0 )/.test(line))
    .join('\r\n');
}
