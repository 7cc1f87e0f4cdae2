/**
 * The faults that no page of a test may have: an uncaught error, or a violation of the content security policy (S38).
 */
import type { Browser, BrowserContext } from '@playwright/test';

/**
 * Follows every page that the browser opens from now on, and keeps a line for each such fault. The browser itself tells
 * of what it refuses, in the console of the page: nothing runs in there for it. Returns the undo.
 */
export function watchPages(browser: Browser, faults: string[]): () => void {
  const follow = (context: BrowserContext): void => {
    context.on('weberror', (error) => faults.push(`threw: ${error.error().message}`));
    context.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(`broke the policy: ${message.text()}`);
    });
  };
  browser.on('context', follow);
  return () => void browser.off('context', follow);
}
