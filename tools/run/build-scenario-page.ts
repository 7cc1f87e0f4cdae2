/** Bundles the script of the pages in the browser world. */
import { build } from 'vite';

export async function buildScenarioPage(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      target: 'es2022',
      outDir: 'dist/scenario-page',
      minify: false,
      lib: { entry: 'cli/worlds/browser/page/main.ts', formats: ['es'], fileName: () => 'main.js' },
    },
  });
}
