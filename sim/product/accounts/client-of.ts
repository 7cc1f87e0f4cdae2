/** The browser and operating system of a session, by the names that the user knows. */
export interface Client {
  readonly browser: string | null;
  readonly system: string | null;
}

/** The order matters: most browsers also claim to be browsers further down. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  // The simulated people of the demo have no browser.
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
 * Reads the header `user-agent`. It returns only names from these lists, so text of a client is neither stored nor
 * shown. An iPad calls itself a Macintosh unless it asks for the pages of phones.
 */
export function clientOf(userAgent: string | null): Client {
  const nameIn = (names: typeof BROWSERS) => names.find(([sign]) => sign.test(userAgent ?? ''))?.[1] ?? null;
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
