/** The Chromium that browser tests and benches drive: the user's own, or Debian's. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Fake media, and no traffic of the browser's own. Host candidates stay plain addresses, so that a test can lead their
 * path through a proxy.
 */
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
  '--disable-features=WebRtcHideLocalIpsWithMdns',
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

/** The path of a Chromium: $CHROMIUM_PATH, else the first known name on $PATH; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const wanted = env['CHROMIUM_PATH'];
  if (wanted) return isExecutable(wanted) ? wanted : undefined;
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** How this user may install Debian packages, as the words before `apt-get`; undefined where they may not. */
function rootCommand(): string[] | undefined {
  const works = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!works('apt-get', ['--version'])) return undefined;
  if (process.getuid?.() === 0) return [];
  return works('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

/** The commands that install a Chromium here; none where this user cannot. Its fonts draw what the app shows. */
export function chromiumInstallCommands(): string[][] {
  const root = rootCommand();
  if (!root) return [];
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  return [
    [...root, ...environment, 'apt-get', 'update', '-qq'],
    [
      ...root,
      ...environment,
      'apt-get',
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      'chromium',
      'fonts-noto-cjk',
    ],
  ];
}
