/**
 * The session descriptions between a client and Janus, where one answer is not that of the other side.
 *
 * Janus only offers to a viewer, and the client only offers as well. So each offer becomes the answer to the other one.
 */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';

type Kind = 'audio' | 'video';

/** A media section, with the attributes that it may have from its session. */
interface Section {
  readonly kind: Kind;
  readonly lines: readonly string[];
  readonly session: readonly string[];
}

const linesOf = (text: string) => text.split(/\r\n/).filter((line) => line !== '');

function sectionsOf(sdp: string): Section[] {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m);
  return media.map((text) => ({
    kind: text.startsWith('m=audio ') ? 'audio' : 'video',
    lines: linesOf(text),
    session: linesOf(session),
  }));
}

/** Returns the values of an attribute. Its section has precedence over its session. */
function valuesOf({ lines, session }: Section, name: string): string[] {
  const of = (all: readonly string[]) =>
    all.flatMap((line) => (line.startsWith(`a=${name}:`) ? [line.slice(name.length + 3)] : []));
  const own = of(lines);
  return own.length > 0 ? own : of(session);
}

const valueOf = (section: Section, name: string): string => valuesOf(section, name)[0] ?? '';

/**
 * The codec of each kind, with the payload type that Janus gives it in everything that it forwards. Every browser has
 * both codecs (RFC 7742, RFC 7874).
 */
const CODECS: Readonly<Record<Kind, { readonly payload: string; readonly map: RegExp }>> = {
  audio: { payload: '111', map: /^111 opus\/48000/i },
  video: { payload: '96', map: /^96 VP8\/90000/i },
};

/**
 * Checks that a viewer can receive what Janus forwards.
 * @throws CallError `ERR_MALFORMED_DATA` when its offer gives the codec another payload type.
 */
export function checkViewerOffer(offer: string): void {
  for (const section of sectionsOf(offer)) {
    const { payload, map } = CODECS[section.kind];
    if (valuesOf(section, 'rtpmap').some((value) => map.test(value))) continue;
    const message = `the media server sends ${section.kind} to viewers as payload type ${payload} only`;
    throw new CallError(ErrorCode.ERR_MALFORMED_DATA, { message });
  }
}

/** The feedback that Janus serves, of what a client offers. */
const FEEDBACK = ['nack', 'nack pli', 'ccm fir', 'goog-remb'];

/**
 * Returns what both sides of a section agree on: one codec, its feedback and its header extensions.
 *
 * There is no second stream for retransmissions: Janus then repeats packets in the stream itself. The extension with the
 * mid is left out, since the mids of both sides differ.
 */
function agreed(client: Section, janus: Section): string[] {
  const { payload } = CODECS[client.kind];
  const ofPayload = (name: string) => valuesOf(client, name).filter((value) => value.startsWith(`${payload} `));
  const feedback = ofPayload('rtcp-fb').filter((value) => FEEDBACK.includes(value.slice(payload.length + 1)));
  const uri = (extension: string) => extension.split(' ')[1] ?? '';
  const offered = valuesOf(janus, 'extmap').map(uri);
  const extensions = valuesOf(client, 'extmap').filter(
    (extension) => offered.includes(uri(extension)) && !uri(extension).endsWith('sdes:mid'),
  );
  return [
    `m=${client.kind} 9 UDP/TLS/RTP/SAVPF ${payload}`,
    'c=IN IP4 0.0.0.0',
    'a=rtcp-mux',
    ...ofPayload('rtpmap').map((value) => `a=rtpmap:${value}`),
    ...ofPayload('fmtp').map((value) => `a=fmtp:${value}`),
    ...feedback.map((value) => `a=rtcp-fb:${value}`),
    ...extensions.map((value) => `a=extmap:${value}`),
  ];
}

/** The attributes of the transport of a section, without the role in DTLS. */
const TRANSPORT = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'ice-options', 'candidate'];
const transportOf = (section: Section): string[] =>
  TRANSPORT.flatMap((name) => valuesOf(section, name).map((value) => `a=${name}:${value}`));

function described(version: number, sections: readonly (readonly string[])[], bundled: readonly string[]): string {
  const group = bundled.length > 0 ? [`a=group:BUNDLE ${bundled.join(' ')}`] : [];
  const session = ['v=0', `o=- 1 ${version} IN IP4 127.0.0.1`, 's=-', 't=0 0', ...group];
  return [...session, ...sections.flat(), ''].join('\r\n');
}

/** Returns the roles in DTLS: the client begins, unless it offers only to wait. */
function rolesOf(client: readonly Section[]): { readonly client: string; readonly janus: string } {
  const waits = client.some((section) => valueOf(section, 'setup') === 'passive');
  return waits ? { client: 'passive', janus: 'active' } : { client: 'active', janus: 'passive' };
}

