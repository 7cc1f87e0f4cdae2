/**
 * The choice of the instance that serves a request. One server has many instances: its main one, and one for each
 * chosen script. So many tests share a port, and no test meets the users of another. A client chooses a script in one
 * of two ways:
 *     http://127.0.0.1:4870/scripts/decline      by the address of the exchange, of its requests and its sockets
 * alike
 *     ringback-demo/decline                      by the application id
 */
import * as v from 'valibot';
import { CHANNEL_QUERY, HEADERS } from '../../src/protocol/http.ts';
import { JSON_TYPE, type Admission, type HttpRequest, type HttpResponse, type RequestHead } from '../http/request.ts';
import { SERVED_BUDGETS } from '../budgets/product-budgets.ts';
import { BUILT_INS } from '../scripts/built-in.ts';
import { chooseScript, UnknownScript, type OwnScripts } from '../scripts/choose-script.ts';
import { requestName } from '../scripts/format/message-names.ts';
import type { Script } from '../scripts/format/tree.ts';
import type { ServerInstance } from './server-instance.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

export interface InstanceRegistryOptions {
  readonly main: ServerInstance;
  readonly appId: string;
  readonly userIds: readonly string[];
  /** Scripts from files. Null if the server plays no scripts. */
  readonly own: OwnScripts | null;
  /**
   * Opens the instance of a choice.
   * @param path - its path below this server.
   * @param mark - the prefix of each token that its exchange makes.
   */
  readonly open: (script: Script, path: string, mark: string) => ServerInstance;
}

/** A missing instance: the HTTP status, code and message for the client. */
export interface NoInstance {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

interface Found {
  readonly instance: ServerInstance;
  /** The path within the instance. */
  readonly path: string;
  /** The parts of the request that differ for the instance. */
  readonly request?: Partial<HttpRequest>;
}

/** The part of a login body that names the application. The instance checks the rest. */
const loginBody = v.looseObject({ app_id: v.string() });
const statsBody = v.looseObject({ log_data: v.looseObject({ app_id: v.string() }) });

const NOT_PLAYED = 'This exchange plays no scripts: it was started without them.';
const PREFIX = '/scripts';
/** The most instances at once. An instance without clients is closed for a new one. */
const MOST_INSTANCES = 500;
/** A character that no token of the exchange contains. */
const MARK_END = '~';

export class InstanceRegistry {
  readonly #options: InstanceRegistryOptions;
  /** The instances by the words that chose them, the most recently used last. */
  readonly #scripted = new Map<string, ServerInstance>();
  readonly #byMark = new Map<string, ServerInstance>();
  #made = 0;
  #isDisposed = false;

  constructor(options: InstanceRegistryOptions) {
    this.#options = options;
  }

  /**
   * Decides about a request before its body is read. The list of scripts, and the paths of missing instances, take no
   * body.
   */
  async admit(head: RequestHead): Promise<Admission | HttpResponse> {
    if (head.path === PREFIX) return { maxBytes: SERVED_BUDGETS.scripts.maxBytes, mediaTypes: [JSON_TYPE] };
    if (this.#wouldOpen(head.path) && isEmbedded(head)) return answerOf(NOT_FROM_THERE);
    const found = this.#byPath(head.path) ?? this.#byToken(head.path, tokenOf(head));
    if (!found) return this.#options.main.admit(head);
    if ('status' in found) return answerOf(found);
    return found.instance.admit({ ...head, path: found.path });
  }

  http(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    if (request.path === PREFIX && request.method === 'GET') return this.#list();
    const found = this.#byPath(request.path) ?? this.#bySession(request) ?? this.#byLogin(request);
    if (!found) return this.#options.main.http(request);
    if ('status' in found) return answerOf(found);
    return found.instance.http({ ...request, ...found.request, path: found.path });
  }

  /** Returns the instance for a new socket. */
  find(path: string, query: URLSearchParams): Found | NoInstance {
    const token = query.get(CHANNEL_QUERY.sessionToken) ?? '';
    return this.#byPath(path) ?? this.#byToken(path, token) ?? { instance: this.#options.main, path };
  }

  /** Stops all instances. A script that has no instance opens none from now on. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([this.#options.main, ...this.#scripted.values()].map((instance) => instance.dispose()));
  }

  /** Returns whether this path is the first to use a script and would open an instance. */
  #wouldOpen(path: string): boolean {
    const [, prefix, words = ''] = path.split('/');
    return `/${prefix}` === PREFIX && !this.#scripted.has(decodedOr(words));
  }

  #byPath(path: string): Found | NoInstance | null {
    if (!path.startsWith(`${PREFIX}/`)) return null;
    const [, , words = '', ...rest] = path.split('/');
    return this.#choose(words, `/${rest.join('/')}`);
  }

