import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'
import { LANGUAGES, type Settings } from '#shared/domain/settings.ts'
import { SCREENS, type ScreenShot } from './screens.ts'
import { openStage, type Stage } from './stages.ts'

/**
 * Pictures of every screen of the built app, on the demo team, in both themes and three languages, to be looked at
 * beside the design: `npm run shots`, or
 * `npm run shots -- OUT [parts of names] [languages] [themes]`, each a list with commas: `out/shots main,poll pl hc-dark`.
 * What a page complains of is printed.
 */
const [out = 'out/shots', parts = '', languages = LANGUAGES.join(','), themes = 'light,dark'] = process.argv.slice(2)
const USUAL_SIZE = [1440, 900] as const

if (!existsSync('out/renderer')) throw new Error('There is no built app: run `npm run build` first.')
const wanted = SCREENS.filter(({ name }) => parts.split(',').some((part) => name.includes(part)))
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...CHROMIUM_FLAGS] })
for (const language of languages.split(',')) for (const theme of themes.split(',')) await take(browser, language, theme)
await browser.close()

async function take(inBrowser: Browser, language: string, theme: string): Promise<void> {
  const folder = join(out, `${language}-${theme}`)
  mkdirSync(folder, { recursive: true })
  const look = { language: language as Settings['language'], theme: theme as Settings['theme'] }
  const stages = Map.groupBy(wanted, ({ stage = 'demo' }) => stage)
  for (const [name, screens] of stages) {
    const stage = await openStage(name, look)
    for (const screen of screens) {
      const complaint = await shoot(inBrowser, stage, screen, join(folder, `${screen.name}.png`))
      if (complaint !== '') console.log(`${language} ${theme} ${screen.name}: ${complaint}`)
    }
    await stage.end()
  }
}

async function shoot(inBrowser: Browser, stage: Stage, { go, size }: ScreenShot, path: string): Promise<string> {
  const [width, height] = USUAL_SIZE
  const context = await inBrowser.newContext({ viewport: { width, height }, locale: 'en-GB' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  try {
    await page.goto(stage.url)
    await page.waitForSelector(stage.settled)
    if (size) await page.setViewportSize({ width: size[0], height: size[1] })
    await go(page, stage)
    await page.waitForTimeout(500)
    await page.screenshot({ path })
  } catch (error) {
    complaints.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
  stage.cable?.mend()
  await context.close()
  return complaints.join(' | ')
}
