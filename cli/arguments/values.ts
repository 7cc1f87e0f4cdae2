/** Parsers of values on the command line. Each returns the value, or throws an error that states the valid form. */
import { InvalidArgumentError } from 'commander';
import { END_RESULTS, type EndResult } from '../../src/protocol/end-results.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { MEDIA_KINDS, type MediaKind } from './wanted.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * 3_600_000;

/**
 * Parses a duration like 10s, 500ms or 2m. Returns milliseconds. The unit is required, because a bare 10 is ambiguous.
 */
export function parseDuration(text: string): number {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  if (!parts) throw new InvalidArgumentError('A duration needs a number and a unit, like 10s, 500ms or 2m.');
  const ms = Number(parts[1]) * (UNITS[parts[2] as string] as number);
  if (ms > LONGEST_MS) throw new InvalidArgumentError('The duration is too long. The maximum is 24h.');
  return ms;
}

/** Parses a duration that is longer than zero. Returns milliseconds. */
export function parsePositiveDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms <= 0) throw new InvalidArgumentError('The duration must be longer than zero.');
  return ms;
}

/** Parses a TCP port. 0 selects any free port. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

/** Parses an address to listen at. Refuses an empty one, with which Node listens at every address. */
export function parseHost(text: string): string {
  const host = text.trim();
  if (host === '') throw new InvalidArgumentError('An address to listen at cannot be empty.');
  return host;
}

/** Parses the number of nodes of an exchange in virtual time. */
export function parseNodes(text: string): number {
  const nodes = /^\d$/.test(text) ? Number(text) : 0;
  if (nodes < 1) throw new InvalidArgumentError('A number of nodes is a whole number from 1 to 9.');
  return nodes;
}

/** Parses the name of an exchange in its database. */
export function parseName(text: string): string {
  const name = text.trim();
  if (!/^[\w.:@-]{1,128}$/.test(name)) {
    throw new InvalidArgumentError('A name has 1 to 128 letters, digits and the characters . : @ _ -');
  }
  return name;
}

/** Parses the frequency of a tone that the meters can detect, in hertz. */
export function parseTone(text: string): number {
  const hertz = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(hertz >= 100 && hertz <= 3_000))
    throw new InvalidArgumentError('A tone is a number of hertz from 100 to 3000.');
  return hertz;
}

/** Parses the address of the exchange. Removes a trailing slash. */
export function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new InvalidArgumentError('The exchange must be an address like http://127.0.0.1:4870.');
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new InvalidArgumentError('The address may have only a scheme, host, port and path.');
  }
  return url.href.replace(/\/+$/, '');
}

/** Parses the address of a page. Its query and fragment are removed, since they may hold a token. */
export function parsePage(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) {
    throw new InvalidArgumentError(
      'A page must be an address like https://app.example, without a user and a password.',
    );
  }
  return `${url.origin}${url.pathname}`;
}

/** Parses the origin of pages: a scheme and a host, perhaps with a port. */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || ![url.origin, `${url.origin}/`].includes(text))
    throw new InvalidArgumentError('An origin is a scheme and a host, like https://app.test or http://localhost:3000.');
  return url.origin;
}

/** Parses the websocket host of a server. Removes a trailing slash. */
export function parseWebsocket(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'ws:' && url.protocol !== 'wss:')) {
    throw new InvalidArgumentError('The websocket host must be an address like wss://calls.example.');
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new InvalidArgumentError('The address may have only a scheme, host, port and path.');
  }
  return url.href.replace(/\/+$/, '');
}

/**
 * Parses a database: the path of a SQLite file, or a url of PostgreSQL. The error omits the value, which may hold a
 * password.
 */
export function parseDatabase(text: string): string {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text.trim())?.[1]?.toLowerCase();
  const isPostgres = scheme === 'postgres' || scheme === 'postgresql';
  if (text.trim() === '' || (scheme !== undefined && !(isPostgres && URL.canParse(text)))) {
    throw new CommandError(
      'The database must be the path of a file or an address like postgres://127.0.0.1/calls.',
      EXIT.usage,
    );
  }
  return text.trim();
}

