import { spawn } from 'node:child_process';

/** The programs that open a file, by platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens a file in the browser of the user: the program of the variable BROWSER, or that of the system. Returns whether
 * the program could be started.
 */
export function openInBrowser(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  const { BROWSER: chosen } = environment;
  const [program = 'xdg-open', ...words] = chosen ? [chosen] : (OPENERS[process.platform] ?? []);
  const child = spawn(program, [...words, file], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
