/** The values people type: each parser returns the value or throws with what would have been right. */
import { InvalidArgumentError } from 'commander';
import { END_RESULTS, type EndResult } from '../../src/protocol/end-results.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { MEDIA_KINDS, type MediaKind } from './wanted.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * 3_600_000;

/** Milliseconds of a duration like 10s, 500ms or 2m. The unit is not optional: a bare 10 could be either. */
export function parseDuration(text: string): number {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  if (!parts) throw new InvalidArgumentError('A duration needs a number and a unit, like 10s, 500ms or 2m.');
  const ms = Number(parts[1]) * (UNITS[parts[2] as string] as number);
  if (ms > LONGEST_MS) throw new InvalidArgumentError('That is too long: 24h is the most.');
  return ms;
}

/** As parseDuration, but not zero. */
export function parsePositiveDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms <= 0) throw new InvalidArgumentError('It must be longer than zero.');
  return ms;
}

/** A TCP port; 0 asks for any free one. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

/** An address to listen at. None at all would mean every one. */
export function parseHost(text: string): string {
  const host = text.trim();
  if (host === '') throw new InvalidArgumentError('An address to listen at cannot be empty.');
  return host;
}

/** The name of an exchange in its database. */
export function parseName(text: string): string {
  const name = text.trim();
  if (!/^[\w.:@-]{1,128}$/.test(name)) {
    throw new InvalidArgumentError('A name has 1 to 128 letters, digits and the signs . : @ _ -');
  }
  return name;
}

/** A tone the meters can find, in hertz. */
export function parseTone(text: string): number {
  const hertz = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(hertz >= 100 && hertz <= 3_000))
    throw new InvalidArgumentError('A tone is a number of hertz from 100 to 3000.');
  return hertz;
}

/** The exchange's address, without a trailing slash. */
export function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new InvalidArgumentError('An exchange is an address like http://127.0.0.1:4870.');
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new InvalidArgumentError('Only scheme, host, port and path belong in the address.');
  }
  return url.href.replace(/\/+$/, '');
}

/** A server's websocket host, without a trailing slash. */
export function parseWebsocket(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'ws:' && url.protocol !== 'wss:')) {
    throw new InvalidArgumentError('A websocket host is an address like wss://calls.example.');
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new InvalidArgumentError('Only scheme, host, port and path belong in the address.');
  }
  return url.href.replace(/\/+$/, '');
}

/** A database: the path of a SQLite file, or a url of PostgreSQL. A wrong one is not repeated: it may hold a password. */
export function parseDatabase(text: string): string {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text.trim())?.[1]?.toLowerCase();
  const isPostgres = scheme === 'postgres' || scheme === 'postgresql';
  if (text.trim() === '' || (scheme !== undefined && !(isPostgres && URL.canParse(text)))) {
    throw new CommandError(
      'The database is neither the path of a file nor an address like postgres://127.0.0.1/calls.',
      EXIT.usage,
    );
  }
  return text.trim();
}

export function parseUser(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('A user id cannot be empty.');
  if (text === '.' || text === '..') throw new InvalidArgumentError('A user id cannot be a dot or two.');
  if (text.length > LIMITS.userIdChars) {
    throw new InvalidArgumentError(`A user id has at most ${LIMITS.userIdChars} characters.`);
  }
  return text;
}

/** An end result by its wire name; a dash does for the underscore. */
export function parseResult(text: string): EndResult {
  const wanted = text.toLowerCase().replaceAll('-', '_');
  const result = END_RESULTS.find((known) => known === wanted);
  if (!result) throw new InvalidArgumentError(`The results are ${END_RESULTS.join(', ')}.`);
  return result;
}

/** The least mean opinion score, on its scale. */
export function parseMos(text: string): number {
  const { min, max } = LIMITS.mos;
  const score = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(score >= min && score <= max))
    throw new InvalidArgumentError(`A mean opinion score is a number from ${min} to ${max}.`);
  return score;
}

/** Kinds of media with commas between them; more of them where the option is given again. */
export function parseMediaKinds(text: string, former: readonly MediaKind[] = []): readonly MediaKind[] {
  return text.split(',').reduce<readonly MediaKind[]>((kinds, word) => {
    const kind = MEDIA_KINDS.find((known) => known === word.trim());
    if (!kind) throw new InvalidArgumentError(`The kinds are ${MEDIA_KINDS.join(' and ')}, with a comma between them.`);
    if (kinds.includes(kind)) throw new InvalidArgumentError(`${kind} is there twice.`);
    return [...kinds, kind];
  }, former);
}

/** A whole number, as a seed is. */
export function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.');
  return Number(text);
}

/** A whole number of at least one. */
export function parseCount(text: string): number {
  const count = parseWhole(text);
  if (count === 0) throw new InvalidArgumentError('It must be at least 1.');
  return count;
}