export function parseUser(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('A user id cannot be empty.');
  if (text === '.' || text === '..') throw new InvalidArgumentError('A user id cannot be "." or "..".');
  if (text.length > LIMITS.userIdChars) {
    throw new InvalidArgumentError(`A user id has at most ${LIMITS.userIdChars} characters.`);
  }
  return text;
}

/** Parses an end result by its wire name. A dash may replace the underscore. */
export function parseResult(text: string): EndResult {
  const wanted = text.toLowerCase().replaceAll('-', '_');
  const result = END_RESULTS.find((known) => known === wanted);
  if (!result) throw new InvalidArgumentError(`The results are ${END_RESULTS.join(', ')}.`);
  return result;
}

/** Parses the minimum mean opinion score, within its scale. */
export function parseMos(text: string): number {
  const { min, max } = LIMITS.mos;
  const score = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(score >= min && score <= max))
    throw new InvalidArgumentError(`A mean opinion score is a number from ${min} to ${max}.`);
  return score;
}

/** Parses kinds of media with commas between them. A repeated option adds kinds. */
export function parseMediaKinds(text: string, former: readonly MediaKind[] = []): readonly MediaKind[] {
  return text.split(',').reduce<readonly MediaKind[]>((kinds, word) => {
    const kind = MEDIA_KINDS.find((known) => known === word.trim());
    if (!kind) throw new InvalidArgumentError(`The kinds are ${MEDIA_KINDS.join(' and ')}, with a comma between them.`);
    if (kinds.includes(kind)) throw new InvalidArgumentError(`${kind} is given twice.`);
    return [...kinds, kind];
  }, former);
}

/** Parses a whole number, such as a seed. */
export function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('The value must be a whole number from 0 to 999999999.');
  return Number(text);
}

/** Parses a whole number of at least 1. */
export function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count === 0) throw new InvalidArgumentError('The value must be a whole number from 1 to 999999999.');
  return count;
}

/** The most seeds of a run. */
const MOST_SEEDS = 10_000;

/** Parses a list of seeds: `3,7` or `1-20`. A repeated seed counts once. */
export function parseSeeds(text: string): readonly number[] {
  const parts = text.split(',').map((part) => {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()) ?? [];
    return { from: Number(from), count: Number(to) - Number(from) + 1 };
  });
  const seeds = new Set<number>();
  for (const { from, count } of parts) {
    const isList = count >= 1 && count <= MOST_SEEDS;
    for (let seed = from; isList && seed < from + count; seed += 1) seeds.add(seed);
    if (!isList || seeds.size > MOST_SEEDS)
      throw new InvalidArgumentError(`Seeds look like 3,7 or 1-20, and are ${MOST_SEEDS} at most.`);
  }
  if (parts.length === 1 && seeds.size === 1)
    throw new InvalidArgumentError(
      `Seeds look like 3,7 or 1-20. For one seed use --seed ${text}${Number(text) > 1 ? `, for ${text} seeds --repeat ${text}` : ''}.`,
    );
  return [...seeds];
}

/** One part of several of a run. */
export interface Shard {
  /** Counted from 1. */
  readonly part: number;
  readonly of: number;
}

/** Parses `2/4`. */
export function parseShard(text: string): Shard {
  const [, part, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (part === undefined || of === undefined) throw new InvalidArgumentError('The part must look like 2/4.');
  if (part < 1 || part > of) throw new InvalidArgumentError(`Of ${of} parts there is no part ${part}.`);
  return { part, of };
}

/** Parses a regular expression. */
export function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch {
    throw new InvalidArgumentError('The pattern must be a regular expression.');
  }
}

/** Parses the most rows of a list. */
export function parseRows(text: string): number {
  const rows = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (rows < 1 || rows > 1_000) throw new InvalidArgumentError('A number of rows is a whole number from 1 to 1000.');
  return rows;
}
