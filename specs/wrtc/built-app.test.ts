/** The content of the built app, for any environment of the build. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { appConfigFor, startAppServer } from '../../sim/server/start-app-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Variables that the environment of a build may have, and that must not enter the app. */
const CANARIES = {
  DATABASE_URL: 'postgres://canary-user:canary-one@db.example/money',
  REDIS_URL: 'redis://:canary-two@cache.example',
  RINGBACK_TOKEN: 'canary-three',
  RINGBACK_SERVER: 'http://canary-four.example',
  VITE_SECRET: 'canary-five',
  NPM_TOKEN: 'canary-six',
  GITHUB_TOKEN: 'canary-seven',
  // Developers set this variable, and libraries then add the paths of their sources.
  NODE_ENV: 'development',
};

test('S45 the built app has no source maps, and nothing of the machine or the secrets around its build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-built-'));
  try {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
    const words = [vite, 'build', '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'];
    const built = spawnSync(process.execPath, words, { cwd: ROOT, env: { ...process.env, ...CANARIES } });
    expect([built.status, String(built.stderr)]).toEqual([0, expect.any(String)]);

    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length));
    expect(paths).toEqual(expect.arrayContaining(['/index.html', '/sw.js', '/manifest.json']));
    expect(paths.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(50);
    expect(paths.filter((path) => path.endsWith('.map') || path.includes('.env'))).toEqual([]);

    const forbidden = [
      'canary-',
      join(ROOT, 'src'),
      join(ROOT, 'node_modules'),
      // A short value may be a word of any text.
      ...[`${homedir()}/`, hostname()].filter((name) => name.length > 5 && name !== 'localhost'),
      '# sourceMappingURL',
      'sourcesContent',
      'PRIVATE KEY-----',
      'process.env',
      'import.meta.env',
      '/node_modules/',
      // The fake ports of the tests of the app.
      'FakeCallingLibrary',
      'The gallery',
    ];
    const found = paths
      .filter((path) => /\.(?:js|css|html|json|svg|txt|webmanifest)$/.test(path) && !path.startsWith('/.vite/'))
      .flatMap((path) => {
        const text = readFileSync(join(folder, path), 'utf8');
        return forbidden.filter((one) => text.includes(one)).map((one) => `${path}: ${one}`);
      });
    expect(found).toEqual([]);

    // The manifest of the build names its sources, but is not served.
    const app = await startAppServer({ dir: folder, port: 0, config: appConfigFor('http://127.0.0.1:1') });
    const asked = [
      '/.vite/manifest.json',
      '/.env',
      '/%2evite/manifest.json',
      '/assets/../.vite/manifest.json',
      '/sw.js',
    ];
    const statuses = await Promise.all(asked.map(async (path) => (await fetch(`${app.url}${path}`)).status));
    await app.close();
    expect(statuses).toEqual([404, 404, 404, 404, 200]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
