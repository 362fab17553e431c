import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findHeadlessChromium } from './chromium.ts'
import { root, run, scriptFlags } from './script.ts'
import { LONG } from '#kit/parts.ts'
import { electronDistribution } from '../tests/electron/kit/distribution.ts'
import { whyNoPackages } from '../tests/packages/kit/packages.ts'
import { drawFresh, type Covered } from '#kit/runs.ts'

const HELP = `npm test is the gate of every change: unit, contract and flow tests, the first seeds of the simulations and
some fresh ones, named crash points, then one story of each area in the built app in a real browser, and a real
Electron. With --packages (as in CI) also its packages: built, installed, started, upgraded, removed. npm run test:long
runs the rest: the other stories, and what repeats itself: many more fresh seeds, kills, damaged bytes, failing disks,
planted bugs. Whoever names a file gets all of it. The last line counts everything that ran.

  npm test -- [--packages] [parts of file names]
  npm run test:long -- [--minutes N] [parts of file names]

  --packages   the packages, too
  --long       the long run
  --minutes N  its seeded parts end after about this time; without it they take hours`

type Count = { passed: number; failed: number; skipped: number }

const { values, positionals: files } = scriptFlags(
  HELP,
  { packages: { type: 'boolean' }, long: { type: 'boolean' }, minutes: { type: 'number', from: 1, to: 10_000 } },
  { positionals: Infinity },
)
/** With a filter, a runner without a matching file is not a failure. */
const isNarrowed = files.length > 0
const reports = mkdtempSync(join(tmpdir(), 'parlor-test-'))
const covered = join(reports, 'covered')
const fresh = process.env['PARLOR_FRESH'] ?? String(drawFresh())
/** Node's compile cache is reused by the next start: the runs start some hundred processes of the same code. */
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/parlor-compiled') }
const total: Count = { passed: 0, failed: 0, skipped: 0 }
/** Named once more at the end, because often only the end of the output is kept. */
const failures: string[] = []

function add(name: string, code: number, count: Count | undefined, seconds = 0): void {
  const seen = count ?? { passed: 0, failed: 1, skipped: 0 }
  if (seen.failed === 0 || count === undefined) {
    seen.failed = code === 0 ? seen.failed : 1
    if (seen.failed > 0) failures.push(`${name}: ended with ${code}`)
  }
  total.passed += seen.passed
  total.failed += seen.failed
  total.skipped += seen.skipped
  console.log(
    `${name}: ${seen.passed} passed, ${seen.failed} failed, ${seen.skipped} skipped in ${Math.round(seconds)} s`,
  )
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

async function vitest(): Promise<void> {
  const file = join(reports, 'vitest.json')
  const { code, seconds } = await run(
    'vitest',
    [
      'run',
      '-c',
      'tests/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...files,
    ],
    {
      ...compiled,
      PARLOR_COVERED: covered,
      PARLOR_FRESH: fresh,
      ...(values.long ? { PARLOR_RUNS: 'long' } : {}),
      ...(values.minutes === undefined ? {} : { PARLOR_MINUTES: String(values.minutes) }),
    },
  )
  type Report = {
    numTotalTests: number
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    testResults: {
      name: string
      status: string
      message: string
      assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[]
    }[]
  }
  const report = readReport(file) as Report | undefined
  for (const { name, status, message, assertionResults } of report?.testResults ?? []) {
    const path = relative(root, name)
    if (status === 'failed' && assertionResults.length === 0) failures.push(`${path}: ${firstLine(message)}`)
    for (const { status: result, fullName, failureMessages } of assertionResults)
      if (result === 'failed') failures.push(`${path}: ${fullName}: ${firstLine(failureMessages?.[0])}`)
  }
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
    seconds,
  )
}

async function pages(): Promise<void> {
  if (findHeadlessChromium() === undefined) {
    console.log(
      'No Chromium found. Install one (Debian: apt-get install chromium; or set CHROMIUM_PATH) and run the tests again.',
    )
    add('end to end', 1, undefined)
    return
  }
  await playwright('end to end', 'tests/playwright.config.ts', compiled)
}

async function realElectron(): Promise<void> {
  const distribution = await electronDistribution()
  if ('folder' in distribution) return playwright('real Electron', 'tests/electron/playwright.config.ts')
  console.log(`real Electron: skipped. ${distribution.reason}`)
  add('real Electron', 0, { passed: 0, failed: 0, skipped: 1 })
}

