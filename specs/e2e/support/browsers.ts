/**
 * The two browsers of browser tests. `chromium-headless-shell` is Chromium without a window, and opens a page in two
 * thirds of the processor time. It grants each permission or none, shows no notification and installs no app. A file
 * that tests these uses the whole Chromium. Without the shell, all tests use the whole Chromium.
 */
import { CHROMIUM_ARGUMENTS, findChromium, findExecutable } from '../../../cli/worlds/browser/chromium.ts';
import { SHARED_TAB } from './shared-tab.ts';

export interface BrowserOptions {
  readonly launchOptions: { readonly executablePath?: string; readonly args: string[] };
}

const FAKE_PERMISSIONS = '--use-fake-ui-for-media-stream';
const FAKE_DEVICES = '--use-fake-device-for-media-stream';

/**
 * The arguments of both browsers: two cameras of 10 pictures a second, and the tab of this title is shared without a
 * question. Each context sets its permissions.
 */
const ARGUMENTS = [
  ...CHROMIUM_ARGUMENTS.filter((argument) => argument !== FAKE_PERMISSIONS && argument !== FAKE_DEVICES),
  `${FAKE_DEVICES}=device-count=2,fps=10`,
  `--auto-select-tab-capture-source-by-title=${SHARED_TAB}`,
];

/**
 * Chromium with the features of a window: permissions that can be denied, notifications, a tab that is shared by its
 * title.
 */
export const WHOLE_CHROMIUM: BrowserOptions = optionsOf(findChromium(), ARGUMENTS);

/** The default options of a test. */
export const LIGHT_CHROMIUM: BrowserOptions = lightChromium();

function lightChromium(): BrowserOptions {
  // A browser that the developer names is used for all tests.
  const shell = process.env['CHROMIUM_PATH'] ? undefined : findExecutable(['chromium-headless-shell']);
  return shell === undefined ? WHOLE_CHROMIUM : optionsOf(shell, [...ARGUMENTS, FAKE_PERMISSIONS]);
}

function optionsOf(executablePath: string | undefined, args: string[]): BrowserOptions {
  return { launchOptions: { ...(executablePath === undefined ? {} : { executablePath }), args } };
}
