/** The checks of a running exchange and of the page that uses it: what the application of a host gets wrong. */
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Clock } from '../../src/common/clock.ts';
import { HEADERS, PATHS } from '../../src/protocol/http.ts';
import { readVersion } from '../version.ts';
import { isLoopback } from '../../sim/server/allowed-hosts.ts';
import { type Check, fail, type Finding, ok, causeOf, codeOf, skipped, warning } from './check.ts';
import { findLibrary, judgeLibrary, judgeSession, judgeVersion } from './page-library.ts';
import {
  judgeConnect,
  judgeMedia,
  judgePermissions,
  judgeScripts,
  metaPolicies,
  parsePolicies,
  type Policy,
  socketsOf,
} from './page-policy.ts';

/** The most bytes of a page that are read, and of a probe. */
const PAGE_BYTES = 2_097_152;
const PROBE_BYTES = 65_536;
/** A larger difference of the clocks is a warning, since credentials of relays have an end. Milliseconds. */
const CLOCK_MS = 30_000;

interface Target {
  readonly server: string;
  /** The address of the page. Undefined without `--page`. */
  readonly page: string | undefined;
}

/** Returns the checks of an exchange, and of a page. */
export function serverChecks({ server, page }: Target, clock: Pick<Clock, 'wallTime'>): Check[] {
  const api = new URL(`${server}/`);
  const origin = page === undefined ? null : new URL(page).origin;
  const checks: Check[] = [
    { name: 'exchange', run: (signal) => checkReady(server, signal) },
    {
      name: 'https',
      async run(signal) {
        const found = judgeSecure(api, page === undefined ? null : new URL(page));
        return found.state === 'ok' ? checkScheme(api, found, signal) : found;
      },
    },
    { name: 'sockets', run: (signal) => checkSockets(api, signal) },
    { name: 'server clock', run: (signal) => checkServerClock(server, clock, signal) },
    ...aboutChecks(server),
    {
      name: 'cors',
      run: async (signal) => (origin === null ? skipped('--page names the page') : checkCors(server, origin, signal)),
    },
  ];
  return [...checks, ...pageChecks(api, page)];
}

/** Reads at most so many bytes of an answer. */
async function textOf(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (bytes >= most) break;
  }
  return text;
}

const START = 'start one with "ringback sim", or name another with --server';

