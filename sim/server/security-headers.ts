/** The headers under which the web app is served (S38, S39). */
import type { AppConfig } from '../../src/protocol/product/config.ts';

/** Scheme, host and port, as a policy names a place. */
function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

const YEAR_S = 31_536_000;

/** What a page may be given, and this one has no use for. Of what a browser does not know it takes no notice. */
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
 * The headers of every answer of the app server. Nothing inline runs, and no style is inline either. Whether people reach it by
 * https it cannot see, since what ends their TLS stands before it; but a page of https may ask no other (mixed content), so that
 * the settings say it: where all they name is secure, browsers keep to https (RFC 6797; over http they take no notice).
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
