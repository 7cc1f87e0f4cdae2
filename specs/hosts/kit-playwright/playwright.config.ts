import { defineConfig } from '@playwright/test';

const { CHROMIUM_PATH, LAUNCH_OPTIONS = '{}' } = process.env;

export default defineConfig({
  testMatch: '*.spec.ts',
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    permissions: ['camera', 'microphone'],
    launchOptions: {
      args: ['--use-fake-device-for-media-stream'],
      ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
      ...JSON.parse(LAUNCH_OPTIONS),
    },
  },
});