/** Checks that an exchange answers, and that it is ready for clients. */
async function checkReady(server: string, signal: AbortSignal): Promise<Finding> {
  let response: Response;
  try {
    response = await fetch(`${server}/readyz`, { signal });
  } catch (error) {
    if (isPlain(server, error)) return fail(NO_TLS, plainFix(new URL(server)));
    return fail(`no exchange answers${causeOf(error)}`, START);
  }
  const status = await textOf(response, PROBE_BYTES).then(parsed, () => ({}));
  if (response.ok && 'status' in status && status.status === 'ready') return ok('ready for clients');
  if (!('status' in status) || typeof status.status !== 'string') {
    return fail(`the server there is no exchange, or a proxy hides /readyz (status ${response.status})`, START);
  }
  const failing = 'failing' in status && Array.isArray(status.failing) ? `: ${status.failing.join(', ')}` : '';
  return fail(`not ready (${status.status}${failing})`, 'read the log of the exchange, and run ringback doctor there');
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Judges the schemes. Browsers permit camera and microphone on secure pages alone, which send to https alone. */
export function judgeSecure(api: URL, page: URL | null): Finding {
  const isSecure = ({ protocol, hostname }: URL) => protocol === 'https:' || isLoopback(hostname);
  if (page && !isSecure(page)) {
    return fail(
      'the page is no secure context: browsers give it no camera and no microphone',
      'serve the page over https',
    );
  }
  if (page?.protocol === 'https:' && !isSecure(api)) {
    return fail('browsers block requests of an https page to http', 'put a proxy with TLS in front of the exchange');
  }
  if (!isSecure(api)) {
    return warning('the exchange uses plain http', 'put a proxy with TLS in front of it (docs/deployment.md)');
  }
  return ok(api.protocol === 'https:' ? 'the exchange uses https' : 'the exchange is on this machine');
}

/** What OpenSSL reports when the other end sends no TLS. */
const NO_TLS_CODES: readonly (string | undefined)[] = [
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'EPROTO',
];
const NO_TLS = 'the server there speaks http, not https';
const plainFix = ({ host }: URL) => `name it as http://${host}, or put a proxy with TLS in front of it`;

/** Returns whether a request over https has failed because the server speaks http. */
const isPlain = (server: string, error: unknown): boolean =>
  server.startsWith('https:') && NO_TLS_CODES.includes(codeOf(error));

/** Checks that the server speaks the scheme of its address. @param found - the finding when it does. */
async function checkScheme(api: URL, found: Finding, signal: AbortSignal): Promise<Finding> {
  try {
    await (await fetch(new URL('healthz', api), { signal })).body?.cancel();
    return found;
  } catch (error) {
    return isPlain(api.href, error) ? fail(NO_TLS, plainFix(api)) : notAnswering(error);
  }
}

const notAnswering = (error: unknown): Finding => skipped(`the exchange does not answer${causeOf(error)}`);

/** The codes of an address at which no program listens: another check reports that. */
const NOT_THERE: readonly (string | undefined)[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
];

/** Opens a socket without a session: an exchange refuses it, and a proxy that passes no upgrade answers otherwise. */
async function checkSockets(api: URL, signal: AbortSignal): Promise<Finding> {
  const url = new URL(`.${PATHS.channel}`, socketsOf(api));
  const socket = new WebSocket(url, { followRedirects: false });
  const stop = () => socket.terminate();
  // An abort and a refusal are errors of the socket too.
  socket.on('error', () => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [answered, refused] = [once(socket, 'open', { signal }), once(socket, 'unexpected-response', { signal })];
    answered.catch(() => undefined);
    const [, response] = (await Promise.race([answered.then(() => []), refused])) as [ClientRequest?, IncomingMessage?];
    const { statusCode } = response ?? {};
    return statusCode === undefined || statusCode === 401
      ? ok('websockets reach the exchange')
      : fail(`a websocket is answered with status ${statusCode}`, 'let the proxy pass on Upgrade and Connection');
  } catch (error) {
    if (NOT_THERE.includes(codeOf(error)) || isPlain(api.href, error)) return notAnswering(error);
    return fail(`no websocket reaches the exchange${causeOf(error)}`, 'let the proxy pass on Upgrade and Connection');
  } finally {
    signal.removeEventListener('abort', stop);
    socket.terminate();
  }
}

/** Returns the checks of what an exchange says about itself. It is asked once for all of them. */
function aboutChecks(server: string): Check[] {
  let asking: Promise<object | Finding> | null = null;
  const check = (name: string, judge: (about: object) => Finding): Check => ({
    name,
    async run(signal) {
      const about = await (asking ??= readAbout(server, signal));
      return 'state' in about ? about : judge(about);
    },
  });
  return [
    check('version', (about) => judgeVersion('version' in about ? about.version : undefined, readVersion())),
    check('session', (about) => judgeSession('session_s' in about ? about.session_s : undefined)),
  ];
}

async function readAbout(server: string, signal: AbortSignal): Promise<object | Finding> {
  try {
    const response = await fetch(`${server}/healthz`, { signal });
    return parsed(await textOf(response, PROBE_BYTES));
  } catch (error) {
    return notAnswering(error);
  }
}

/** Compares the clock of this machine with the date that the server sends. */
async function checkServerClock(server: string, clock: Pick<Clock, 'wallTime'>, signal: AbortSignal): Promise<Finding> {
  try {
    const response = await fetch(`${server}/healthz`, { signal });
    await response.body?.cancel();
    return judgeServerClock(response.headers.get('date'), clock.wallTime());
  } catch (error) {
    return notAnswering(error);
  }
}

/** Judges the difference between the date of an answer and the clock here. */
export function judgeServerClock(date: string | null, here: number): Finding {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return skipped('the server sends no date');
  const differs = Math.abs(there - here);
  const text = `the clocks differ by ${Math.round(differs / 1_000)} s`;
  return differs > CLOCK_MS ? warning(text, 'set both clocks by NTP: credentials of relays have an end') : ok(text);
}

/** Sends the preflight of a login from the origin of the page. */
async function checkCors(server: string, origin: string, signal: AbortSignal): Promise<Finding> {
  const needed = ['content-type', ...Object.values(HEADERS)];
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': needed.join(','),
  };
  const path = PATHS.login.replace('{user_id}', 'doctor');
  try {
    const response = await fetch(`${server}${path}`, { method: 'OPTIONS', headers, signal });
    await response.body?.cancel();
    return judgeCors(response, origin, needed);
  } catch (error) {
    return notAnswering(error);
  }
}

