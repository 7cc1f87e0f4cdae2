/**
 * The two browsers of browser tests. `chromium-headless-shell` is Chromium without the parts of a window, and opens a page in two
 * thirds of the processor time. It grants each permission or none, shows no notification and installs no app: a file that
 * tests these uses the whole Chromium. Where there is no shell, all tests use the whole Chromium.
 */
import { CHROMIUM_ARGUMENTS, findChromium, findExecutable } from '../../../cli/worlds/browser/chromium.ts';
import { SHARED_TAB } from './shared-tab.ts';

export interface BrowserOptions {
  readonly launchOptions: { readonly executablePath?: string; readonly args: string[] };
}

const FAKE_PERMISSIONS = '--use-fake-ui-for-media-stream';
const FAKE_DEVICES = '--use-fake-device-for-media-stream';

/**
 * The arguments of both: the browser has two cameras of 10 pictures a second, and shares the tab of this title without a
 * question. Permissions are those of each context.
 */
const ARGUMENTS = [
  ...CHROMIUM_ARGUMENTS.filter((argument) => argument !== FAKE_PERMISSIONS && argument !== FAKE_DEVICES),
  `${FAKE_DEVICES}=device-count=2,fps=10`,
  `--auto-select-tab-capture-source-by-title=${SHARED_TAB}`,
];

/** Chromium with all that a window has: permissions that are withheld, notifications, a tab that is shared by its title. */
export const WHOLE_CHROMIUM: BrowserOptions = optionsOf(findChromium(), ARGUMENTS);

/** What a test has that asks for nothing else. */
export const LIGHT_CHROMIUM: BrowserOptions = lightChromium();

function lightChromium(): BrowserOptions {
  // A developer who names a browser means it for all tests.
  const shell = process.env['CHROMIUM_PATH'] ? undefined : findExecutable(['chromium-headless-shell']);
  return shell === undefined ? WHOLE_CHROMIUM : optionsOf(shell, [...ARGUMENTS, FAKE_PERMISSIONS]);
}

function optionsOf(executablePath: string | undefined, args: string[]): BrowserOptions {
  return { launchOptions: { ...(executablePath === undefined ? {} : { executablePath }), args } };
}