async function installedPackages(): Promise<void> {
  // Creating them takes a while: only when they are asked for, by the flag or by name.
  const specs = readdirSync(join(root, 'tests/packages')).map((name) => `tests/packages/${name}`)
  const named = specs.some((path) => files.some((part) => path.includes(part)))
  if (isNarrowed ? !named : !values.packages && !values.long) return
  const distribution = await electronDistribution()
  const reason = 'reason' in distribution ? distribution.reason : whyNoPackages()
  if (reason === undefined) return playwright('packages', 'tests/packages/playwright.config.ts')
  console.log(`packages: skipped. ${reason}`)
  add('packages', 0, { passed: 0, failed: 0, skipped: 1 })
}

/** Which of the stories are told. */
const STORIES = isNarrowed ? [] : [values.long ? '--grep' : '--grep-invert', LONG.tag]

async function playwright(name: string, config: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const file = join(reports, `${name}.json`)
  const { code, seconds } = await run(
    'playwright',
    [
      'test',
      '-c',
      config,
      '--reporter=list,json',
      ...STORIES,
      ...(isNarrowed ? ['--pass-with-no-tests'] : []),
      ...files,
    ],
    {
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      ...env,
    },
  )
  type Report = {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    errors: { message?: string }[]
    suites: Suite[]
  }
  const report = readReport(file) as Report | undefined
  for (const { message } of report?.errors ?? []) failures.push(`${name}: ${firstLine(message)}`)
  for (const suite of report?.suites ?? []) collectFailures(suite)
  if (report && report.stats.flaky > 0) console.log(`${report.stats.flaky} of these needed a second try`)
  add(
    name,
    isNarrowed && report?.stats.expected === 0 ? 0 : code,
    report && {
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected + (isNarrowed ? 0 : report.errors.length),
      skipped: report.stats.skipped,
    },
    seconds,
  )
}

/** A file or group of stories, as Playwright reports it. */
type Suite = {
  specs?: {
    file: string
    title: string
    ok: boolean
    tests: { results: { error?: { message?: string } }[] }[]
  }[]
  suites?: Suite[]
}

function collectFailures({ specs = [], suites = [] }: Suite): void {
  for (const { file, title, ok, tests } of specs)
    if (!ok) failures.push(`${file}: ${title}: ${firstLine(tests[0]?.results.at(-1)?.error?.message)}`)
  for (const suite of suites) collectFailures(suite)
}

function firstLine(message = ''): string {
  return stripVTControlCharacters(message).split('\n', 1)[0]?.slice(0, 200) ?? ''
}

/** How many runs of each kind there were, and with which seeds. */
function reportCovered(): void {
  if (!existsSync(covered)) return
  const kinds = new Map<string, { fixed: Range; fresh: Range; count: number }>()
  for (const line of readFileSync(covered, 'utf8').trim().split('\n')) {
    const { kind, isFresh, count, from, to } = JSON.parse(line) as Covered
    const seen = kinds.get(kind) ?? { fixed: {}, fresh: {}, count: 0 }
    seen.count += count
    const range = isFresh ? seen.fresh : seen.fixed
    if (from !== undefined) range.from = Math.min(range.from ?? from, from)
    if (to !== undefined) range.to = Math.max(range.to ?? to, to)
    kinds.set(kind, seen)
  }
  console.log(`Covered, with fresh seeds after ${fresh} (PARLOR_FRESH=${fresh} plays these again):`)
  for (const [kind, { count, fixed, fresh: news }] of [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${count.toLocaleString('en').padStart(9)} ${kind}${seedsIn([fixed, news])}`)
}

type Range = { from?: number; to?: number }

function seedsIn(ranges: readonly Range[]): string {
  const texts = ranges.flatMap(({ from, to }) =>
    from === undefined || to === undefined ? [] : [from === to ? `${from}` : `${from} to ${to}`],
  )
  return texts.length === 0 ? '' : `, seeds ${texts.join(' and ')}`
}

// Some tests read the built files, so the build comes first.
const built = await run('node', ['.ci/build.ts'])
if (built.code !== 0) add('build', built.code, undefined)
await vitest()
await pages()
// The long run has no story of its own there.
if (!values.long) await realElectron()
await installedPackages()
reportCovered()
rmSync(reports, { recursive: true, force: true })
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
