/** Browsers by their name in the user agent. Browsers that also name others come first. */
const BROWSERS = [
  ['edge', /\bEdg(?:e|A|iOS)?\//],
  ['opera', /\bOPR\//],
  ['samsung', /\bSamsungBrowser\//],
  ['firefox', /\b(?:Firefox|FxiOS)\//],
  ['chrome', /\b(?:Chrom(?:e|ium)|CriOS)\//],
  ['safari', /\bAppleWebKit\//],
] as const;

/** Returns the browser type of a statistics log (§3). `other` for an unknown browser. */
export function browserType(userAgent: string): string {
  return BROWSERS.find(([, mark]) => mark.test(userAgent))?.[0] ?? 'other';
}
