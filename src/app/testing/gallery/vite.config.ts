/** The gallery: every state of every screen, with nothing behind it. Never part of the built app. */
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

/** The messages are compiled by `npm run i18n`, and while developing whenever they change. */
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
    // In one piece: a scene that nothing is on its way for has come to rest.
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: { output: { codeSplitting: false } },
  },
}));
