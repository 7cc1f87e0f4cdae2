/** The security headers of the web app (S38, S39). */
import type { AppConfig } from '../../src/protocol/product/config.ts';

/** Returns scheme, host and port of a URL, as a policy names a source. */
function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

const YEAR_S = 31_536_000;

/**
 * Features that a page may be granted and that the app does not use. A browser ignores those that it does not know.
 */
const UNUSED = [
  'accelerometer',
  'browsing-topics',
  'clipboard-read',
  'compute-pressure',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'midi',
  'otp-credentials',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'serial',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];
const PERMISSIONS = [
  ...['camera', 'microphone', 'display-capture'].map((feature) => `${feature}=(self)`),
  ...UNUSED.map((feature) => `${feature}=()`),
].join(', ');

/**
 * Returns the headers of every answer of the app server. They permit no inline script and no inline style. The server
 * cannot see whether users reach it by https, since a proxy in front may end TLS. A page of https may only connect to
 * secure addresses (mixed content). So when all addresses of the settings are secure, the headers require https (RFC
 * 6797; browsers ignore this over http).
 */
export function securityHeaders(config: AppConfig): Record<string, string> {
  const apis = [...new Set([config.api_url, config.calling_api_url].map(placeOf))];
  const sockets = [...new Set([config.ws_url, config.calling_ws_url].map(placeOf))];
  const isSecure = [...apis, ...sockets].every((place) => /^(https|wss):/.test(place));
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
    'permissions-policy': PERMISSIONS,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
}
