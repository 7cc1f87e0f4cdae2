/**
 * Bundles the command and the processes that it starts most, so that a start loads a few files instead of hundreds. A
 * bundle replaces the compiled file of its entry. Every other compiled file stays, for the test kit and for processes
 * with native media.
 */
import { dirname, relative, resolve } from 'node:path';
import { build, type Rolldown } from 'vite';

const DIST = 'dist';
/** The programs, as paths in dist without their ending. */
const PROGRAMS = ['cli/main', 'cli/worlds/virtual-host', 'cli/scenarios/program-worker'];
/** The text before the path of a module from dist, until the folder of its chunk is known. */
const FROM_DIST = 'RINGBACK_FROM_DIST';

/** Keeps the URL of each module, from which other processes and files of the package are found. */
const moduleUrls: Rolldown.Plugin = {
  name: 'module-urls',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    const path = `${FROM_DIST}/${relative(DIST, id)}`;
    return { code: code.replaceAll('import.meta.url', `new URL('${path}', import.meta.url).href`), map: null };
  },
  renderChunk(code, { fileName }) {
    return { code: code.replaceAll(FROM_DIST, relative(dirname(fileName), '.') || '.'), map: null };
  },
};

export async function buildCommands(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [moduleUrls],
    build: {
      target: 'node20',
      ssr: true,
      outDir: DIST,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(PROGRAMS.map((path) => [path, resolve(DIST, `${path}.js`)])),
        // The packages of the tools are installed beside them.
        external: /^(?!\.{0,2}\/)/,
        output: { entryFileNames: '[name].js', chunkFileNames: 'cli/chunks/[name]-[hash].js' },
      },
    },
  });
}
