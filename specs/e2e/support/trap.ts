/** A trap for what no page of the app may do, whatever somebody has written into it. */
import type { Page } from '@playwright/test';
import type { Site } from './sign-in.ts';

/** How the page tells of its own policy in its console. */
const POLICY = 'broke the policy:';

/**
 * From now on everything is kept that a page does of this: opens a dialog of the browser, throws, asks another host than
 * its own two, breaks its content security policy. One line each.
 */
export async function setTrap(page: Page, { appUrl, simUrl }: Site): Promise<readonly string[]> {
  const caught: string[] = [];
  const ours = new Set([appUrl, simUrl].map((url) => new URL(url).host));
  const reach = (url: string): void => {
    const { protocol, host } = new URL(url);
    if (/^(http|ws)s?:$/.test(protocol) && !ours.has(host)) caught.push(`asked ${host}`);
  };
  page.on('dialog', (dialog) => {
    caught.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', ({ message }) => void caught.push(`threw: ${message}`));
  page.on('request', (request) => reach(request.url()));
  page.on('websocket', (socket) => reach(socket.url()));
  page.on('console', (message) => {
    if (message.text().startsWith(POLICY)) caught.push(message.text());
  });
  await page.addInitScript((words) => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.warn(`${words} ${effectiveDirective} ${blockedURI}`),
    );
  }, POLICY);
  return caught;
}