  #byToken(path: string, token: string): Found | null {
    const instance = this.#byMark.get(token.slice(0, token.indexOf(MARK_END) + 1));
    return instance ? { instance, path } : null;
  }

  /** Finds the instance by the session token. A client sends its script in its statistics as it does at the login. */
  #bySession(request: HttpRequest): Found | null {
    const { path, body } = request;
    const found = this.#byToken(path, tokenOf(request));
    if (!found || requestName(path) !== 'logs' || !v.is(statsBody, body)) return found;
    const words = this.#scriptIn(body.log_data.app_id);
    if (words === null || this.#scripted.get(words) !== found.instance) return found;
    const log_data = { ...body.log_data, app_id: this.#options.appId };
    return { ...found, request: { body: { ...body, log_data } } };
  }

  #byLogin({ path, body }: HttpRequest): Found | NoInstance | null {
    if (requestName(path) !== 'login' || !v.is(loginBody, body)) return null;
    const words = this.#scriptIn(body.app_id);
    if (words === null) return null;
    const found = this.#choose(encodeURIComponent(words), path);
    return 'status' in found ? found : { ...found, request: { body: { ...body, app_id: this.#options.appId } } };
  }

  /** Returns the script behind an application id: `decline` of `ringback-demo/decline`. Null if it has none. */
  #scriptIn(id: string): string | null {
    const prefix = `${this.#options.appId}/`;
    return id.startsWith(prefix) ? id.slice(prefix.length) : null;
  }

  #choose(encoded: string, path: string): Found | NoInstance {
    if (this.#options.own === null) return noInstance(NOT_PLAYED);
    try {
      const words = decodeURIComponent(encoded);
      const known = this.#scripted.get(words);
      if (!known && this.#isDisposed) return STOPPING;
      const instance = known ?? this.#open(words, this.#options.own);
      // Moves the instance to the end of the map, as the most recently used.
      this.#scripted.delete(words);
      this.#scripted.set(words, instance);
      return { instance, path };
    } catch (error) {
      if (error instanceof UnknownScript) return noInstance(error.message);
      if (error instanceof URIError) return noInstance('The script is not encoded well.');
      throw error;
    }
  }

  #open(words: string, own: OwnScripts): ServerInstance {
    const script = chooseScript(words, own, this.#options.userIds);
    this.#evict();
    this.#made += 1;
    const mark = `${this.#made}${MARK_END}`;
    const instance = this.#options.open(script, `${PREFIX}/${encodeURIComponent(words)}`, mark);
    this.#byMark.set(mark, instance);
    return instance;
  }

  #evict(): void {
    if (this.#scripted.size < MOST_INSTANCES) return;
    const idle = [...this.#scripted].find(([, { isIdle }]) => isIdle);
    if (!idle)
      throw new UnknownScript(
        `The limit of ${MOST_INSTANCES} active scripts is reached. Try again when one has ended.`,
      );
    const [words, instance] = idle;
    this.#scripted.delete(words);
    for (const [mark, marked] of this.#byMark) if (marked === instance) this.#byMark.delete(mark);
    void instance.dispose();
  }

  #list(): HttpResponse {
    const { own } = this.#options;
    if (own === null) return answerOf(noInstance(NOT_PLAYED));
    const builtIn = BUILT_INS.map(({ name, about, parameters }) => ({
      name,
      about,
      parameters: Object.entries(parameters).map(([parameter, one]) => ({
        name: parameter,
        about: one.about,
        default: one.default ?? null,
      })),
    }));
    const ofFiles = own.map(({ script, about = '' }) => ({ name: script, about, parameters: [] }));
    return { status: 200, body: { scripts: [...builtIn, ...ofFiles] } };
  }
}

function tokenOf({ headers }: RequestHead): string {
  return headers[HEADERS.sessionToken] ?? headers[HEADERS.shortLivedToken] ?? '';
}

const answerOf = ({ status, code, message }: NoInstance): HttpResponse => ({ status, body: { code, message } });

/**
 * Returns the refusal for a missing instance. The library treats it as a wrong value: it reports the message and does
 * not retry.
 */
const noInstance = (message: string): NoInstance => ({ status: 404, code: ErrorCode.INVALID_PARAMETER_VALUE, message });

/** The refusal of a socket of a new script while the server stops. The client tries again. */
const STOPPING: NoInstance = {
  status: 503,
  code: ErrorCode.ERR_REQUEST_FAILED,
  message: 'The server is restarting. Try again.',
};

const NOT_FROM_THERE: NoInstance = {
  status: 403,
  code: ErrorCode.ERR_REQUEST_FAILED,
  message: 'Pages of other sites may not open scripts.',
};

/**
 * Returns whether a page of another site has embedded the address, for example as an image. Its browser then sends no
 * Origin, so the check of origins cannot refuse it.
 */
const isEmbedded = ({ headers }: RequestHead): boolean =>
  headers['origin'] === undefined && headers['sec-fetch-site'] === 'cross-site';

/** Returns the part of a path, decoded. A wrongly encoded part is returned as it is. */
function decodedOr(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
