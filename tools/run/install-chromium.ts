/** How a Chromium is installed where there is none. */
import { spawnSync } from 'node:child_process';

/** How this user may install Debian packages, as the words before `apt-get`; undefined where they may not. */
function rootCommand(): string[] | undefined {
  const works = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!works('apt-get', ['--version'])) return undefined;
  if (process.getuid?.() === 0) return [];
  return works('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

/**
 * The commands that install a Chromium here; none where this user cannot. Its fonts draw what the app shows. The last installs
 * the shell, which not every release of Debian has: without it the tests run all the same, and take longer.
 */
export function chromiumInstallCommands(): string[][] {
  const root = rootCommand();
  if (!root) return [];
  const withRights = [...root, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  const install = 'apt-get install -y -qq --no-install-recommends';
  return [
    [...withRights, 'apt-get', 'update', '-qq'],
    [...withRights, ...install.split(' '), 'chromium', 'fonts-noto-cjk'],
    [...withRights, 'sh', '-c', `${install} chromium-headless-shell || true`],
  ];
}
