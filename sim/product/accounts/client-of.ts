/** With what somebody signed in, as they would name it. */
export interface Client {
  readonly browser: string | null;
  readonly system: string | null;
}

/** In this order: most of them also say that they are those further down. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  // The people of the demo who are signed in without one.
  [/\bRingbackDemo\//, 'Ringback Demo'],
  [/\bLine\//, 'LINE'],
  [/\bFBA[NV]\//, 'Facebook'],
  [/\bInstagram\b/, 'Instagram'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|\bCriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Reads the header `user-agent`. Only names of these lists come of it, so that nobody is shown or kept what a stranger wrote
 * there. An iPad calls itself a Macintosh unless it is asked for the pages of phones.
 */
export function clientOf(userAgent: string | null): Client {
  const nameIn = (names: typeof BROWSERS) => names.find(([sign]) => sign.test(userAgent ?? ''))?.[1] ?? null;
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
