/** What the policies of a page permit the library: Content-Security-Policy and Permissions-Policy. Pure functions. */
import { fail, type Finding, ok, warning } from './check.ts';

/** A policy: its directives, each with its sources. A page with several policies must pass all of them. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** Parses the value of one header or meta element, which may hold several policies. */
export const parsePolicies = (text: string): Policy[] =>
  text
    .split(',')
    .map((one) => parsePolicy(one))
    .filter((policy) => policy.size > 0);

function parsePolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>();
  for (const part of text.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/);
    // The first of two equal directives counts.
    if (name !== '' && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources);
  }
  return policy;
}

const META = /<meta\b[^>]*>/gi;
const attribute = (tag: string, name: string): string =>
  new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i')
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined) ?? '';

/** Returns the policies in the meta elements of a page. */
export const metaPolicies = (html: string): Policy[] =>
  (html.match(META) ?? [])
    .filter((tag) => attribute(tag, 'http-equiv').toLowerCase() === 'content-security-policy')
    .flatMap((tag) => parsePolicies(attribute(tag, 'content').replaceAll('&#39;', "'").replaceAll('&quot;', '"')));

/** Returns the sources of a directive, or of `default-src`. Null when neither is set: everything is permitted. */
const sourcesOf = (policy: Policy, ...names: string[]): readonly string[] | null =>
  [...names, 'default-src'].map((name) => policy.get(name)).find((sources) => sources !== undefined) ?? null;

const NETWORK = ['http:', 'https:', 'ws:', 'wss:'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };
const portOf = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '');

/**
 * Returns whether a scheme of a source covers the scheme of an address. The standard also lets `ws:` cover `https:`,
 * which browsers do not do.
 */
const coversScheme = (source: string, scheme: string): boolean =>
  source === scheme || (source === 'http:' && scheme === 'https:') || (source === 'ws:' && scheme === 'wss:');

/** Returns whether a source list permits an address. */
const permits = (sources: readonly string[], url: URL, page: URL): boolean =>
  sources.some((source) => permitsOne(source.toLowerCase(), url, page));

function permitsOne(source: string, url: URL, page: URL): boolean {
  if (source === '*') return NETWORK.includes(url.protocol);
  if (source === "'self'") return isSelf(url, page);
  if (source.startsWith("'")) return false;
  if (/^[a-z][a-z\d+.-]*:$/.test(source)) return coversScheme(source, url.protocol);
  const [, scheme, host = '', port, path = ''] =
    /^(?:([a-z][a-z\d+.-]*:)\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(source) ?? [];
  // Without a scheme, that of the page counts.
  const given = scheme ?? page.protocol;
  if (host === '' || !coversScheme(given, url.protocol) || !coversHost(host, url.hostname)) return false;
  const isPort = port === '*' || portOf(url) === (port ?? DEFAULT_PORTS[url.protocol]);
  return isPort && (path === '' || (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path));
}

const coversHost = (pattern: string, host: string): boolean =>
  pattern === '*' || pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)));

/** Returns whether an address is of the page itself. Its sockets are, too. */
function isSelf(url: URL, page: URL): boolean {
  if (url.origin === page.origin) return true;
  const isUpgrade =
    url.protocol === 'https:' || url.protocol === 'wss:' || (page.protocol === 'http:' && url.protocol === 'ws:');
  return url.hostname === page.hostname && isUpgrade && portOf(url) === portOf(page);
}

/** The addresses of a page and of the exchange. */
export interface Addresses {
  readonly page: URL;
  readonly api: URL;
}

/** Returns the address of the sockets of an exchange. */
export const socketsOf = ({ href }: URL): URL => new URL(href.replace(/^http/, 'ws'));

/** Judges `connect-src`: the library sends requests to the exchange and opens a socket. */
export function judgeConnect(policies: readonly Policy[], { page, api }: Addresses): Finding {
  const wanted = [new URL('/v1/realtime', api), new URL('/v1/realtime', socketsOf(api))];
  const blocked = wanted.filter((url) => isBlocked(policies, ['connect-src'], url, page));
  if (blocked.length === 0) return ok('connect-src permits requests and sockets of the exchange');
  const origins = blocked.map(({ protocol, host }) => `${protocol}//${host}`);
  return fail(`connect-src of the page blocks ${origins.join(' and ')}`, `add to connect-src: ${origins.join(' ')}`);
}

const isBlocked = (policies: readonly Policy[], names: readonly string[], url: URL, page: URL): boolean =>
  policies.some((policy) => {
    const sources = sourcesOf(policy, ...names);
    return sources !== null && !permits(sources, url, page);
  });

/** Judges `script-src`: parts of the library load on first use, with the other scripts of the page. */
export function judgeScripts(policies: readonly Policy[]): Finding {
  const isClosed = policies.some((policy) => {
    const sources = sourcesOf(policy, 'script-src-elem', 'script-src');
    if (sources === null || sources.some((one) => /^'(strict-dynamic'|nonce-|sha\d+-)/i.test(one))) return false;
    return !sources.some((one) => one === '*' || !one.startsWith("'") || one.toLowerCase() === "'self'");
  });
  return isClosed
    ? fail('script-src of the page permits no script', "add 'self' to script-src, or the origin of your bundle")
    : ok('script-src permits scripts of the page');
}

/** Judges `media-src`: sounds that the host adds are files. The streams of calls need no permission. */
export function judgeMedia(policies: readonly Policy[], page: URL): Finding {
  return isBlocked(policies, ['media-src'], page, page)
    ? warning(
        'media-src of the page blocks sound files of the page',
        "add 'self' to media-src, when you add sounds of calls",
      )
    : ok('media-src permits sounds of the page');
}

/** Judges the header Permissions-Policy: camera and microphone must be permitted to the page itself. */
export function judgePermissions(header: string | null, page: URL): Finding {
  const blocked = ['camera', 'microphone'].filter((feature) => !isFeaturePermitted(header ?? '', feature, page));
  if (blocked.length > 0) {
    const wanted = blocked.map((feature) => `${feature}=(self)`).join(', ');
    return fail(`Permissions-Policy of the page blocks ${blocked.join(' and ')}`, `send Permissions-Policy: ${wanted}`);
  }
  return isFeaturePermitted(header ?? '', 'display-capture', page)
    ? ok('camera, microphone and screen are permitted')
    : warning('Permissions-Policy of the page blocks the screen', 'send display-capture=(self) to share the screen');
}

function isFeaturePermitted(header: string, feature: string, page: URL): boolean {
  const value = new RegExp(`(?:^|,)\\s*${feature}\\s*=\\s*(\\([^)]*\\)|[^,\\s]+)`, 'i').exec(header)?.[1];
  if (value === undefined) return true;
  const allowed = value.replaceAll(/[()]/g, '').split(/\s+/);
  return allowed.some((one) => one === '*' || one === 'self' || one === `"${page.origin}"`);
}
