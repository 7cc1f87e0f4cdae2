/** The faults that fail a test: an uncaught error, or a violation of the content security policy (S38). */
import type { Browser, BrowserContext } from '@playwright/test';

/**
 * Watches every page that the browser opens from now on, and records a line for each fault. The browser reports
 * violations in the console of the page, so no code runs in the page. Returns the function that stops watching.
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
