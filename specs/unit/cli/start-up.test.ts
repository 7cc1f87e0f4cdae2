/** The modules that a command loads before it knows its work: its help and a usage error must come at once. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { EXIT } from '../../../cli/exit-codes.ts';

const PRINT_LOADED = new URL('./support/print-loaded.mjs', import.meta.url).href;
const root = pathToFileURL(`${process.cwd()}/`).href;

/**
 * Runs code in a separate process. Returns its output, and the files and packages it loaded, as paths from the root.
 */
function loadedBy(code: string) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--import', PRINT_LOADED, '--input-type=module', '--eval', code],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const lines = stdout.split('\n');
  const loaded = lines.flatMap((line) => /^loaded (file:[^?]+)/.exec(line)?.[1]?.replace(root, '') ?? []);
  const packages = loaded.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    printed: lines.filter((line) => !line.startsWith('loaded ')).join('\n'),
    packages: [...new Set(packages)].toSorted(),
    own: loaded.filter((path) => !path.startsWith('node_modules/')),
  };
}

const importOf = (path: string) => `await import(${JSON.stringify(`${root}${path}`)})`;

/** Returns the name that the module of a command exports: mergeReports of merge-reports. */
const exportOf = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

it('the help and a usage error of every command load no package but commander, and no action', () => {
  const names = readdirSync('cli/actions').map((file) => file.replace('.ts', ''));
  const commands = ['answer', 'dial', 'schema', ...names.filter((name) => name !== 'scripts-of')];
  const code = commands.map(
    (name) => `{
      const { ${exportOf(name)}: command } = ${importOf(`cli/commands/${name}.ts`)};
      const help = command.declare(() => {}).helpInformation();
      console.log(help.split('\\n')[0]);
      const wrong = command.declare(() => {});
      for (const one of [wrong, ...wrong.commands]) one.exitOverride().configureOutput({ writeErr: () => {} });
      try { await wrong.parseAsync(['--no-such-option'], { from: 'user' }); } catch ({ code }) { console.log(code); }
    }`,
  );
  const { printed, packages, own } = loadedBy(`${importOf('cli/version.ts')};\n${code.join('\n')}`);
  expect(printed.match(/^Usage: /gm)).toHaveLength(commands.length);
  expect(printed.match(/^commander\./gm)).toHaveLength(commands.length);
  expect(packages).toEqual(['commander']);
  expect(
    own.filter((path) =>
      /^cli\/(actions|headless|reporters|recording)\/|^sim\/(?!server\/defaults|budgets\/|exchange\/(?:settings|ports)|store\/database)/.test(
        path,
      ),
    ),
  ).toEqual([]);
  expect(own.length).toBeLessThanOrEqual(commands.length + 27);
});

it('an action loads its modules, and no world that was not requested', () => {
  const { packages, own } = loadedBy(importOf('cli/actions/run.ts'));
  expect(packages).toContain('yaml');
  expect(own.filter((path) => /^cli\/worlds\/(real|browser|both|virtual)/.test(path))).toEqual([]);
});

it('npx finds ringback among the installed commands, and sends no request to a registry', () => {
  expect(realpathSync('node_modules/.bin/ringback')).toBe(realpathSync('packages/ringback-lab/ringback.mjs'));
  // npx would first install a package that has the command itself into its own cache, with all dependencies.
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).not.toHaveProperty('bin');
});

it('before the first build ringback prints in one line what to run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-not-built-'));
  cpSync('packages/ringback-lab', join(folder, 'packages/ringback-lab'), { recursive: true });
  const path = join(folder, 'packages/ringback-lab/ringback.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, '--version'], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([status, stdout]).toEqual([EXIT.environment, '']);
  expect(stderr).toMatch(/^Ringback is not built here: run "make start" or "npm run build", [^\n]*\n$/);
});
