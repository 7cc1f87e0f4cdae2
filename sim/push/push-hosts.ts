/**
 * The push services of browsers. A subscription is the word of whoever sends it, and the server is to post to its address:
 * without this list it would post wherever anybody likes, inside its own network too (S28).
 */
export const PUSH_HOSTS: readonly string[] = [
  // Chromium; the second is that of builds without Google's keys.
  'fcm.googleapis.com',
  'jmt17.google.com',
  // Firefox.
  'updates.push.services.mozilla.com',
  // Edge.
  '*.notify.windows.com',
  // Safari.
  'web.push.apple.com',
];

/** Whether it is an address of one of these hosts, by https, on its own port, and without a login in it. */
export function isPushService(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
}
