/** The browsers inside other apps in which push does not work (app-shell §5). */
export type InAppWebview = 'line' | 'messenger' | 'facebook' | 'instagram' | 'snapchat' | 'uc' | 'miui';

/** The first that fits: Messenger calls itself Facebook too. */
const MARKS: readonly (readonly [InAppWebview, RegExp])[] = [
  ['line', /\bLine\//i],
  ['messenger', /\bMessenger|\bOrca-Android/i],
  ['instagram', /\bInstagram\b/i],
  ['facebook', /\b(?:FBAN|FBAV|FB_IAB)\b|\[FB/],
  ['snapchat', /\bSnapchat\b/i],
  ['uc', /\bUC ?Browser\b|\bUCWEB|\bUBrowser\b/i],
  ['miui', /\bMiuiBrowser\b/i],
];

/** Which one this is, by its user agent; `null` in a browser of its own. */
export function inAppWebview(userAgent: string): InAppWebview | null {
  return MARKS.find(([, mark]) => mark.test(userAgent))?.[0] ?? null;
}
