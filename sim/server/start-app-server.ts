import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import sirv from 'sirv';
import type { AppConfig } from '../../src/protocol/product/config.ts';
import { DEFAULT_APP_ID, DEFAULT_APP_PORT, DEFAULT_HOST } from './defaults.ts';
import { allowedHostsOf, isHostAllowed, isWildcard, urlHost } from './allowed-hosts.ts';
import { listen, stopListening } from './listen.ts';
import { securityHeaders } from './security-headers.ts';
import { targetOf } from './target.ts';

const HTML = 'text/html; charset=utf-8';

const gzipOf = promisify(gzip);

export interface AppServerOptions {
  /** The folder of the built app, with its index.html. */
  readonly dir: string;
  /** Default 4871. 0 lets the system choose. */
  readonly port?: number;
  /** Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** The settings of this deployment, which the page reads as /config.js. */
  readonly config: AppConfig;
  /** Host names of the server besides `host` and those of this machine. */
  readonly allowedHosts?: readonly string[];
}

/** A running server of the web app. */
export interface AppServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Returns the settings of an app whose product and calling service are both at this exchange. */
export function appConfigFor(simUrl: string, appId: string = DEFAULT_APP_ID): AppConfig {
  const wsUrl = simUrl.replace(/^http/, 'ws');
  return { app_id: appId, api_url: simUrl, ws_url: wsUrl, calling_api_url: simUrl, calling_ws_url: wsUrl };
}

/** The first segments of the app's routes (app-shell §2). */
export const APP_ROUTES: ReadonlySet<string> = new Set([
  'home',
  'privacy',
  'service',
  'register-man',
  'register-woman',
  'login',
  'home-man',
  'home-woman',
  'woman-setting',
  'woman-info',
  'man-info',
  'deposit-record',
  'transactions-chat-record',
  'transactions-record',
  'purchase',
  'woman-edit',
  'current-points',
  'income-details',
  'identity-verification',
  'redemption-records',
  'account-verification',
  'chat-list',
  'man-chat-list',
  'settings',
  'rooms',
  'demo',
]);

/**
 * Serves the built web app: its files, its settings, and its page for each of its routes. The app also answers an
 * unknown page, with status 404. A missing file gets a plain 404.
 * @throws Error when `dir` holds no built app; ListenError when the port is taken (code EADDRINUSE) or must not be
 *   used.
 */
export async function startAppServer(options: AppServerOptions): Promise<AppServer> {
  const { dir, port: wanted = DEFAULT_APP_PORT, host = DEFAULT_HOST, config } = options;
  const page = join(dir, 'index.html');
  if (!existsSync(page)) throw new Error(`There is no built app in ${dir}. Build it with: npm run build`);
  const allowedHosts = allowedHostsOf(host, options.allowedHosts);
  const headers = securityHeaders(config);
  // In an inline script a "<" could close the element.
  const settings = `window.__CONFIG__ = ${JSON.stringify(config).replaceAll('<', '\\u003c')};\n`;
  const files = filesOf(dir);
  const worker = join(dir, 'sw.js');
  // A browser caches a page with its headers. Other headers make it another page, with another service worker.
  const deployment = createHash('sha256')
    .update(JSON.stringify([headers, settings]))
    .digest('hex')
    .slice(0, 12);

  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (!isHostAllowed(allowedHosts, request))
      return refuse(response, 421, 'The server does not answer to this Host header.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return refuse(response, 405, 'The path does not accept this method.');
    }
    const { path } = targetOf(request);
    if (path === '/config.js') return sendSettings(request, response, settings);
    if (path === '/sw.js' && existsSync(worker)) return void sendWorker(request, response, worker, deployment);
    // Sirv fails on a range that ends before it begins. The whole file is always a correct answer (RFC 9110 §14.2).
    delete request.headers.range;
    // A new build may remove a file while the server runs.
    response.on('pipe', (file: Readable) => file.on('error', () => response.destroy()));
    files(request, response, () => {
      const first = path.split('/')[1] ?? '';
      if (APP_ROUTES.has(first)) {
        // The page is compressed and marked as every file is.
        request.url = '/';
        return files(request, response, () => refuse(response, 404, 'The server has no such file.'));
      }
      if (path.split('/').at(-1)?.includes('.') || first === 'assets') {
        return refuse(response, 404, 'The server has no such file.');
      }
      sendUnknownPage(request, response, page);
    });
  });
  const port = await listen(server, wanted, host);
  return {
    url: `http://${urlHost(isWildcard(host) ? DEFAULT_HOST : host)}:${port}`,
    port,
    close: () => stopListening(server),
  };
}

/** Returns the handler of the files of the built app. */
const filesOf = (dir: string) =>
  sirv(dir, {
    etag: true,
    // The build stores a compressed copy beside each text.
    brotli: true,
    gzip: true,
    setHeaders(response, path) {
      response.setHeader('cache-control', cacheControl(path));
      if (path === '/') response.setHeader('content-type', HTML);
      if (path === '/manifest.json') response.setHeader('content-type', 'application/manifest+json; charset=utf-8');
    },
  });

/** Sends the settings as a script. They may change at each start. */
function sendSettings(request: IncomingMessage, response: ServerResponse, settings: string): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', 'text/javascript; charset=utf-8');
  response.end(request.method === 'HEAD' ? undefined : settings);
}

/**
 * Returns the caching rule of a file. Files with a hash in their names never change. Browsers must check the page for
 * a new version.
 */
const cacheControl = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

/** Sends the service worker, with the id of the deployment in front. A browser checks it each time. */
async function sendWorker(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  file: string,
  deployment: string,
): Promise<void> {
  try {
    const script = `self.__DEPLOYMENT__ = '${deployment}';\n${await readFile(file, 'utf8')}`;
    const isPacked = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
    const body = isPacked ? await gzipOf(script) : script;
    if (isPacked) response.setHeader('content-encoding', 'gzip');
    response.writeHead(200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    response.end(method === 'HEAD' ? undefined : body);
  } catch {
    refuse(response, 404, 'The server has no such file.');
  }
}

/** Sends the app's page with status 404: the app shows that the page does not exist. */
function sendUnknownPage(request: IncomingMessage, response: ServerResponse, page: string): void {
  response.writeHead(404, { 'content-type': HTML, 'cache-control': 'no-cache' });
  if (request.method === 'HEAD') response.end();
  else createReadStream(page).pipe(response);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ code: status, message }));
}
