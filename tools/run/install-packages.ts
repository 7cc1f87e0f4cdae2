/** The commands that install Debian packages for tests. */
import { spawnSync } from 'node:child_process';

/** Returns the command before `apt-get` that lets this user install packages. Undefined when the user may not. */
function rootCommand(): string[] | undefined {
  const works = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!works('apt-get', ['--version'])) return undefined;
  if (process.getuid?.() === 0) return [];
  return works('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

const QUIETLY = ['env', 'DEBIAN_FRONTEND=noninteractive'];
const INSTALL = 'apt-get install -y -qq --no-install-recommends';

/**
 * Returns the commands that install Janus. None when this user may not. The package starts a service, which the tests do
 * not use, and which is therefore stopped. Some releases lack the package: the tests of Janus are then skipped.
 */
export function janusInstallCommands(): string[][] {
  const root = rootCommand();
  if (!root) return [];
  const stop = 'systemctl disable --now janus || service janus stop';
  return [
    [...root, ...QUIETLY, 'apt-get', 'update', '-qq'],
    [...root, ...QUIETLY, 'sh', '-c', `(${INSTALL} janus && (${stop})) || true`],
  ];
}

/**
 * Returns the commands that install a Chromium. None when this user may not. The fonts draw the texts of the app. The
 * last
 * command installs the shell, which some releases of Debian lack: tests then run without it, but take longer.
 */
export function chromiumInstallCommands(): string[][] {
  const root = rootCommand();
  if (!root) return [];
  const withRights = [...root, ...QUIETLY];
  return [
    [...withRights, 'apt-get', 'update', '-qq'],
    [...withRights, ...INSTALL.split(' '), 'chromium', 'fonts-noto-cjk'],
    [...withRights, 'sh', '-c', `${INSTALL} chromium-headless-shell || true`],
  ];
}
