import type { Dialogs } from '../../../ui/dialogs/dialogs.ts';
import { m } from '../../core/i18n/generated/messages.js';
import type { Logger } from '../../core/ports/ports.ts';
import type { Toasts } from '../../../ui/toasts/toasts.ts';

/** The browsers inside other apps that do not support push (app-shell §5). */
type InAppWebview = 'line' | 'messenger' | 'facebook' | 'instagram' | 'snapchat' | 'uc' | 'miui';

/** The first match counts: Messenger also has the mark of Facebook. */
const MARKS: readonly (readonly [InAppWebview, RegExp])[] = [
  ['line', /\bLine\//i],
  ['messenger', /\bMessenger|\bOrca-Android/i],
  ['instagram', /\bInstagram\b/i],
  ['facebook', /\b(?:FBAN|FBAV|FB_IAB)\b|\[FB/],
  ['snapchat', /\bSnapchat\b/i],
  ['uc', /\bUC ?Browser\b|\bUCWEB|\bUBrowser\b/i],
  ['miui', /\bMiuiBrowser\b/i],
];

/** Returns the app around this browser, by its user agent. Returns `null` in an ordinary browser. */
export function inAppWebview(userAgent: string): InAppWebview | null {
  return MARKS.find(([, mark]) => mark.test(userAgent))?.[0] ?? null;
}

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
