import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import type { Look } from './camera.ts'
import type { Screen } from './screens/index.ts'

/** A sheet that is longer can no longer be read as a whole; the area goes on on the next one. */
const MOST_PICTURES = 20
const COLUMNS = 4
const WIDTH = 1_720
/** The least at which the smallest texts of a picture can be guessed; a sheet is kept in the repository. */
const QUALITY = 50

type NamedLook = Look & { readonly name: string }

/**
 * Draws the pictures of each area side by side, with their names, in every look: `sheets/AREA-LANGUAGE-THEME.webp`, or
 * several with numbers. Returns how many sheets there are.
 */
export async function drawSheets(
  browser: Browser,
  out: string,
  screens: readonly Screen[],
  looks: readonly NamedLook[],
): Promise<number> {
  const folder = join(out, 'sheets')
  mkdirSync(folder, { recursive: true })
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 800 } })
  let drawn = 0
  for (const [area = '', all] of Map.groupBy(screens, ({ scene }) => scene)) {
    for (const look of looks) {
      const there = all.filter(({ name }) => existsSync(join(look.folder, `${name}.png`)))
      const parts = Math.ceil(there.length / MOST_PICTURES)
      for (let part = 0; part < parts; part += 1) {
        const shown = there.slice(part * MOST_PICTURES, (part + 1) * MOST_PICTURES)
        const title = [area, look.name, ...(parts > 1 ? [part + 1] : [])].join('-')
        await page.setContent(sheet(title, shown, look))
        await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
        writeFileSync(join(folder, `${title}.webp`), await webpOf(page))
        drawn += 1
      }
    }
  }
  await page.close()
  return drawn
}

/** The whole page, in a format that takes a tenth of a PNG, which Playwright itself does not write. */
async function webpOf(page: Page): Promise<Buffer> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: WIDTH, height, scale: 1 },
  })
  await session.detach()
  return Buffer.from(data, 'base64')
}

function sheet(title: string, screens: readonly Screen[], { folder }: Look): string {
  const pictures = screens.map(({ name }) => {
    const bytes = readFileSync(join(folder, `${name}.png`)).toString('base64')
    return `<figure><img src="data:image/png;base64,${bytes}"><figcaption>${name}.png</figcaption></figure>`
  })
  return `<!doctype html><style>
    body { margin: 24px; font: 15px sans-serif; color: #222; background: #d8d8d8; }
    main { display: grid; grid-template-columns: repeat(${COLUMNS}, minmax(0, 1fr)); gap: 20px; align-items: start; }
    figure { margin: 0; }
    img { display: block; width: 100%; max-height: 640px; object-fit: contain; object-position: left top; }
    figcaption { margin-top: 4px; overflow-wrap: anywhere; }
  </style><h1>${title}</h1><main>${pictures.join('')}</main>`
}
