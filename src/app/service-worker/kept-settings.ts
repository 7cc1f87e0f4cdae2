import { isWhole } from './is-whole.ts';

/** `/config.js`: the server's word while it can be reached, the last one else, so that the app starts offline. */
export const SETTINGS_PATH = '/config.js';

/** A network that takes longer is as good as none to somebody who waits for the first picture. */
export const SETTINGS_WAIT_MS = 3_000;

interface Outside {
  fetch(request: Request | string, init?: RequestInit): Promise<Response>;
  openCache(): Promise<Pick<Cache, 'match' | 'put'>>;
  /** A signal that aborts after so many milliseconds. */
  timeout(ms: number): AbortSignal;
}

export interface KeptSettings {
  /** Keeps the settings of now. */
  keep(): Promise<void>;
  answer(): Promise<Response>;
}

export function createKeptSettings(outside: Outside): KeptSettings {
  async function fetched(init?: RequestInit): Promise<Response> {
    const response = await outside.fetch(SETTINGS_PATH, { cache: 'no-store', ...init });
    // A page of errors, a portal's form or a redirect is kept by nobody.
    if (!isSettings(response)) throw new Error(`${SETTINGS_PATH} answered ${response.status}`);
    const cache = await outside.openCache();
    await cache.put(SETTINGS_PATH, response.clone());
    return response;
  }

  return {
    keep: async () => void (await fetched()),
    async answer() {
      try {
        return await fetched({ signal: outside.timeout(SETTINGS_WAIT_MS) });
      } catch (error) {
        const kept = await (await outside.openCache()).match(SETTINGS_PATH);
        if (kept === undefined) throw error;
        return kept;
      }
    },
  };
}

function isSettings(response: Response): boolean {
  const isScript = /^text\/javascript\b/.test(response.headers.get('content-type') ?? '');
  return isWhole(response) && isScript;
}
