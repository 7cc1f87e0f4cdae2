/** The Chromium that the browser world, browser tests and benches drive: the user's own, or Debian's. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium hears only the last list of features it is given, so that this is the whole of it. */
const FEATURES_OFF = [
  // Host candidates stay plain addresses, so that their path can be led through a proxy.
  'WebRtcHideLocalIpsWithMdns',
  // What drops down from an address bar that nobody sees: pages of the browser's own, which each window loads and which take
  // as long as one of the app.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/** Fake media, and no traffic of the browser's own. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--disable-features=${FEATURES_OFF.join(',')}`,
];

export const HOW_TO_GET_CHROMIUM =
  'no Chromium found: install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH to yours';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Finds a Chromium: $CHROMIUM_PATH, else the first known name on $PATH; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const wanted = env['CHROMIUM_PATH'];
  if (wanted) return isExecutable(wanted) ? wanted : undefined;
  return findExecutable(NAMES, env);
}

/** Finds the first of these programs that is on $PATH; undefined where none is. */
export function findExecutable(names: readonly string[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}
