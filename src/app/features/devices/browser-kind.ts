/** Whose settings somebody has to find their way in. */
export type BrowserKind = 'chromium' | 'firefox' | 'safari' | 'safari-ios' | 'other';

/** By the user agent. On iOS every browser is Safari below, and asks the system. */
export function browserKind(userAgent: string, isIos: boolean): BrowserKind {
  if (isIos) return 'safari-ios';
  if (/\bFirefox\//.test(userAgent)) return 'firefox';
  if (/\b(?:Chrome|Chromium|Edg|OPR|SamsungBrowser)\//.test(userAgent)) return 'chromium';
  return /\bSafari\//.test(userAgent) ? 'safari' : 'other';
}
