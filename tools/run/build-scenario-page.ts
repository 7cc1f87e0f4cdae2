/** Bundles what runs in the pages of the browser world, beside the library that they load. */
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
