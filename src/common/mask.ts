/**
 * Masks what a log must not show: tokens, passwords, addresses of relay servers, IP addresses (§5, S32).
 *
 * Masking works on the shape of text, because secrets reach a log inside other texts: urls, sdp, JSON, error messages.
 * A doubtful shape is masked: a hidden version number does no harm. Every pattern reads a hostile text in linear time
 * (S33): it starts only where a run of its characters starts, or its length is limited.
 */

const MASK = '***';

/** Names of secret values in any spelling: access_token, sessionToken, x-session-token, ice-pwd. */
const SECRET_NAME = 'token|passwo?r?d|pwd|secret|authorization';
/** The name of a field that is hidden with everything in it. */
const SECRET_KEY = new RegExp(`${SECRET_NAME}|username|turn_urls|^sdp$|^credential$|cookie|api_?key|signature`, 'i');

/** `name: value`, `name=value`, `"name":"value"`, also where the quotes are escaped. */
const SECRET_PAIR = new RegExp(
  String.raw`((?:${SECRET_NAME}|credential)\\*["']?\s*[:=]\s*(?:(?:bearer|basic)\s+)?)(?:(\\{0,31}["'])(?:(?!\2)(?:\\.|[^\\]))*|\\{32,}\S*|[^\s&,;"'}\])\\]+)`,
  'gis',
);

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
  const before = whole.charAt(offset - 1);
  const after = whole.charAt(offset + run.length);
  // A run that begins or ends inside a word begins or ends with a piece of that word.
  const lead = /\w/.test(before) ? run.indexOf(':') + 1 : Number(/^[:.]/.test(run));
  const tail = /\w/.test(after) ? run.lastIndexOf(':') : run.length - Number(/[:.]/.test(run.slice(-1)));
  for (const from of [0, lead]) {
    for (const to of [run.length, tail]) {
      const address = run.slice(from, to).replace(/%.*$/s, '');
      if (isIpv6(address) && !(from === 0 && /\w/.test(before))) return run.slice(0, from) + MASK + run.slice(to);
    }
  }
  return run;
}

/** A pattern of secrets, and what the log shows in their place. */
export type MaskPattern = readonly [pattern: RegExp, by: string];

/**
 * What only the log of the server hides: logins of databases, keys of media, e-mail addresses, phone numbers, and
 * tokens and addresses whose neighbours {@link maskText} takes for a part of them.
 */
export const SERVER_ONLY: readonly MaskPattern[] = [
  [/\b(postgres(?:ql)?:\/\/)(?:(?!postgres(?:ql)?:\/\/)[^\s"'])*@/gi, `$1${MASK}@`],
  // The keys of the media, in an sdp that is not packed.
  [/\ba=(ice-pwd|fingerprint|crypto):[^\r\n"\\]*/g, `a=$1:${MASK}`],
  // E-mails as users write them, and as addresses encode them.
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}[\p{L}\p{N}-]*/giu, MASK],
  // A stored phone number (E.164), and a phone number of Taiwan as users write it.
  [/(?:(?<![\w+])\+|%2B)[1-9]\d{7,14}(?!\w)/gi, MASK],
  [/(?:(?<![\w.+])(?:\+?886[ -]?|0)|%2B886[ -]?)9\d\d[ -]?\d{3}[ -]?\d{3}(?!\w)/gi, MASK],
  // A signed token with a head of any length.
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, MASK],
  // IPv6 addresses beside dots: eight groups, or fewer around a double colon.
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?:%[\w.-]+)?(?![\w:])/gi, MASK],
  [
    /(?<![\w:])(?=[0-9a-f]|::[0-9a-f])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?:%[\w.-]+)?(?![\w:])/gi,
    MASK,
  ],
];

/**
 * Returns a text without everything that has the shape of a secret or an address, or that matches `more`. `more` comes
 * first: a password in the login of a database may look like a part of another secret.
 */
export function maskText(text: string, more: readonly MaskPattern[] = []): string {
  return (
    more
      .reduce((left, [pattern, by]) => left.replace(pattern, by), text)
      // The start of any gzip in base64. A packed sdp is full of addresses.
      .replace(/\bH4sI[A-Za-z0-9+/_-]{8,}={0,2}/g, `H4sI${MASK}`)
      .replace(/\b(?:turns?|stuns?):(?:\/\/)?[^\s"'<>,\\\])}]+/gi, `relay:${MASK}`)
      .replace(SECRET_PAIR, (_, name: string, quote = '') => name + quote + MASK)
      // A value of a query ends at its separator only. `sign` opens a file to every client that has the address.
      .replace(/(token|\bsign)=(?!\\*["'])[^&\s"']+/gi, `$1=${MASK}`)
      .replace(/\bbearer\s+[^\s"',;]+/gi, `Bearer ${MASK}`)
      // A signed token (RFC 7519), whatever the name of its field.
      .replace(/\beyJ[\w-]{1,512}\.[\w-]+\.[\w-]*/g, MASK)
      .replace(/(?<![0-9a-f:.])[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:%[\w.-]+)?/gi, maskIpv6Run)
      .replace(/(?<!\d)(?:\d{1,3}\.){3}\d{1,3}(?!\d)/g, MASK)
      // The name of a host in a candidate (RFC 8839, mDNS).
      .replace(/(?<![\w-])[\w-]+\.local\b/gi, MASK)
  );
}

export interface MaskOptions {
  /** Masks each text of the value. Default: {@link maskText}. */
  readonly text?: (text: string) => string;
  /** Returns what the log shows of an error. Default: its name, message, cause and fields, masked. */
  readonly error?: (error: Error) => unknown;
}

const MAX_DEPTH = 8;

/**
 * Returns a copy of a value for the log: plain data, masked by name and by shape. Cycles and deep values are named
 * instead of followed. Never throws.
 */
export function maskValue(value: unknown, options: MaskOptions = {}): unknown {
  return plain(value, options, new Set(), 0);
}

function plain(value: unknown, options: MaskOptions, above: ReadonlySet<object>, depth: number): unknown {
  const { text = maskText, error } = options;
  if (typeof value === 'string') return text(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (above.has(value)) return '[circular]';
  if (depth === MAX_DEPTH) return '[too deep]';
  const within = new Set(above).add(value);
  const inner = (item: unknown) => plain(item, options, within, depth + 1);
  try {
    if (error && value instanceof Error) return error(value);
    if (Array.isArray(value) || value instanceof Map || value instanceof Set) return Array.from(value, inner);
    return Object.fromEntries(
      entriesOf(value).map(([key, item]) => [text(key), isHidden(key, item) ? MASK : inner(item)]),
    );
  } catch {
    return '[unreadable]';
  }
}

function isHidden(key: string, item: unknown): boolean {
  if (item === null || item === undefined) return false;
  // The credential of a relay has parts, such as its lifetime, that are no secret.
  return SECRET_KEY.test(key) || (/credential$/i.test(key) && typeof item !== 'object');
}

function entriesOf(value: object): [string, unknown][] {
  if (!(value instanceof Error)) return Object.entries(value);
  const { name, message, cause } = value;
  const own: object = value;
  return Object.entries({ name, message, ...(cause === undefined ? {} : { cause }), ...own }).filter(
    ([key]) => key !== 'stack',
  );
}
