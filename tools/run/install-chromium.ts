/** The commands that install a Chromium. */
import { spawnSync } from 'node:child_process';

/** Returns the command before `apt-get` that lets this user install packages. Undefined when the user may not. */
function rootCommand(): string[] | undefined {
  const works = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!works('apt-get', ['--version'])) return undefined;
  if (process.getuid?.() === 0) return [];
  return works('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

/**
 * Returns the commands that install a Chromium. None when this user may not. The fonts draw the texts of the app. The
 * last
 * command installs the shell, which some releases of Debian lack: tests then run without it, but take longer.
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
