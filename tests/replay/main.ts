import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { CHROMIUM_FLAGS, findHeadlessChromium } from '../../.ci/chromium.ts'
import { scriptFlags } from '../../.ci/script.ts'
import { type ProblemReport, readProblemReport } from '#shared/bridge/problem-report.ts'
import { replay } from './player.ts'

const HELP = `Plays a problem report (Settings, Advanced, Report a problem) in a fresh profile of the app, against a local
server of the report's shape. Says which steps could not be played, and saves a screenshot beside the report.

  npm run replay -- FILE

  FILE     the saved report; its screenshot is FILE.png
  --help   show this

Ends with 0 if every step was played and the screen at the end is that of the report.`

const { positionals } = scriptFlags(HELP, {}, { positionals: 1 })
const [file] = positionals
if (file === undefined) {
  console.error('Which file? See --help.')
  process.exit(2)
}

const report = read(file)
console.log(`Parlor ${report.app} in ${report.host}, ${report.steps.length} steps`)
const browser = await chromium.launch({ executablePath: findHeadlessChromium() ?? '', args: [...CHROMIUM_FLAGS] })
const { unplayed, differences, screenshot } = await replay(report, browser)
await browser.close()
for (const { at, step, why } of unplayed) console.log(`step ${at} (${step.kind}) could not be played: ${why}`)
for (const difference of differences) console.log(`the end is different: ${difference}`)
if (unplayed.length === 0) console.log('Every step was played.')
if (differences.length === 0) console.log('The screen at the end is that of the report.')
writeFileSync(`${file}.png`, screenshot)
console.log(`Screenshot: ${file}.png`)
process.exitCode = unplayed.length === 0 && differences.length === 0 ? 0 : 1

function read(path: string): ProblemReport {
  try {
    return readProblemReport(readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(`${path} is not a problem report: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(2)
  }
}
