/** A trap for actions that no page of the app may perform, whatever a user has written into it. */
import type { Page } from '@playwright/test';
import type { Site } from './sign-in.ts';

/**
 * From now on everything is kept that a page does of this: opens a dialog of the browser, or asks another host than
 * its own two. One line each. That it throws or breaks its policy is watched in every test (see app-test.ts).
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
