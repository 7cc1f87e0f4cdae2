/**
 * The push services of browsers. A client chooses the address in its subscription, and the server posts to it. Without
 * this list, a client could make the server post to any address, also in its internal network (S28).
 */
export const PUSH_HOSTS: readonly string[] = [
  // Chromium. The second host is for builds without Google's keys.
  'fcm.googleapis.com',
  'jmt17.google.com',
  // Firefox.
  'updates.push.services.mozilla.com',
  // Edge.
  '*.notify.windows.com',
  // Safari.
  'web.push.apple.com',
];

/**
 * Returns whether the address is an https address of one of these hosts, on the default port and without credentials.
 */
export function isPushService(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
}
