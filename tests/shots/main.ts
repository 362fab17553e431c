import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'
import { scriptFlags } from '../../.ci/script.ts'
import { LANGUAGES } from '#shared/domain/settings.ts'
import { photograph, type Look } from './camera.ts'
import { endAnnouncing } from './newcomers.ts'
import { SCREENS, type Screen } from './screens/index.ts'
import { drawSheets } from './sheets.ts'
import { openStage } from './stages.ts'

/** `forced`: the colors of the system, as in Windows’ contrast themes. */
const THEMES = ['light', 'dark', 'hc-light', 'hc-dark', 'forced'] as const

const LOOKS = LANGUAGES.flatMap((language) =>
  THEMES.map((colors) => {
    const forced = colors === 'forced'
    return { language, colors, theme: forced ? 'light' : colors, forced, name: `${language}-${colors}` } as const
  }),
)

const HELP = `Takes screenshots of every screen of the built app, to compare with the design. Beside each picture is a file with
its texts; a text that is cut off in one language only is reported. A contact sheet shows the pictures of one area together.

  npm run shots -- [OUT] [PARTS] [flags]

  OUT                where the pictures go; out/shots by default
  PARTS              parts of the names of screens, or areas, separated by commas; by default all screens
  --languages LIST   ${LANGUAGES.join(',')} by default
  --themes LIST      of ${THEMES.join(', ')}; light,dark by default
  --looks LIST       of a language and a theme each, as en-light,pl-hc-dark, in place of the two above
  --sheets           also draws contact sheets of the pictures in OUT, one for each area and look, into OUT/sheets
  --help             show this

Example: npm run shots -- out/shots main,poll --languages pl --themes hc-dark`

const { values, positionals } = scriptFlags(
  HELP,
  {
    languages: { type: 'list', of: LANGUAGES },
    themes: { type: 'list', of: THEMES },
    looks: { type: 'list', of: LOOKS.map(({ name }) => name) },
    sheets: { type: 'boolean' },
  },
  { positionals: 2 },
)
const [out = 'out/shots', parts = ''] = positionals
const { languages = LANGUAGES, themes = ['light', 'dark'] } = values
/** How many stages run at the same time. */
const LANES = 2

if (!existsSync('out/renderer')) throw new Error('There is no built app: run `npm run build` first.')
const looks = LOOKS.filter((look) =>
  values.looks ? values.looks.includes(look.name) : languages.includes(look.language) && themes.includes(look.colors),
).map((look) => ({ ...look, folder: `${out}/${look.name}` }) satisfies Look)
const wanted = SCREENS.filter(({ name, scene }) =>
  parts.split(',').some((part) => name.includes(part) || scene === part),
)
const waiting = [...Map.groupBy(wanted, ({ stage = 'demo', scene = '' }) => `${stage} ${scene}`).values()]
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: [...CHROMIUM_FLAGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
})
await Promise.all(Array.from({ length: LANES }, lane))
console.log(`${wanted.length} screens, ${wanted.length * looks.length} pictures in ${out}`)
if (values.sheets) {
  // An area is shown whole, with the pictures that an earlier run has left.
  const areas = new Set(wanted.map(({ scene }) => scene))
  const shown = SCREENS.filter(({ scene }) => areas.has(scene))
  console.log(`${await drawSheets(browser, out, shown, looks)} contact sheets in ${out}/sheets`)
}
await browser.close()
endAnnouncing()

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
