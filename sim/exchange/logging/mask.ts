/** Removes secrets, relay addresses, IP addresses, e-mails and phone numbers from log entries (S32). */

const HIDDEN = '***';
const SECRET_KEY =
  /token|password|secret|authorization|username|turn_urls|^sdp$|^credential$|cookie|api_?key|signature/i;
const DEPTH = 6;
/** The most characters of a line. A text from outside may be longer. */
const CHARS = 500;

/**
 * The patterns of secrets. Each starts only at the start of a run of its characters, so that a long run is read once.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:turns?|stuns?):[^\s"',\]]+/gi, `relay:${HIDDEN}`],
  // `sign` opens a file to every client that has the address.
  [/\b(session_token|access_token|token|sign)=[^&\s"']+/gi, `$1=${HIDDEN}`],
  [/\b(postgres(?:ql)?:\/\/)(?:(?!postgres(?:ql)?:\/\/)[^\s"'])*@/gi, `$1${HIDDEN}@`],
  [/\bBearer\s+[\w.~+/=-]+/gi, `Bearer ${HIDDEN}`],
  // A signed token (RFC 7519), whatever the name of its field.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  // The keys of the media, in an sdp that is not packed.
  [/\ba=(ice-pwd|fingerprint|crypto):[^\r\n"\\]*/g, `a=$1:${HIDDEN}`],
  [/(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g, HIDDEN],
  // Eight groups, or fewer around a double colon. A time of day has neither.
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, HIDDEN],
  [/(?<![\w:])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])/gi, HIDDEN],
  [/(?<![\w-])[\w-]+\.local\b/gi, HIDDEN],
  // E-mails as users write them, and as addresses encode them.
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}[\p{L}\p{N}-]*/giu, HIDDEN],
  // A stored phone number (E.164), and a phone number of Taiwan as users write it.
  [/(?:(?<![\w+])\+|%2B)[1-9]\d{7,14}(?!\w)/gi, HIDDEN],
  [/(?:(?<![\w.+])(?:\+?886[ -]?|0)|%2B886[ -]?)9\d\d[ -]?\d{3}[ -]?\d{3}(?!\w)/gi, HIDDEN],
];

/** Escapes control characters. A line break in a message would forge a line of the log (S33). */
const escaped = (text: string) =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the text without secrets and addresses, with escaped control characters, cut after `chars` characters. */
export function maskText(text: string, chars = CHARS): string {
  let masked = text.length > chars ? `${text.slice(0, chars)}…` : text;
  for (const [pattern, by] of PATTERNS) masked = masked.replace(pattern, by);
  return escaped(masked);
}

/** Returns the value for the log. Secrets are masked by the names of their fields, addresses everywhere. */
export function maskValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH) return '…';
  if (value instanceof Error) return `${value.name}: ${maskText(value.message)}`;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      maskText(key),
      SECRET_KEY.test(key) && inner !== null && inner !== undefined ? HIDDEN : maskValue(inner, depth + 1),
    ]),
  );
}
