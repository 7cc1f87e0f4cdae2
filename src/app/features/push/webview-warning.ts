import type { Dialogs } from '../../../ui/dialogs/dialogs.ts';
import { m } from '../../core/i18n/generated/messages.js';
import type { Logger } from '../../core/ports/logger.ts';
import type { Toasts } from '../../../ui/toasts/toasts.ts';
import { inAppWebview } from './in-app-webview.ts';

/** The names of these apps, the same in every language. */
const APPS = { line: 'LINE', facebook: 'Facebook' } as const;

interface Outside {
  userAgent: string;
  /** The address of the page, for another browser. */
  pageUrl: string;
  dialogs: Pick<Dialogs, 'alert'>;
  toasts: Pick<Toasts, 'show'>;
  copy(text: string): Promise<void>;
  logger: Logger;
}

/**
 * Warns the user in the browsers of Line and Facebook, which lack important features (app-shell §8). Offers the address
 * for another browser.
 */
export async function warnInWebview({ userAgent, pageUrl, dialogs, toasts, copy, logger }: Outside): Promise<void> {
  const webview = inAppWebview(userAgent);
  if (webview !== 'line' && webview !== 'facebook') return;

  function copyLink(): void {
    copy(pageUrl).then(
      () => toasts.show(m.push_webview_copied()),
      (error: unknown) => {
        logger.warn('the link was not copied', error);
        toasts.show(pageUrl);
      },
    );
  }

  await dialogs.alert(
    { title: m.push_webview_title(), text: m.push_webview_text({ app: APPS[webview] }) },
    { label: m.push_webview_copy(), run: copyLink },
  );
}
