import { defineConfig } from '@playwright/test'
import { CHROMIUM_FLAGS, findHeadlessChromium } from '../.ci/chromium.ts'

const executablePath = findHeadlessChromium()

/** The built app as a user runs it, in the browser host; `tests/electron` does the same in a real Electron. */
export default defineConfig({
  testDir: './e2e',
  snapshotPathTemplate: '{testDir}/{testFilePath}-snapshots/{arg}{ext}',
  outputDir: '../test-results',
  // Limits for hangs, not measures: the machine may be busy.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // Every story has a separate world; those of one file need not wait for each other.
  fullyParallel: true,
  // Stories mostly wait for pages and processes: one more than the cores of a small machine.
  workers: 3,
  // Real browsers and processes on a busy machine: a retry is allowed, and counted by .ci/test.ts.
  retries: 1,
  forbidOnly: true,
  use: {
    headless: true,
    viewport: { width: 1440, height: 900 },
    launchOptions: { args: [...CHROMIUM_FLAGS], executablePath: executablePath || undefined },
    // What was done, the console and the network: copies of the page at every step would take a quarter of the time.
    // To get them for one story: `--trace on`.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
  },
})
