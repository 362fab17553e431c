import { defineConfig } from '@playwright/test'

/** Packages of the built app, installed in a clean root and started from there in a real Electron. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: './setup.ts',
  outputDir: '../../test-results/packages',
  // Limits for hangs, not measures: the machine may be busy.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  fullyParallel: false,
  workers: 2,
  // Real processes on a busy machine: a retry is allowed, and counted by .ci/test.ts.
  retries: 1,
  forbidOnly: true,
})
