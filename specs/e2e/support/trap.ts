/** A trap for actions that no page of the app may perform, whatever text a user has stored. */
import type { Page } from '@playwright/test';
import type { Site } from './sign-in.ts';

/**
 * Records the forbidden actions of a page from now on: a browser dialog, or a request to a host other than the
 * page's two. One line each. Every test also records exceptions and policy violations (see app-test.ts).
 */
export function setTrap(page: Page, { appUrl, simUrl }: Site): readonly string[] {
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
  page.on('request', (request) => reach(request.url()));
  page.on('websocket', (socket) => reach(socket.url()));
  return caught;
}
