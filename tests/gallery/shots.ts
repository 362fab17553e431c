import { mkdirSync } from 'node:fs'
import { chromium } from 'playwright'
import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'
import { scriptFlags } from '../../.ci/script.ts'

const HELP = `Takes screenshots of the gallery, and prints the errors and warnings of its pages.

  node tests/gallery/shots.ts [OUT] [PARTS] [flags]

  OUT             where the pictures go; out/shots by default
  PARTS           parts of the names of pictures, separated by commas; by default all
  --address URL   of the gallery; http://127.0.0.1:5198 by default
  --help          show this

The gallery must run: vite preview -c tests/gallery/vite.config.ts`

type Shot = {
  readonly name: string
  readonly query: string
  readonly size?: readonly [number, number]
  readonly press?: string
  readonly click?: string
  /** Typed into the composer, and sent with Enter. */
  readonly send?: string
}

const SHOTS: readonly Shot[] = [
  { name: 'main-light', query: '' },
  { name: 'main-dark', query: 'theme=dark' },
  { name: 'main-hc-light', query: 'theme=hc-light' },
  { name: 'main-hc-dark', query: 'theme=hc-dark' },
  { name: 'main-compact', query: 'density=compact' },
  { name: 'main-pl', query: 'lang=pl' },
  { name: 'main-ru', query: 'lang=ru&theme=dark' },
  { name: 'main-text-125', query: 'lang=pl&text=125' },
  { name: 'main-linux', query: 'titlebar=linux' },
  { name: 'main-macos', query: 'titlebar=macos' },
  { name: 'thread', query: '', click: 'button:has-text("5 replies")' },
  { name: 'pinned', query: '', click: 'button[aria-label*="pinned message"]' },
  { name: 'members', query: '', click: 'button[aria-label="14 members"]' },
  { name: 'rail-1024', query: '', size: [1024, 700], click: 'button:has-text("5 replies")' },
  { name: 'small-800', query: '', size: [800, 640] },
  { name: 'narrow-chat', query: '', size: [480, 800] },
  { name: 'narrow-list', query: '', size: [480, 800], click: 'button[aria-label="Back"]' },
  { name: 'offline-outbox', query: 'scene=offline', click: 'button[aria-label^="Outbox"]' },
  { name: 'connecting', query: 'scene=connecting' },
  { name: 'frozen', query: 'scene=frozen' },
  { name: 'notices', query: 'scene=notices' },
  { name: 'loading', query: 'scene=loading' },
  { name: 'failed', query: 'scene=failed' },
  { name: 'empty', query: 'scene=empty' },
  { name: 'start-light', query: 'scene=start' },
  { name: 'start-dark-ru', query: 'scene=start&theme=dark&lang=ru' },
  { name: 'connect', query: 'scene=start', click: 'button:has-text("Join or connect")' },
  { name: 'make', query: 'scene=start&lang=pl', click: 'button:has-text("Przestrzeń na tym")' },
  { name: 'settings', query: '', press: 'Control+,' },
  { name: 'settings-dark-pl', query: 'theme=dark&lang=pl', press: 'Control+,' },
  { name: 'settings-1024', query: 'lang=ru', size: [1024, 700], press: 'Control+,' },
  { name: 'settings-480', query: '', size: [480, 800], press: 'Control+,' },
  { name: 'switcher', query: '', press: 'Control+k' },
  { name: 'shortcuts', query: '', press: 'Control+/' },
  { name: 'workspace-menu', query: '', click: 'button[aria-haspopup="menu"]' },
  { name: 'new-channel', query: '', click: 'button[aria-label="New channel"]' },
  { name: 'later', query: '', click: '[data-roving-id="later"]' },
]

const LOOKS = ['en light', 'en dark', 'en hc-light', 'en hc-dark', 'pl light', 'pl hc-dark', 'ru dark', 'ru hc-light']
const TROUBLES = [
  'stopped',
  'shut',
  'still',
  'not-renewed',
  'clocks',
  'signed-out-there',
  'conflict',
  'just-sent',
  'read-only',
  'full',
  'crowded',
  'several',
  'unsure',
  'bones',
]
const { values, positionals } = scriptFlags(HELP, { address: { type: 'text' } }, { positionals: 2 })
const [out = 'out/shots', filter = ''] = positionals
const { address = 'http://127.0.0.1:5198' } = values
/** Each in every language and theme, and in the narrowest window. */
const troubles = TROUBLES.flatMap((scene) =>
  LOOKS.flatMap((look): Shot[] => {
    const [lang = '', theme = ''] = look.split(' ')
    const shot = {
      query: `scene=${scene}&lang=${lang}&theme=${theme}`,
      ...(scene === 'just-sent' ? { send: 'On my way' } : {}),
    }
    const name = `trouble-${scene}-${lang}-${theme}`
    return [
      { ...shot, name },
      { ...shot, name: `${name}-450`, size: [450, 800] },
    ]
  }),
)
mkdirSync(out, { recursive: true })
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: [...CHROMIUM_FLAGS],
})
for (const shot of [...SHOTS, ...troubles].filter(({ name }) =>
  filter.split(',').some((part) => name.includes(part)),
)) {
  const [width, height] = shot.size ?? [1440, 900]
  const page = await browser.newPage({ viewport: { width, height } })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') console.log(`${shot.name}: ${message.text()}`)
  })
  page.on('pageerror', (error) => console.log(`${shot.name}: ${error.message}`))
  await page.goto(`${address}/?${shot.query}`)
  await page.waitForSelector('header')
  await page.waitForTimeout(500)
  if (shot.press !== undefined) await page.keyboard.press(shot.press)
  if (shot.click !== undefined)
    await page
      .locator(shot.click)
      .first()
      .click({ timeout: 3_000 })
      .catch((error: Error) => console.log(`${shot.name}: ${error.message.split('\n')[0]}`))
  if (shot.send !== undefined) {
    await page.locator('[data-composer]').first().fill(shot.send)
    await page.keyboard.press('Enter')
  }
  await page.waitForTimeout(500)
  await page.screenshot({ path: `${out}/${shot.name}.png` })
  await page.close()
}
await browser.close()
