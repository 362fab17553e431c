import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import { run } from './steps.ts'
import { electronDistribution } from '../tests/electron/kit/distribution.ts'

/**
 * The README's test command: unit, contract, flow, fuzz and crash tests, then the built app in a real browser, on the
 * Electron stand-in and in a real Electron. Arguments after `--` narrow it to matching files. The last line counts everything that ran.
 */
type Count = { passed: number; failed: number; skipped: number }

const text = process.argv.slice(2)
/** Only some files are wanted: a runner that has none of them is no failure. */
const isNarrowed = text.length > 0
const reports = mkdtempSync(join(tmpdir(), 'parlor-test-'))
const total: Count = { passed: 0, failed: 0, skipped: 0 }

function add(name: string, code: number, count: Count | undefined): void {
  const seen = count ?? { passed: 0, failed: 1, skipped: 0 }
  if (code !== 0 && seen.failed === 0) seen.failed = 1
  total.passed += seen.passed
  total.failed += seen.failed
  total.skipped += seen.skipped
  console.log(`${name}: ${seen.passed} passed, ${seen.failed} failed, ${seen.skipped} skipped`)
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

async function vitest(): Promise<void> {
  const file = join(reports, 'vitest.json')
  const { code } = await run('vitest', [
    'run',
    '-c',
    'tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...text,
  ])
  type Report = {
    numTotalTests: number
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numFailedTestSuites: number
    testResults: { status: string; assertionResults: unknown[] }[]
  }
  const report = readReport(file) as Report | undefined
  const broken =
    report?.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
      .length ?? 0
  add(
    'vitest',
    isNarrowed && report?.numTotalTests === 0 ? 0 : code,
    report && {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken,
      skipped: report.numPendingTests,
    },
  )
}

async function pages(): Promise<void> {
  const chromium = findChromium()
  if (chromium === undefined) {
    console.log(
      'No Chromium found. Install one (Debian: apt-get install chromium; or set CHROMIUM_PATH) and run the tests again.',
    )
    add('end to end', 1, undefined)
    return
  }
  await playwright('end to end', 'tests/playwright.config.ts', { CHROMIUM_PATH: chromium })
}

async function realElectron(): Promise<void> {
  const distribution = await electronDistribution()
  if ('folder' in distribution) return playwright('real Electron', 'tests/electron/playwright.config.ts')
  console.log(`real Electron: skipped. ${distribution.reason}`)
  add('real Electron', 0, { passed: 0, failed: 0, skipped: 1 })
}

async function playwright(name: string, config: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const file = join(reports, `${name}.json`)
  const { code } = await run('playwright', ['test', '-c', config, '--reporter=list,json', ...text], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    ...env,
  })
  type Report = { stats: { expected: number; unexpected: number; flaky: number; skipped: number }; errors: unknown[] }
  const report = readReport(file) as Report | undefined
  if (report && report.stats.flaky > 0) console.log(`${report.stats.flaky} of these needed a second try`)
  add(
    name,
    isNarrowed && report?.stats.expected === 0 ? 0 : code,
    report && {
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected + (isNarrowed ? 0 : report.errors.length),
      skipped: report.stats.skipped,
    },
  )
}

// Some tests look at the built files, so the build comes first.
const built = await run('node', ['.ci/build.ts'])
if (built.code !== 0) add('build', built.code, undefined)
await vitest()
await pages()
await realElectron()
rmSync(reports, { recursive: true, force: true })
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
