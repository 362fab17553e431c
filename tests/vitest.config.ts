import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { isLong, LONG_ONLY, SEEDED } from './kit/parts.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const UNIT = '{shared,main,preload}/**/*.test.ts'
/** Complete engines, servers and processes. */
const WHOLE = 'tests/{arch,contract,flow,fuzz,sim,crash,security,packages}/**/*.test.ts'

/** About what a page has only once, such as its output of sound: each needs a page of its own. */
const ALONE = ['renderer/lib/page/sounds.test.ts', 'renderer/lib/time/clocks.test.ts']

/**
 * A link that a test clicks, such as one to save a file, must not lead away from the page: the files of a process share
 * it, and a later one would ask a page that is gone for its address.
 */
const environmentOptions = {
  happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
}

/** `electron` is never imported for real in tests: the package would try to download its binary. */
const electronStub = fileURLToPath(new URL('./kit/electron-stub/index.ts', import.meta.url))

export default defineConfig({
  root,
  resolve: { alias: { electron: electronStub } },
  test: {
    // A limit for hangs, not a measure: nothing in the gate asserts how long something takes. The long run's counts are
    // large.
    testTimeout: isLong ? 3_600_000 : 60_000,
    hookTimeout: 60_000,
    // As above; the library's own second is too short for a page on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // One more than the cores: some of the tests wait for processes and sockets. The seeded runs take most of the time,
    // and are split into parts for that.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          // Files share their modules: loading them again would take half of a file's own time. The tested code has no
          // state in modules, only in objects that each test creates.
          isolate: false,
          include: isLong ? [] : [UNIT],
          exclude: [...configDefaults.exclude, LONG_ONLY],
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // As above.
          isolate: false,
          include: isLong ? [LONG_ONLY, ...SEEDED] : [WHOLE],
          exclude: isLong ? configDefaults.exclude : [...configDefaults.exclude, LONG_ONLY],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'happy-dom',
          environmentOptions,
          // As above. What a page remembers belongs to its store or to an object of its window.
          isolate: false,
          include: isLong ? [] : ['renderer/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...ALONE],
          setupFiles: ['tests/kit/dom-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom alone',
          environment: 'happy-dom',
          environmentOptions,
          include: isLong ? [] : ALONE,
          setupFiles: ['tests/kit/dom-setup.ts'],
        },
      },
    ],
  },
})
