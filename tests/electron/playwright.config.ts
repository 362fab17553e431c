import { defineConfig } from '@playwright/test'

/** The built app in a real Electron, on a separate desktop, as an ordinary user. */
export default defineConfig({
  testDir: '.',
  globalSetup: './setup.ts',
  outputDir: '../../test-results/electron',
  // Bounds for hangs, not measures: the machine may be busy.
  timeout: 90_000,
  expect: { timeout: 30_000 },
  fullyParallel: false,
  workers: 2,
  // Real processes on a busy machine: a second try is allowed, and counted by .ci/test.ts.
  retries: 1,
  forbidOnly: true,
})
