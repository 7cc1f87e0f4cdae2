/** How a Chromium is installed where there is none. */
import { spawnSync } from 'node:child_process';

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
