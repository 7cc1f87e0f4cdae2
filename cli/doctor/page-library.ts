/** Finds the library in the scripts of a page, and its version. */
import { HEADERS } from '../../src/protocol/http.ts';
import { LIBRARY_VERSION } from '../../src/protocol/limits.ts';
import { fail, type Finding, ok, skipped, warning } from './check.ts';

/** The most scripts of a page that are read. */
const SCRIPTS = 100;

const SOURCE = /<(?:script|link)\b[^>]*?\b(?:src|href)\s*=\s*["']([^"']+?\.m?js(?:\?[^"']*)?)["']/gi;
const IMPORT = /["'`]((?:\.{0,2}\/)?[\w@./-]+\.m?js)["'`]/g;
/** A version in a script, as a bundler writes it. */
const VERSION = /["'`](\d+\.\d+\.\d+)["'`]/g;

/**
 * Reads the scripts of a page, and the scripts that they load. Stops at the library.
 *
 * @param read - returns the text of a script. Null when it does not answer.
 * @returns the text of the script with the library. Null when no script has it.
 */
export async function findLibrary(
  html: string,
  page: URL,
  read: (url: URL) => Promise<string | null>,
): Promise<string | null> {
  const found = (text: string, pattern: RegExp, base: URL) =>
    [...text.matchAll(pattern)].flatMap(([, path = '']) =>
      URL.canParse(path, base) ? [new URL(path, base).href] : [],
    );
  if (hasLibrary(html)) return html;
  const waiting = found(html, SOURCE, page);
  const seen = new Set<string>();
  for (let url = waiting.shift(); url !== undefined && seen.size < SCRIPTS; url = waiting.shift()) {
    if (seen.has(url)) continue;
    seen.add(url);
    const text = await read(new URL(url));
    if (text === null) continue;
    if (hasLibrary(text)) return text;
    waiting.push(...found(text, IMPORT, new URL(url)).filter((one) => new URL(one).origin === new URL(url).origin));
  }
  return null;
}

const hasLibrary = (text: string): boolean => text.includes(HEADERS.libraryVersion);

/** Judges the version of the library in a script, against that of these tools. */
export function judgeLibrary(script: string | null): Finding {
  if (script === null) return skipped('no script of the page has the library: it may load later, or after a sign-in');
  const versions = [...script.matchAll(VERSION)].map(([, version = '']) => version);
  if (versions.includes(LIBRARY_VERSION)) return ok(`the page has version ${LIBRARY_VERSION} of the library`);
  return warning(
    `the page has another version of the library than ${LIBRARY_VERSION}, that of these tools`,
    'npm install ringback@latest in the project of the page, and ringback-lab@latest beside it',
  );
}

/** The shortest session with which a page signs in rarely, seconds. */
const SESSION_S = 3_600;

/** Judges the version of an exchange, against that of these tools. @param theirs - undefined when it says none. */
export function judgeVersion(theirs: unknown, ours: string): Finding {
  if (typeof theirs !== 'string' || theirs === 'unknown') return skipped('the exchange does not say its version');
  return theirs === ours
    ? ok(`the exchange has version ${ours}, as these tools`)
    : warning(`the exchange has version ${theirs}, and these tools ${ours}`, `npm install ringback-lab@${theirs}`);
}

/** Judges the length of the sessions of an exchange. @param seconds - undefined when the exchange does not say it. */
export function judgeSession(seconds: unknown): Finding {
  if (typeof seconds !== 'number') return skipped('the exchange does not say how long a session is');
  const words = seconds >= SESSION_S ? `${Math.round(seconds / 360) / 10} h` : `${Math.round(seconds)} s`;
  const fix = `set sessionMs of the exchange to ${SESSION_S * 1_000} at least; its default is a day`;
  if (seconds <= 0) return fail('sessions end at once: no page stays signed in', fix);
  return seconds < SESSION_S
    ? warning(
        `a session is ${words}: an open page signs in that often, and loses its user when a token has expired`,
        fix,
      )
    : ok(`a session is ${words}`);
}