/** Judges the answer to a preflight. */
export function judgeCors(
  { ok: isOk, headers }: Pick<Response, 'ok' | 'headers'>,
  origin: string,
  needed: readonly string[],
): Finding {
  const allowed = headers.get('access-control-allow-origin');
  if (!isOk || (allowed !== origin && allowed !== '*')) {
    return fail(
      `the exchange refuses requests of ${origin}`,
      `start it with "ringback sim --allow-origin ${origin}"; with a configuration, add ${origin} to RINGBACK_ALLOWED_ORIGINS`,
    );
  }
  const given = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/\s*,\s*/);
  const missing = given.includes('*') ? [] : needed.filter((name) => !given.includes(name));
  return missing.length === 0
    ? ok(`the exchange accepts requests of ${origin}`)
    : fail(`the answer to a preflight lacks ${missing.join(', ')}`, 'let the proxy pass on OPTIONS unchanged');
}

interface LoadedPage {
  readonly url: URL;
  readonly policies: readonly Policy[];
  readonly permissions: string | null;
  readonly html: string;
}

/** Returns the checks of a page. It is loaded once for all of them. */
function pageChecks(api: URL, page: string | undefined): Check[] {
  let loading: Promise<LoadedPage | Finding> | null = null;
  const check = (
    name: string,
    judge: (loaded: LoadedPage, signal: AbortSignal) => Finding | Promise<Finding>,
  ): Check => ({
    name,
    async run(signal) {
      if (page === undefined) return skipped('--page names the page');
      const loaded = await (loading ??= loadPage(page, signal));
      return 'state' in loaded ? skipped(loaded.text) : judge(loaded, signal);
    },
  });
  return [
    {
      name: 'page',
      async run(signal) {
        if (page === undefined) return skipped('--page names the page');
        const loaded = await (loading ??= loadPage(page, signal));
        return 'state' in loaded ? loaded : ok(`answers at ${loaded.url.origin}`);
      },
    },
    check('connect-src', ({ policies, url }) => judgeConnect(policies, { page: url, api })),
    check('script-src', ({ policies }) => judgeScripts(policies)),
    check('media-src', ({ policies, url }) => judgeMedia(policies, url)),
    check('permissions', ({ permissions, url }) => judgePermissions(permissions, url)),
    check('library', async ({ html, url }, signal) =>
      judgeLibrary(await findLibrary(html, url, (script) => readScript(script, signal))),
    ),
  ];
}

/** Returns the text of a script. Null when it does not answer. */
async function readScript(url: URL, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, { signal });
    return response.ok ? await textOf(response, PAGE_BYTES) : null;
  } catch {
    return null;
  }
}

async function loadPage(page: string, signal: AbortSignal): Promise<LoadedPage | Finding> {
  try {
    const response = await fetch(page, { signal, headers: { accept: 'text/html' } });
    const html = await textOf(response, PAGE_BYTES);
    if (!response.ok) return fail(`the page has status ${response.status}`, 'name a page that exists with --page');
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    // A browser guesses the type of an answer without one.
    if (!(type === '' ? html.trimStart().startsWith('<') : /html/i.test(type)))
      return fail(
        `${type || 'the answer'} is no page of HTML`,
        'name the address of a page, not of an API, with --page',
      );
    const header = response.headers.get('content-security-policy');
    return {
      url: new URL(response.url),
      policies: [...(header === null ? [] : parsePolicies(header)), ...metaPolicies(html)],
      permissions: response.headers.get('permissions-policy'),
      html,
    };
  } catch (error) {
    return fail(`the page does not answer${causeOf(error)}`, 'start its server, or correct --page');
  }
}
