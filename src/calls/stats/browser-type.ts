/** Browsers by what they alone say of themselves; those that also name others come first. */
const BROWSERS = [
  ['edge', /\bEdg(?:e|A|iOS)?\//],
  ['opera', /\bOPR\//],
  ['samsung', /\bSamsungBrowser\//],
  ['firefox', /\b(?:Firefox|FxiOS)\//],
  ['chrome', /\b(?:Chrom(?:e|ium)|CriOS)\//],
  ['safari', /\bAppleWebKit\//],
] as const;

/** The browser type of a statistics log (§3); `other` for what is no browser, or none of these. */
export function browserType(userAgent: string): string {
  return BROWSERS.find(([, mark]) => mark.test(userAgent))?.[0] ?? 'other';
}
