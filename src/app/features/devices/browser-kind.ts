import { createArea } from '../../core/hooks/create-area.ts';
/** The kinds of browser whose permission settings differ. */
export type BrowserKind = 'chromium' | 'firefox' | 'safari' | 'safari-ios' | 'other';

/**
 * Returns the kind of browser by its user agent. On iOS every browser uses Safari's engine and the permissions of the
 * system.
 */
export function browserKind(userAgent: string, isIos: boolean): BrowserKind {
  if (isIos) return 'safari-ios';
  if (/\bFirefox\//.test(userAgent)) return 'firefox';
  if (/\b(?:Chrome|Chromium|Edg|OPR|SamsungBrowser)\//.test(userAgent)) return 'chromium';
  return /\bSafari\//.test(userAgent) ? 'safari' : 'other';
}

export const [BrowserKindProvider, useBrowserKind] = createArea<BrowserKind>('the kind of browser');
