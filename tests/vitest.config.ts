import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `electron` is never imported for real in tests: the package would try to download its binary. */
const electronStub = fileURLToPath(new URL('./kit/electron-stub.ts', import.meta.url))

export default defineConfig({
  root,
  resolve: { alias: { electron: electronStub } },
  test: {
    // A bound for hangs, not a measure: nothing here asserts how long something takes. By night counts are many times larger.
    testTimeout: process.env['PARLOR_RUNS'] === 'nightly' ? 3_600_000 : 60_000,
    hookTimeout: 60_000,
    // Every core: the seeded runs are most of the time, and they are in parts for that.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: [
            '{shared,main,preload}/**/*.test.ts',
            'tests/{arch,contract,flow,fuzz,sim,crash,security}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: ['renderer/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/kit/popovers.ts'],
        },
      },
    ],
  },
})
