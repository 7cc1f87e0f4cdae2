/** The headers under which the web app is served (S38, S39). */
import type { AppConfig } from '../../src/protocol/product/config.ts';

/** Scheme, host and port, as a policy names a place. */
function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** The headers of every answer of the app server. Nothing inline runs, and no style is inline either. */
export function securityHeaders(config: AppConfig): Record<string, string> {
  const apis = [...new Set([config.api_url, config.calling_api_url].map(placeOf))];
  const sockets = [...new Set([config.ws_url, config.calling_ws_url].map(placeOf))];
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${[...apis, ...sockets].join(' ')}`,
    `img-src 'self' data: blob: ${apis.join(' ')}`,
    `media-src 'self' blob: ${apis.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
