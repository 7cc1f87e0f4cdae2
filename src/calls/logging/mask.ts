/**
 * Masks what a log must not show: tokens, passwords, addresses of relay servers, IP addresses (§5).
 *
 * Masking works on the shape of text, because secrets reach a log inside other texts: urls, sdp, JSON, error messages.
 * A doubtful shape is masked: a hidden version number does no harm.
 */

const MASK = '***';

/** Names of secret values in any spelling: access_token, sessionToken, x-session-token, ice-pwd. */
const SECRET_NAME = String.raw`(?:token|password|passwd|pwd|secret|credential|authorization)`;
const SECRET_KEY = new RegExp(`${SECRET_NAME}$`, 'i');

/** `name: value`, `name=value`, `"name":"value"`, also where the quotes are escaped. */
const SECRET_PAIR = new RegExp(
  String.raw`(${SECRET_NAME}\\*["']?\s*[:=]\s*)(?:(\\*["'])(?:(?!\2)(?:\\.|[^\\]))*|(?:bearer\s+|basic\s+)?[^\s&,;"'}\])\\]+)`,
  'gis',
);
const BEARER = /\b(bearer\s+)[^\s"',;]+/gi;
const RELAY_URL = /\b(turns?|stuns?):(?:\/\/)?[^\s"'<>,\\\])}]+/gi;
/** The start of any gzip in base64. A packed sdp is full of addresses. */
const PACKED = /\bH4sI[A-Za-z0-9+/_-]{8,}={0,2}/g;
const IPV4 = /(?<!\d)(?:\d{1,3}\.){3}\d{1,3}(?!\d)/g;
const IPV6_RUN = /[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:%[\w.-]+)?/gi;

const GROUP = /^[0-9a-f]{1,4}$/i;
const DOTTED = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** Returns whether a text is an IPv6 address (RFC 4291 §2.2). `::` alone identifies no host and is not one. */
function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2 || !/[0-9a-f]/i.test(text)) return false;
  let groups = 0;
  const parts = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) groups += 1;
    else if (index === parts.length - 1 && DOTTED.test(part)) groups += 2;
    else return false;
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

/** Masks the address in a run of hexadecimal digits, colons and dots, which may touch other characters. */
function maskIpv6Run(run: string, offset: number, whole: string): string {
  const before = whole[offset - 1] ?? '';
  const after = whole[offset + run.length] ?? '';
  // A run that begins or ends inside a word begins or ends with a piece of that word.
  const lead = /\w/.test(before) ? /^[^:]*:?/ : /^[:.]/;
  const tail = /\w/.test(after) ? /:?[^:]*$/ : /[:.]$/;
  for (const from of [0, lead.exec(run)?.[0].length ?? 0]) {
    for (const to of [run.length, tail.exec(run)?.index ?? run.length]) {
      const address = run.slice(from, to).replace(/%.*$/s, '');
      if (isIpv6(address) && !(from === 0 && /\w/.test(before))) return run.slice(0, from) + MASK + run.slice(to);
    }
  }
  return run;
}

/** Masks everything in a text that has the shape of a secret or an address. */
export function maskText(text: string): string {
  return text
    .replace(PACKED, `H4sI${MASK}`)
    .replace(RELAY_URL, `$1:${MASK}`)
    .replace(SECRET_PAIR, (_, name: string, quote: string | undefined) => `${name}${quote ?? ''}${MASK}`)
    .replace(BEARER, `$1${MASK}`)
    .replace(IPV6_RUN, maskIpv6Run)
    .replace(IPV4, MASK);
}

const MAX_DEPTH = 8;

/**
 * Returns a copy of a value for the log: plain data, masked by name and by shape. Errors keep name, message, code and
 * cause. Cycles and deep values are named instead of followed. Never throws.
 */
export function maskValue(value: unknown): unknown {
  return plain(value, new Set(), 0);
}

function plain(value: unknown, above: ReadonlySet<object>, depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (above.has(value)) return '[circular]';
  if (depth === MAX_DEPTH) return '[too deep]';
  const within = new Set(above).add(value);
  const inner = (item: unknown) => plain(item, within, depth + 1);
  try {
    if (Array.isArray(value)) return value.map(inner);
    if (value instanceof Map) return [...value].map(inner);
    if (value instanceof Set) return [...value].map(inner);
    return Object.fromEntries(
      entriesOf(value).map(([key, item]) => [
        maskText(key),
        SECRET_KEY.test(key) && (typeof item === 'string' || typeof item === 'number') ? MASK : inner(item),
      ]),
    );
  } catch {
    return '[unreadable]';
  }
}

function entriesOf(value: object): [string, unknown][] {
  const own = Object.entries(value);
  if (!(value instanceof Error)) return own;
  const said: [string, unknown][] = [
    ['name', value.name],
    ['message', value.message],
  ];
  if (value.cause !== undefined) said.push(['cause', value.cause]);
  return [...said, ...own.filter(([key]) => !['name', 'message', 'cause', 'stack'].includes(key))];
}