const pairsOf = (offer: string, janusOffer: string) => {
  const [client, janus] = [sectionsOf(offer), sectionsOf(janusOffer)];
  return { client, janus, of: (kind: Kind, side: readonly Section[]) => side.find((one) => one.kind === kind) };
};

/** Makes the answer to Janus's offer to a viewer out of the client's offer. */
export function answerToJanus(janusOffer: string, offer: string, version: number): string {
  const { client, janus, of } = pairsOf(offer, janusOffer);
  const roles = rolesOf(client);
  const answered = janus.map((section) => {
    const partner = of(section.kind, client);
    const mid = `a=mid:${valueOf(section, 'mid')}`;
    if (!partner) return [(section.lines[0] ?? '').replace(/ \d+ /, ' 0 '), 'c=IN IP4 0.0.0.0', mid, 'a=inactive'];
    return [...agreed(partner, section), mid, 'a=recvonly', `a=setup:${roles.client}`, ...transportOf(partner)];
  });
  return described(
    version,
    answered,
    janus.filter(({ kind }) => of(kind, client)).map((section) => valueOf(section, 'mid')),
  );
}

/** Makes the answer to a viewer's offer out of Janus's offer. */
export function answerToViewer(offer: string, janusOffer: string, version: number): string {
  const { client, janus, of } = pairsOf(offer, janusOffer);
  const roles = rolesOf(client);
  const answered = client.map((section) => {
    const partner = of(section.kind, janus);
    const mid = valueOf(section, 'mid');
    if (!partner) {
      return [(section.lines[0] ?? '').replace(/ \d+ /, ' 0 '), 'c=IN IP4 0.0.0.0', `a=mid:${mid}`, 'a=inactive'];
    }
    // The first stream. Others would be for retransmissions.
    const ssrc = valueOf(partner, 'ssrc').split(' ')[0] ?? '';
    return [
      ...agreed(section, partner),
      ...[`a=mid:${mid}`, receives(section) ? 'a=sendonly' : 'a=inactive'],
      ...[`a=setup:${roles.janus}`, `a=msid:room ${mid}`],
      ...(ssrc === '' ? [] : [`a=ssrc:${ssrc} cname:room`, `a=ssrc:${ssrc} msid:room ${mid}`]),
      ...transportOf(partner),
      'a=end-of-candidates',
    ];
  });
  return described(version, answered, bundleOf(client));
}

/** Returns the mids of the sections, when their offer bundles them. */
function bundleOf(client: readonly Section[]): string[] {
  const isBundled = client[0]?.session.some((line) => line.startsWith('a=group:BUNDLE')) ?? false;
  return isBundled ? client.map((section) => valueOf(section, 'mid')) : [];
}

/** Returns the offer of one section, as if its client had no other one. Null when it has none of the kind. */
export function offerOf(offer: string, kind: Kind): string | null {
  const section = sectionsOf(offer).find((one) => one.kind === kind);
  if (!section) return null;
  const session = section.session.filter((line) => !line.startsWith('a=group:'));
  return [...session, `a=group:BUNDLE ${valueOf(section, 'mid')}`, ...section.lines, ''].join('\r\n');
}

/**
 * Joins the answers to {@link offerOf}, in the order of the offer. The answer does not bundle: each section has its own
 * transport, to its own plugin of Janus.
 */
export function joinedAnswer(offer: string, answers: Readonly<Partial<Record<Kind, string>>>, version: number): string {
  const sections = sectionsOf(offer).map(({ kind }) => {
    const [section] = sectionsOf(answers[kind] ?? '');
    if (!section) return [];
    const lacking = TRANSPORT.concat('setup').filter(
      (name) => !section.lines.some((line) => line.startsWith(`a=${name}:`)),
    );
    const inherited = lacking.flatMap((name) => valuesOf(section, name).map((value) => `a=${name}:${value}`));
    return [...section.lines, ...inherited];
  });
  return described(version, sections, []);
}

/** Returns the name under which ICE knows the client in its offer. A new one restarts ICE. */
export const iceName = (offer: string): string =>
  valueOf(sectionsOf(offer)[0] ?? { kind: 'audio', lines: [], session: [] }, 'ice-ufrag');

const receives = ({ lines }: Section): boolean => !lines.some((line) => line === 'a=inactive' || line === 'a=sendonly');

/** Returns the kinds that the client wants to receive now. A picture that no view shows is offered as inactive. */
export const receivedKinds = (offer: string): readonly Kind[] =>
  sectionsOf(offer)
    .filter(receives)
    .map(({ kind }) => kind);

/** Returns the mids of an offer by kind. */
export const midsOf = (offer: string): Partial<Record<Kind, string>> =>
  Object.fromEntries(sectionsOf(offer).map((section) => [section.kind, valueOf(section, 'mid')]));
