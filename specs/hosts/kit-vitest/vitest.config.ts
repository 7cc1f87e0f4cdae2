import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { pool: 'forks', setupFiles: './browser-stand-in.ts', testTimeout: 60_000 },
});
