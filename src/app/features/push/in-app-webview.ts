/** The browsers inside other apps that do not support push (app-shell §5). */
export type InAppWebview = 'line' | 'messenger' | 'facebook' | 'instagram' | 'snapchat' | 'uc' | 'miui';

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
