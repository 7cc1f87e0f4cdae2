import { type AppConfig, appConfig } from '../../../protocol/product/config.ts';
import * as v from 'valibot';

/**
 * Returns the settings of this deployment, from the global object that `/config.js` sets (app-shell §9).
 *
 * @throws Error that names every faulty field. A page with wrong settings must report them instead of failing later.
 */
export function readConfig(globals: { readonly __CONFIG__?: unknown }): AppConfig {
  const result = v.safeParse(appConfig, globals.__CONFIG__);
  if (!result.success) {
    const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? '__CONFIG__'}: ${issue.message}`);
    throw new Error(`The settings in window.__CONFIG__ (/config.js) are not valid. ${faults.join('; ')}`);
  }
  return {
    ...result.output,
    api_url: withoutTrailingSlash(result.output.api_url),
    ws_url: withoutTrailingSlash(result.output.ws_url),
  };
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
