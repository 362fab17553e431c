import type { Page } from '@playwright/test'
import { SETTINGS_PAGES } from '#kit/settings-pages.ts'
import { Screen } from '../kit/screen.ts'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

/** The contents of the side panel, and the keys that open them; the details are beside the channel. */
const VIEWS = [
  ['details', 'Control+Shift+I'],
  ['threads', 'Control+Shift+T'],
  ['reminders', 'Control+2'],
  ['drafts', 'Control+3'],
  ['catch-up', 'Control+Shift+A'],
  ['mentions', 'Control+Shift+M'],
] as const

/** The same page in longer texts, mirrored. */
function mirrored(url: string | undefined): string {
  const address = new URL(url ?? '')
  address.searchParams.set('lang', 'qps-rtl')
  return address.href
}

/** Elements outside the window, or that make it scroll sideways. */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = [document.documentElement, ...document.querySelectorAll('main')].filter(
      (element) => element.scrollWidth > element.clientWidth + 1,
    )
    const cut = [...document.querySelectorAll<HTMLElement>('main button, main h1, main h2')].filter((element) => {
      const box = element.getBoundingClientRect()
      return box.width > 0 && (box.left < -1 || box.right > window.innerWidth + 1)
    })
    return [...wide, ...cut].map((element) => `${element.tagName} ${element.textContent.slice(0, 40)}`)
  })

test(
  'longer texts, right to left, fit in a channel, in every list beside it and on every page of the settings',
  LONG,
  async ({ world, browser }) => {
    const app = await world.app(world.folder('mirrored'), '--demo')
    const screen = await Screen.open(browser, mirrored(app.ready['url']))
    const { page } = world.watch(screen.page)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await screen.openChannel('team:release-4-2')
    const sidebar = await screen.row('team:release-4-2').boundingBox()
    expect(sidebar?.x).toBeGreaterThan(900)
    const found: Record<string, string[]> = {}
    const look = async (name: string): Promise<void> => {
      const faults = await outside(page)
      if (faults.length > 0) found[name] = faults
    }
    await look('channel')
    for (const [view, keys] of VIEWS) {
      await page.keyboard.press(keys)
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      await look(view)
    }

    await page.keyboard.press('Control+,')
    await page.locator('[data-region="sidebar"] input[type="search"]').waitFor()
    const pages = page.locator('[data-region="sidebar"] li [role="link"]')
    for (const link of await pages.all()) {
      const name = (await link.textContent()) ?? ''
      await link.click()
      await expect(page.locator('main h1')).toHaveText(name)
      await look(name)
    }
    expect(found).toEqual({})
    // About is a link in the foot, below the list.
    expect(await pages.count()).toBe(SETTINGS_PAGES.length - 1)
    await page.context().close()
  },
)
