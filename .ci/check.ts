import { run } from './script.ts'

/** All checks that run no code of the product: format, types per folder, lint. */
const STEPS: readonly (readonly [string, string, readonly string[]])[] = [
  ['format', 'oxfmt', ['--check', '.']],
  ...['shared', 'main', 'preload', 'renderer', 'tests'].map(
    (folder) => [`types of ${folder}`, 'tsc', ['-p', folder]] as const,
  ),
  [
    'lint',
    'oxlint',
    ['-c', '.ci/oxlint.json', '--type-aware', 'shared', 'main', 'preload', 'renderer', 'tests', '.ci'],
  ],
]

/** Most steps use one core. */
const LANES = 2

let failed = 0
const left = [...STEPS]
async function lane(): Promise<void> {
  for (let step = left.shift(); step; step = left.shift()) {
    const [name, tool, args] = step
    const { code, seconds } = await run(tool, args)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`)
    if (code !== 0) failed++
  }
}
await Promise.all(Array.from({ length: LANES }, lane))
process.exit(failed === 0 ? 0 : 1)
