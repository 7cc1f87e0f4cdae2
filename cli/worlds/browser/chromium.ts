/** The Chromium for the browser world, browser tests and benches: that of the user, or of Debian. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium uses only the last list of features, so this list is complete. */
const FEATURES_OFF = [
  // Host candidates stay plain addresses, so that a proxy can carry their path.
  'WebRtcHideLocalIpsWithMdns',
  // The popup of the address bar, which is not visible here. It is a page of the browser that each window loads, and it
  // takes as
  // long as a page of the app.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/** Fake media, and no background traffic of the browser. */
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

/** Returns why there is no Chromium, and what to do about it. A wrong CHROMIUM_PATH is named. */
export function whyNoChromium(env: NodeJS.ProcessEnv = process.env): string {
  const { CHROMIUM_PATH: wanted } = env;
  return wanted ? `CHROMIUM_PATH is ${wanted}, which is no program: correct or remove it` : HOW_TO_GET_CHROMIUM;
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Finds a Chromium: $CHROMIUM_PATH, else the first known name on $PATH. Undefined without one. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const wanted = env['CHROMIUM_PATH'];
  if (wanted) return isExecutable(wanted) ? wanted : undefined;
  return findExecutable(NAMES, env);
}

/** Finds the first of these programs on $PATH. Undefined without one. */
export function findExecutable(names: readonly string[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}
