/** The web app: `npm run dev` serves src/app, `npm run build` puts it in dist/app. */
import { fileURLToPath } from 'node:url';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { DEFAULT_HOST, DEFAULT_PORT } from './sim/server/defaults.ts';
import { appConfigFor } from './sim/server/start-app-server.ts';
import { codeSplitting, moduleSideEffects } from './src/app/build/code-splitting.ts';
import { compressedFiles } from './src/app/build/compressed-files.ts';
import { messageCompilerOptions } from './src/app/core/i18n/message-compiler.ts';
import { serviceWorkerBuild } from './src/app/service-worker/service-worker-build.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The settings of the served app: here, those of the exchange that `ringback sim` starts. */
const settings: Plugin = {
  name: 'ringback-settings',
  configureServer({ middlewares }) {
    const exchange = process.env['RINGBACK_SERVER'] ?? `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;
    middlewares.use('/config.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript; charset=utf-8');
      response.end(`window.__CONFIG__ = ${JSON.stringify(appConfigFor(exchange))};\n`);
    });
  },
};

/** `npm run i18n` compiles the messages, and the dev server compiles them after each change. */
export default defineConfig(({ command }) => {
  // Developer messages contain paths of sources. They must not enter the app, whatever the environment of the build is.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    root: here('src/app'),
    plugins: [
      command === 'serve' && paraglideVitePlugin(messageCompilerOptions),
      react(),
      settings,
      serviceWorkerBuild(),
      compressedFiles(),
    ],
    server: { host: DEFAULT_HOST },
    // The manifest lists what each screen loads, to weigh the app. It is not served.
    build: {
      outDir: here('dist/app'),
      emptyOutDir: true,
      manifest: true,
      rolldownOptions: { output: { codeSplitting }, treeshake: { moduleSideEffects } },
    },
  };
});
