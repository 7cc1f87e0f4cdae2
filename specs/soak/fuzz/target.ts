/** What is fuzzed: a reader of inputs that must refuse what it does not understand, and never break. */

export interface FuzzTarget {
  readonly name: string;
  /** The share of all inputs. */
  readonly share: number;
  /** Valid inputs, which are changed. */
  readonly seeds: readonly Buffer[];
  /** Opens a fresh world. */
  open(): Promise<FuzzWorld>;
  /** The number of inputs after which a fresh world is opened, so that memory stays bounded. */
  readonly worldInputs: number;
}

export interface FuzzWorld {
  /** Feeds an input. Resolves with the fault in one line. Null when the answer is as specified. */
  feed(input: Buffer): Promise<string | null>;
  /** Checks that the world still serves others, and closes it. Resolves with the fault in one line, or with null. */
  close(): Promise<string | null>;
}

const ONE_LINE = 300;

/** Returns an error in one line. */
export const faultOf = (what: string, error: unknown): string => {
  const [first = ''] = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n');
  return `${what}: ${first.slice(0, ONE_LINE)}`;
};

/** Returns the fault of an answer over HTTP. Null when it is specified: a result, or a refusal with its code in words. */
export function answerFault({ status, body }: { readonly status: number; readonly body: unknown }): string | null {
  if (status >= 500 && status !== 503) return `the answer has the status ${status}`;
  if (status < 400) return null;
  const refusal = body as { readonly code?: unknown; readonly message?: unknown } | null;
  const hasCode = typeof refusal?.code === 'number' || typeof refusal?.code === 'string';
  if (!hasCode || typeof refusal?.message !== 'string')
    return `a refusal with the status ${status} has no code or message`;
  return /node_modules|\bat \/|\.ts:\d/.test(refusal.message) ? 'a refusal shows the inside of the server' : null;
}

/** Messages of the log about what a client sent. Any other error is one of the server. */
const OF_CLIENTS = ['unreadable frame', 'unreadable frame by HTTP', 'conflicting request'];

/** Returns the fault that a log shows. Null without an error of the server. */
export function loggedFault(log: readonly { readonly level: string; readonly message: string }[]): string | null {
  const found = log.find(({ level, message }) => level === 'error' && !OF_CLIENTS.includes(message));
  return found ? `the server logs an error: ${found.message}` : null;
}
