import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.spec.ts',
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    permissions: ['camera', 'microphone'],
    launchOptions: JSON.parse(process.env['LAUNCH_OPTIONS'] ?? '{}'),
  },
});
