import { isWhole } from './cache-rules.ts';

/**
 * The path of the settings. The worker answers it from the server, or else from the cache, so that the app starts
 * offline.
 */
export const SETTINGS_PATH = '/config.js';

/** The limit of the settings request in milliseconds. A user waits no longer for the first screen. */
export const SETTINGS_WAIT_MS = 3_000;

interface Outside {
  fetch(request: Request | string, init?: RequestInit): Promise<Response>;
  openCache(): Promise<Pick<Cache, 'match' | 'put'>>;
  /** Returns a signal that aborts after `ms` milliseconds. */
  timeout(ms: number): AbortSignal;
}

/** The settings of the deployment, with a copy in the cache. */
export interface KeptSettings {
  /** Requests the current settings and caches them. */
  keep(): Promise<void>;
  answer(): Promise<Response>;
}

/** Creates the source of the settings. */
export function createKeptSettings(outside: Outside): KeptSettings {
  async function fetched(init?: RequestInit): Promise<Response> {
    const response = await outside.fetch(SETTINGS_PATH, { cache: 'no-store', ...init });
    // An error page, the form of a captive portal or a redirect is never cached.
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
