/** Session descriptions (RFC 8866, RFC 8829) as the modeled peer connection writes and reads them. */

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface MediaSection {
  readonly kind: 'audio' | 'video';
  readonly mid: string;
  readonly direction: Direction;
}

export interface Session {
  readonly sections: readonly MediaSection[];
  readonly ufrag: string;
  readonly pwd: string;
  readonly fingerprint: string;
  /** The number of candidates within the description. */
  readonly candidates: number;
}

const CODECS = {
  audio: [
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 0',
    'a=rtpmap:111 opus/48000/2',
    'a=rtcp-fb:111 transport-cc',
    'a=fmtp:111 minptime=10;useinbandfec=1',
    'a=rtpmap:0 PCMU/8000',
  ],
  video: [
    'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
    'a=rtpmap:96 VP8/90000',
    'a=rtcp-fb:96 nack',
    'a=rtcp-fb:96 nack pli',
    'a=rtpmap:97 rtx/90000',
    'a=fmtp:97 apt=96',
  ],
} as const;

export function writeSdp(
  type: 'offer' | 'answer',
  session: Omit<Session, 'candidates'>,
  { id, version }: { id: number; version: number },
): string {
  const { sections, ufrag, pwd, fingerprint } = session;
  const head = [
    'v=0',
    `o=- ${id} ${version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${sections.map(({ mid }) => mid).join(' ')}`,
    'a=extmap-allow-mixed',
    'a=msid-semantic: WMS',
  ];
  const media = sections.flatMap(({ kind, mid, direction }) => {
    const [line, ...codecs] = CODECS[kind];
    return [
      line,
      'c=IN IP4 0.0.0.0',
      'a=rtcp:9 IN IP4 0.0.0.0',
      `a=ice-ufrag:${ufrag}`,
      `a=ice-pwd:${pwd}`,
      'a=ice-options:trickle',
      `a=fingerprint:sha-256 ${fingerprint}`,
      `a=setup:${type === 'offer' ? 'actpass' : 'active'}`,
      `a=mid:${mid}`,
      `a=${direction}`,
      'a=rtcp-mux',
      ...codecs,
    ];
  });
  return [...head, ...media, ''].join('\r\n');
}

const attribute = (text: string, name: string) => new RegExp(String.raw`^a=${name}:(.*)$`, 'm').exec(text)?.[1]?.trim();

/** Reads a session description. @throws DOMException OperationError, as browsers do, when the text is none. */
export function readSdp(sdp: string): Session {
  if (!sdp.startsWith('v=0')) throw refused('Expect line: v=');
  const [, ...media] = sdp.split(/^(?=m=)/m);
  return {
    sections: media.map((section) => {
      const kind = /^m=(audio|video) /.exec(section)?.[1];
      const mid = attribute(section, 'mid');
      const direction = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(section)?.[1];
      if ((kind !== 'audio' && kind !== 'video') || mid === undefined) throw refused('Invalid media section');
      return { kind, mid, direction: isDirection(direction) ? direction : 'sendrecv' };
    }),
    ufrag: attribute(sdp, 'ice-ufrag') ?? '',
    pwd: attribute(sdp, 'ice-pwd') ?? '',
    fingerprint: attribute(sdp, 'fingerprint')?.replace(/^sha-256 /, '') ?? '',
    candidates: sdp.match(/^a=candidate:/gm)?.length ?? 0,
  };
}

const isDirection = (text: string | undefined): text is Direction =>
  text === 'sendrecv' || text === 'sendonly' || text === 'recvonly' || text === 'inactive';

const refused = (why: string) => new DOMException(`Failed to parse SessionDescription. ${why}`, 'OperationError');

export const sends = (direction: Direction | null) => direction === 'sendrecv' || direction === 'sendonly';
export const receives = (direction: Direction | null) => direction === 'sendrecv' || direction === 'recvonly';

function directionOf(sending: boolean, receiving: boolean): Direction {
  if (sending) return receiving ? 'sendrecv' : 'sendonly';
  return receiving ? 'recvonly' : 'inactive';
}

/** Returns the direction from the point of view of the other side. */
export const reversed = (direction: Direction) => directionOf(receives(direction), sends(direction));

/**
 * Returns the direction in use on a section: what this side wants and the other side, from its own point of view,
 * allows.
 */
export const agreed = (own: Direction, theirs: Direction): Direction =>
  directionOf(sends(own) && receives(theirs), receives(own) && sends(theirs));
