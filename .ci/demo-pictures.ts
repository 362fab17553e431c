import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { root, scriptFlags } from './script.ts'

const HELP = `Renders the drawings of the demo team to the PNG files that the seed uploads; run after changing a drawing.

  node main/entry/run.mjs .ci/demo-pictures.ts [PREFIX...]   only drawings whose names begin so; by default all`
const { positionals: prefixes } = scriptFlags(HELP, {}, { positionals: Infinity })
const folder = join(root, 'resources/demo')
const executablePath = findChromium()
if (executablePath === undefined) throw new Error('No Chromium found to draw with')

const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] })
const page = await browser.newPage()
const isWanted = (name: string): boolean => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))
for (const name of readdirSync(join(folder, 'drawings')).filter(isWanted)) {
  const drawing = readFileSync(join(folder, 'drawings', name), 'utf8')
  const size = {
    width: Number(/width="(\d+)"/.exec(drawing)?.[1]),
    height: Number(/height="(\d+)"/.exec(drawing)?.[1]),
  }
  await page.setViewportSize(size)
  await page.setContent(`<body style="margin:0">${drawing}</body>`)
  // The background stays transparent: emoji are shown on any color.
  await page.screenshot({ path: join(folder, name.replace('.svg', '.png')), omitBackground: true })
}
await browser.close()
