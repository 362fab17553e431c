import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'
import { LANGUAGES } from '#shared/domain/settings.ts'
import { startApp, temporaryFolder } from '../e2e/processes.ts'
import { SCREENS, type ScreenShot } from './screens.ts'

/**
 * Pictures of every screen of the built app, on the demo workspace, in both themes and three languages, to be looked at
 * beside the design: `npm run shots`, or `npm run shots -- OUT [part of a name]`. What a page complains of is printed.
 */
const [out = 'out/shots', part = ''] = process.argv.slice(2)
const THEMES = ['light', 'dark'] as const
const USUAL_SIZE = [1440, 900] as const
const SETTLED = '[data-message-list][data-settled="1"]'

if (!existsSync('out/renderer')) throw new Error('There is no built app: run `npm run build` first.')
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...CHROMIUM_FLAGS] })
for (const language of LANGUAGES) for (const theme of THEMES) await take(browser, language, theme)
await browser.close()

async function take(inBrowser: Browser, language: string, theme: string): Promise<void> {
  const data = temporaryFolder('shots')
  writeFileSync(join(data.path, 'settings.json'), JSON.stringify({ settings: { language, theme, motion: 'reduced' } }))
  const app = await startApp(data.path)
  const folder = join(out, `${language}-${theme}`)
  mkdirSync(folder, { recursive: true })
  for (const screen of SCREENS.filter(({ name }) => name.includes(part))) {
    const complaint = await shoot(inBrowser, app.ready['url'] ?? '', screen, join(folder, `${screen.name}.png`))
    if (complaint !== '') console.log(`${language} ${theme} ${screen.name}: ${complaint}`)
  }
  await app.stop()
  data.remove()
}

async function shoot(inBrowser: Browser, url: string, { go, size }: ScreenShot, path: string): Promise<string> {
  const [width, height] = USUAL_SIZE
  const context = await inBrowser.newContext({ viewport: { width, height }, locale: 'en-GB' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  try {
    await page.goto(url)
    await page.waitForSelector(SETTLED)
    if (size) await page.setViewportSize({ width: size[0], height: size[1] })
    await go(page)
    await page.waitForTimeout(500)
    await page.screenshot({ path })
  } catch (error) {
    complaints.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
  await context.close()
  return complaints.join(' | ')
}
