import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'
import { LANGUAGES, type Settings } from '#shared/domain/settings.ts'
import { photograph, type Look } from './camera.ts'
import { SCREENS, type Screen } from './screens/index.ts'
import { openStage } from './stages.ts'

/**
 * Pictures of every screen of the built app, in both themes and three languages, to be looked at beside the design:
 * `npm run shots`, or `npm run shots -- OUT [parts of names] [languages] [themes]`, each a list with commas:
 * `out/shots main,poll pl hc-dark`. Each screen is gone to once and taken in every look. What a page complains of and
 * what could not be reached is printed.
 */
const [out = 'out/shots', parts = '', languages = LANGUAGES.join(','), themes = 'light,dark'] = process.argv.slice(2)
/** Stages that are played beside each other. */
const LANES = 2

if (!existsSync('out/renderer')) throw new Error('There is no built app: run `npm run build` first.')
const looks: Look[] = languages.split(',').flatMap((language) =>
  themes.split(',').map((theme) => ({
    language: language as Settings['language'],
    theme: theme as Settings['theme'],
    folder: `${out}/${language}-${theme}`,
  })),
)
const wanted = SCREENS.filter(({ name }) => parts.split(',').some((part) => name.includes(part)))
const waiting = [...Map.groupBy(wanted, ({ stage = 'demo', scene = '' }) => `${stage} ${scene}`).values()]
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: [...CHROMIUM_FLAGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
})
await Promise.all(Array.from({ length: LANES }, lane))
await browser.close()
console.log(`${wanted.length} screens, ${wanted.length * looks.length} pictures in ${out}`)

async function lane(): Promise<void> {
  for (let screens = waiting.shift(); screens !== undefined; screens = waiting.shift()) await play(screens)
}

async function play(screens: readonly Screen[]): Promise<void> {
  const name = screens[0]?.stage ?? 'demo'
  const stage = await openStage(name).catch((error: unknown) => console.log(`${name}: ${String(error)}`))
  if (!stage) return
  try {
    for (const screen of screens) {
      for (const complaint of await photograph(browser, stage, screen, looks))
        console.log(`${screen.name}: ${complaint}`)
    }
  } finally {
    await stage.end()
  }
}
