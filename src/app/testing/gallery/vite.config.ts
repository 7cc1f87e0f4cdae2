/** The build of the gallery: every state of every screen, without a server. It is never part of the built app. */
import { fileURLToPath } from 'node:url';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';
import { messageCompilerOptions } from '../../core/i18n/message-compiler.ts';
import { servePortraits } from './serve-portraits.ts';

const portraits: Plugin = {
  name: 'gallery-portraits',
  configureServer: (server) => void server.middlewares.use('/portraits', servePortraits),
  configurePreviewServer: (server) => void server.middlewares.use('/portraits', servePortraits),
};

/** The settings of the build. `npm run i18n` compiles the messages, and so does the development server at each change. */
export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: fileURLToPath(new URL('../../public', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../../../node_modules/.vite-gallery', import.meta.url)),
  plugins: [command === 'serve' && paraglideVitePlugin(messageCompilerOptions), react(), portraits],
  server: { port: 5199, strictPort: true },
  build: {
    outDir: fileURLToPath(new URL('../../../../dist/gallery', import.meta.url)),
    emptyOutDir: true,
    target: 'esnext',
    // One file: a scene without open requests is then at rest, because no code loads later.
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: { output: { codeSplitting: false } },
  },
}));
