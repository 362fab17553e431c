import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { build, preview, type PreviewServer } from 'vite'
import type { Message } from '#shared/domain/message.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { aMessage, anAttachment, aWindow, byId, someSettings } from '#kit/fake-bridge/builders.ts'
import { LONG } from '#kit/parts.ts'

/**
 * The promises of the message list in a real browser with real layout: the gallery's app on a fake bridge, under the
 * product's own content policy.
 */
const CID = 'messaging:release-4-2'
const KEY = `timeline:${CID}` as const
const configFile = fileURLToPath(new URL('../gallery/vite.config.ts', import.meta.url))
/** A separate folder: a build of the product empties `out`. */
const outDir = mkdtempSync(join(tmpdir(), 'parlor-gallery-'))

/** Serially: the page is built once for all. */
test.describe.configure({ mode: 'default' })

let server: PreviewServer
let address = ''

test.beforeAll(async () => {
  test.setTimeout(180_000)
  await build({ configFile, logLevel: 'error', build: { outDir } })
  server = await preview({ configFile, logLevel: 'error', build: { outDir }, preview: { port: 0, strictPort: false } })
  address = server.resolvedUrls?.local[0] ?? ''
})
test.afterAll(async () => {
  await server.close()
  rmSync(outDir, { recursive: true, force: true })
})

const MINUTE = 60_000
/** Later than everything the gallery shows at first, so that all of it counts as new. */
const START = new Date(2026, 11, 1).getTime()
const AUTHORS = ['priya', 'jonas', 'tomasz', 'nadia']

/**
 * Message number n of an endless conversation: texts of many lengths, pictures with and without a known size, quotes.
 */
function numbered(n: number): Message {
  const at = (modulus: number): number => ((n % modulus) + modulus) % modulus
  const picture = anAttachment({ title: 'landscape-dawn.png', ...(at(2) === 0 ? { width: 1280, height: 880 } : {}) })
  const code = '```ts\nconst a = 1\nconst b = 2\n```'
  return aMessage({
    id: `n${n}`,
    cid: CID,
    userId: AUTHORS[Math.floor(at(12) / 3)] ?? 'priya',
    createdAt: START + n * 7 * MINUTE,
    text: at(13) === 0 ? code : `${'word '.repeat(1 + at(90))}${n}`,
    attachments: at(11) === 0 ? [picture] : [],
    reactions:
      at(7) === 0 ? [{ type: '👍', count: 2, sumScores: 2, firstAt: 1, lastAt: 2, own: false, userIds: [] }] : [],
  })
}

type Gallery = { change(rows: object, windows?: readonly object[]): void }
type Step = { readonly rows: object; readonly shape: object }

/** How far rows in view moved in one step at most and in all, and how far the end was at most, in CSS pixels. */
type Moved = { readonly worst: number; readonly overall: number; readonly fromEnd: number }

/** Drives the list of the open channel from outside. */
class Timeline {
  readonly page: Page
  #from: number
  #to: number
  readonly #removed = new Set<number>()

  constructor(page: Page, from: number, to: number) {
    this.page = page
    this.#from = from
    this.#to = to
  }

  static async open(page: Page, count: number): Promise<Timeline> {
    await page.goto(address)
    const timeline = new Timeline(page, 0, 0)
    await expect(timeline.list).toBeVisible()
    await timeline.append(count)
    await timeline.list.evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await expect(timeline.list).toHaveAttribute('data-settled', '1')
    return timeline
  }

  get list() {
    return this.page.locator(`[data-message-list="${CID}"]`)
  }

  /** Each step makes the list longer at its beginning by so many messages. */
  prepend(...counts: readonly number[]): Promise<Moved> {
    return this.#play(
      counts.map((count) => {
        const added = Array.from({ length: count }, (_, index) => numbered(this.#from - count + index))
        this.#from -= count
        return this.#step(added)
      }),
    )
  }

  /** Each step makes the list longer at its end by so many messages. */
  append(...counts: readonly number[]): Promise<Moved> {
    return this.#play(
      counts.map((count) => {
        const added = Array.from({ length: count }, (_, index) => numbered(this.#to + index))
        this.#to += count
        return this.#step(added)
      }),
    )
  }

  /** Another part of the window changes. */
  async chosen(over: Partial<Settings>): Promise<void> {
    await this.page.evaluate((self) => {
      const { gallery } = globalThis as unknown as { gallery: Gallery }
      gallery.change({ settings: { self } })
    }, someSettings(over))
  }

  /**
   * A message arrives in the turn in which a script scrolls, before the browser reports the scrolling in the next frame.
   */
  async scrollAndAppend(by: number): Promise<void> {
    const added = numbered(this.#to)
    this.#to += 1
    await this.list.evaluate(
      (list, [distance, { rows, shape }]) => {
        const { gallery } = globalThis as unknown as { gallery: Gallery }
        // After a quiet frame the window applies a change at the end of the turn.
        list.scrollBy(0, distance)
        gallery.change(rows, [shape])
      },
      [by, this.#step([added])] as [number, Step],
    )
    await this.frames()
  }

  remove(n: number): Promise<Moved> {
    this.#removed.add(n)
    return this.#play([this.#step([])])
  }

  change(n: number, over: Partial<Message>): Promise<Moved> {
    return this.#play([this.#step([{ ...numbered(n), ...over }])])
  }

  /** Messages are known to be missing before number n; without a number none is. */
  tear(n?: number): Promise<Moved> {
    return this.#play([this.#step([], n === undefined ? [] : [`n${n}`])])
  }

  #step(messages: readonly Message[], gapsBefore: readonly string[] = []): Step {
    const ids: string[] = []
    for (let n = this.#from; n < this.#to; n++) if (!this.#removed.has(n)) ids.push(`n${n}`)
    return { rows: { messages: byId(messages) }, shape: aWindow(KEY, ids, { gapsBefore }) }
  }

  /**
   * Runs the steps inside the page, one after the other, and returns how far rows in view moved and how far the end is.
   */
  #play(steps: readonly Step[]): Promise<Moved> {
    return this.list.evaluate(async (list, all) => {
      const { gallery } = globalThis as unknown as { gallery: Gallery }
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      const places = (): Map<string, number> => {
        const edge = list.getBoundingClientRect().top
        const rows = [...list.querySelectorAll<HTMLElement>('[data-message-id]')].map((row) => {
          const { top, bottom } = row.getBoundingClientRect()
          return { id: row.dataset['messageId'] ?? '', top: top - edge, bottom: bottom - edge }
        })
        const seen = rows.filter((row) => row.bottom > 0 && row.top < list.clientHeight)
        return new Map(seen.map((row) => [row.id, row.top]))
      }
      const between = (a: Map<string, number>, b: Map<string, number>): number => {
        const moved = [...a].flatMap(([id, top]) => (b.has(id) ? [Math.abs((b.get(id) ?? 0) - top)] : []))
        return moved.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...moved)
      }
      const start = places()
      let before = start
      let worst = 0
      let fromEnd = 0
      for (const { rows, shape } of all) {
        gallery.change(rows, [shape])
        await frame()
        await frame()
        const now = places()
        worst = Math.max(worst, between(before, now))
        fromEnd = Math.max(fromEnd, list.scrollHeight - list.clientHeight - list.scrollTop)
        before = now
      }
      return { worst, overall: between(start, before), fromEnd }
    }, steps as Step[])
  }

  /** Long enough for a push to become a commit and a layout. */
  async frames(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
    )
  }

  /** The position of every row in view, from the top edge of the list. */
  async places(): Promise<ReadonlyMap<string, number>> {
    const places = await this.list.evaluate((list) => {
      const edge = list.getBoundingClientRect().top
      const found: [string, number][] = []
      for (const row of list.querySelectorAll<HTMLElement>('[data-message-id]')) {
        const { top, bottom } = row.getBoundingClientRect()
        if (bottom > edge && top < edge + list.clientHeight) found.push([row.dataset['messageId'] ?? '', top - edge])
      }
      return found
    })
    return new Map(places)
  }

  async wheel(deltaY: number, times: number): Promise<void> {
    await this.list.hover()
    for (let index = 0; index < times; index++) {
      await this.page.mouse.wheel(0, deltaY)
      await this.frames()
    }
    // A smooth scroll of the browser may still be running.
    let last = -1
    for (let top = await this.top(); top !== last; top = await this.top()) {
      last = top
      await this.frames()
    }
  }

  top(): Promise<number> {
    return this.list.evaluate((list) => list.scrollTop)
  }

  fromEnd(): Promise<number> {
    return this.list.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop)
  }
}

/**
 * How far from the button the toolbars of rows are, in CSS pixels, with the list scrolled by a few pixels at a time and the
 * pointer on each row beside the button.
 */
async function apart({ page, list }: Timeline, button: Locator): Promise<number[]> {
  const toolbar = list.getByRole('toolbar')
  const distances: number[] = []
  for (let step = 0; step < 6; step += 1) {
    await list.evaluate((element) => element.scrollBy(0, 17))
    const edge = (await list.boundingBox())!
    for (const up of [4, 30, 60]) {
      await page.mouse.move(edge.x + 70, edge.y + edge.height - up)
      const [tools, pill] = [await toolbar.first().boundingBox(), await button.boundingBox()]
      if (!tools || !pill) continue
      const beside = Math.max(pill.x - tools.x - tools.width, tools.x - pill.x - pill.width)
      const above = Math.max(pill.y - tools.y - tools.height, tools.y - pill.y - pill.height)
      distances.push(Math.max(beside, above))
    }
  }
  return distances
}

test('200 older pages with mixed media arrive and no row in view moves', LONG, async ({ page }) => {
  test.setTimeout(180_000)
  const timeline = await Timeline.open(page, 120)
  await timeline.wheel(-400, 8)
  const { worst, overall } = await timeline.prepend(...Array.from({ length: 200 }, (_, index) => 1 + (index % 5)))
  expect(worst).toBeLessThanOrEqual(1)
  expect(overall).toBeLessThanOrEqual(1)
})

test('1,000 messages arrive while the user reads above, and nothing moves; a pill counts them', async ({ page }) => {
  test.setTimeout(180_000)
  const timeline = await Timeline.open(page, 120)
  await timeline.wheel(-400, 8)
  const { worst, overall } = await timeline.append(...Array.from({ length: 100 }, () => 10))
  expect(worst).toBe(0)
  expect(overall).toBe(0)
  await page.getByRole('button', { name: /^1,?000 new messages$/ }).click()
  await timeline.frames()
  expect(await timeline.fromEnd()).toBeLessThanOrEqual(1)
})

test('the toolbar of a row never touches the button to the newest message, in a wide or narrow list', async ({
  page,
}) => {
  const timeline = await Timeline.open(page, 60)
  const button = page.getByRole('button', { name: 'Jump to latest' })
  for (const width of [1440, 720, 340]) {
    await page.setViewportSize({ width, height: 900 })
    await timeline.list.evaluate((list) => list.scrollTo(0, list.scrollHeight - list.clientHeight - 700))
    await expect(button).toBeVisible()
    await timeline.frames()
    const distances = await apart(timeline, button)
    expect(distances, `${width} px`).not.toHaveLength(0)
    expect(Math.min(...distances), `${width} px`).toBeGreaterThanOrEqual(4)
  }
})

test('at the end, new messages and growing rows keep the end in view', async ({ page }) => {
  const timeline = await Timeline.open(page, 60)
  const { fromEnd } = await timeline.append(...Array.from({ length: 20 }, (_, index) => 1 + (index % 3)))
  expect(fromEnd).toBeLessThanOrEqual(1)
  const last = (await timeline.list.locator('[data-message-id]').last().getAttribute('data-message-id')) ?? ''
  const grown = await timeline.change(Number(last.slice(1)), { text: 'one\n\ntwo\n\nthree\n\nfour' })
  expect(grown.fromEnd).toBeLessThanOrEqual(1)
  await expect(timeline.list).toHaveAttribute('data-settled', '1')
  // An element below the list disappears, and another one appears in its place a frame later.
  await timeline.list.evaluate(async (list) => {
    // After the layout of a frame, and before the next one reports scrolling.
    const laidOut = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const pane = list.parentElement
    if (pane === null) return
    const low = `${pane.clientHeight - 40}px`
    for (const height of [low, '', low]) {
      pane.style.maxHeight = height
      await laidOut()
    }
  })
  await timeline.frames()
  expect(await timeline.fromEnd()).toBeLessThanOrEqual(1)
  // The view gets higher, which moves it up, and a row grows before the browser reports that.
  await timeline.list.evaluate((list) => {
    const pane = list.parentElement
    const row = [...list.querySelectorAll<HTMLElement>('[data-row]')].at(-1)
    if (pane === null || row === undefined) return
    pane.style.maxHeight = ''
    row.style.paddingBlockEnd = list.scrollTop > 0 ? '17px' : ''
  })
  await timeline.frames()
  expect(await timeline.fromEnd()).toBeLessThanOrEqual(1)
})

test('at the end, sizes that change several times in one frame keep the end in view', async ({ page }) => {
  const timeline = await Timeline.open(page, 60)
  const { list } = timeline

  await test.step('rows get lower, which moves the view up, and then the list is narrower', async () => {
    await list.evaluate((element) => {
      const row = [...element.querySelectorAll<HTMLElement>('[data-row]')].at(-1)
      if (row === undefined || element.parentElement === null) return
      row.style.display = 'none'
      // The browser lays out now, and again for the frame.
      element.scrollBy(0, 0)
      row.style.display = ''
      element.parentElement.style.maxWidth = '420px'
    })
    await timeline.frames()
    expect(await timeline.fromEnd()).toBeLessThanOrEqual(1)
  })

  await test.step('rows get lower, and then higher than before', async () => {
    await list.evaluate((element) => {
      const row = [...element.querySelectorAll<HTMLElement>('[data-row]')].at(-1)
      if (row === undefined) return
      const space = element.querySelector<HTMLElement>('[data-row]')?.parentElement
      if (space) space.style.marginBlockEnd = '-30px'
      element.scrollBy(0, 0)
      if (space) space.style.marginBlockEnd = ''
      row.style.paddingBlockEnd = '13px'
    })
    await timeline.frames()
    expect(await timeline.fromEnd()).toBeLessThanOrEqual(1)
  })

  await test.step('the view gets higher, and then rows do, by more than counts as the end', async () => {
    await list.evaluate(async (element) => {
      const pane = element.parentElement
      if (pane !== null) pane.style.maxHeight = `${pane.clientHeight - 300}px`
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    })
    await timeline.frames()
    expect(await timeline.fromEnd()).toBeLessThanOrEqual(1)
    await list.evaluate((element) => {
      const row = [...element.querySelectorAll<HTMLElement>('[data-row]')].at(-1)
      if (row === undefined || element.parentElement === null) return
      element.parentElement.style.maxHeight = ''
      element.scrollBy(0, 0)
      row.style.paddingBlockEnd = '200px'
    })
    await timeline.frames()
    expect(await timeline.fromEnd()).toBeLessThanOrEqual(1)
  })
})

test(
  'a message that arrives before the browser reports scrolling does not move the view to the end',
  LONG,
  async ({ page }) => {
    const timeline = await Timeline.open(page, 60)
    await timeline.scrollAndAppend(-600)
    expect(await timeline.fromEnd()).toBeGreaterThan(600)
  },
)

test('a row above the view that grows or disappears moves nothing in view', LONG, async ({ page }) => {
  const timeline = await Timeline.open(page, 120)
  await timeline.wheel(-400, 8)
  const mounted = await timeline.list
    .locator('[data-message-id]')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['messageId'] ?? ''))
  const [first = ''] = (await timeline.places()).keys()
  const above = mounted.slice(0, mounted.indexOf(first)).map((id) => Number(id.slice(1)))
  expect(above.length).toBeGreaterThan(2)
  const grown = await timeline.change(above.at(-2) ?? 0, { text: 'grown '.repeat(300) })
  expect(grown.worst).toBeLessThanOrEqual(1)
  const removal = await timeline.remove(above.at(-1) ?? 0)
  expect(removal.worst).toBeLessThanOrEqual(1)
})

test('a row in view that grows keeps its top; a gap that is filled moves nothing', LONG, async ({ page }) => {
  const timeline = await Timeline.open(page, 120)
  await timeline.wheel(-400, 8)
  const top = [...(await timeline.places())].filter(([, edge]) => edge >= 0)[1]?.[0] ?? ''
  const before = (await timeline.places()).get(top) ?? 0
  await timeline.change(Number(top.slice(1)), { text: 'grown '.repeat(200) })
  expect(Math.abs(((await timeline.places()).get(top) ?? Infinity) - before)).toBeLessThanOrEqual(1)
  const mounted = await timeline.list
    .locator('[data-message-id]')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['messageId'] ?? ''))
  const above = Number((mounted[1] ?? '').slice(1))
  const torn = await timeline.tear(above)
  await expect(timeline.list.getByText('Some messages are missing here')).toHaveCount(1)
  const filled = await timeline.tear()
  expect(torn.worst).toBeLessThanOrEqual(1)
  expect(filled.worst).toBeLessThanOrEqual(1)
})

test(
  'a narrower window keeps the row being read, a lower one keeps the row at its lower edge',
  LONG,
  async ({ page }) => {
    const timeline = await Timeline.open(page, 120)
    await timeline.wheel(-400, 8)
    const heightOf = () => timeline.list.evaluate((list) => list.clientHeight)
    const wholeIn = (places: ReadonlyMap<string, number>) => [...places].find(([, top]) => top >= 0)?.[0] ?? ''
    const before = await timeline.places()
    const id = wholeIn(before)
    await page.setViewportSize({ width: 1200, height: 900 })
    await timeline.frames()
    expect(Math.abs(((await timeline.places()).get(id) ?? Infinity) - (before.get(id) ?? 0))).toBeLessThanOrEqual(1)
    const wide = await timeline.places()
    const tall = await heightOf()
    await page.setViewportSize({ width: 1200, height: 760 })
    await timeline.frames()
    const low = await timeline.places()
    const lowest = [...low.keys()].at(-2) ?? ''
    const short = await heightOf()
    expect(Math.abs(tall - (wide.get(lowest) ?? 0) - (short - (low.get(lowest) ?? 0)))).toBeLessThanOrEqual(1)
  },
)

test('another density, larger text and a panel beside it keep the row being read', LONG, async ({ page }) => {
  const timeline = await Timeline.open(page, 120)
  await timeline.wheel(-400, 8)
  // Larger text makes header and composer higher too: the list shrinks at its top.
  const aboveEnd = async (id: string): Promise<number> =>
    (await timeline.list.evaluate((list) => list.clientHeight)) - ((await timeline.places()).get(id) ?? -Infinity)
  // The row being read is the one that was topmost when scrolling stopped, whatever comes into view above it.
  const id = [...(await timeline.places())].find(([, top]) => top >= 0)?.[0] ?? ''
  const moved = async (act: () => Promise<void>): Promise<number> => {
    const before = await aboveEnd(id)
    await act()
    await timeline.frames()
    return Math.abs((await aboveEnd(id)) - before)
  }
  expect(await moved(() => timeline.chosen({ density: 'compact' }))).toBeLessThanOrEqual(1)
  expect(await moved(() => timeline.chosen({ density: 'compact', textScale: 130 }))).toBeLessThanOrEqual(1)
  const width = () => timeline.list.evaluate((list) => list.clientWidth)
  const wide = await width()
  const beside = async (): Promise<void> => {
    await page.keyboard.press('Control+Shift+I')
    await expect.poll(width).toBeLessThan(wide)
  }
  expect(await moved(beside)).toBeLessThanOrEqual(1)
})

test('dragging far into the list shows rows at once, and the end is reached again', LONG, async ({ page }) => {
  const timeline = await Timeline.open(page, 300)
  for (const share of [0.5, 0.1, 0.8, 0]) {
    await timeline.list.evaluate((list, part) => list.scrollTo(0, list.scrollHeight * part), share)
    await timeline.frames()
    expect((await timeline.places()).size).toBeGreaterThan(1)
    await expect(timeline.list).not.toHaveAttribute('data-settled', '1')
  }
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(timeline.list).toHaveAttribute('data-settled', '1')
})

test('only a few screens of rows are ever mounted', LONG, async ({ page }) => {
  const timeline = await Timeline.open(page, 300)
  const mounted = () => timeline.list.locator('[data-row]').count()
  expect(await mounted()).toBeLessThan(80)
  await timeline.wheel(-1_200, 10)
  expect(await mounted()).toBeLessThan(80)
})

test('what a screen reader finds in every kind of row', LONG, async ({ page }) => {
  await page.clock.setFixedTime(new Date(2026, 10, 20, 12))
  // High enough that all rows are mounted.
  await page.setViewportSize({ width: 1_200, height: 9_000 })
  await page.goto(`${address}?scene=rows`)
  const list = page.locator(`[data-message-list="${CID}"]`)
  await expect(list.locator('[data-message-id="shape-text"]')).toBeVisible()
  expect(await list.getByRole('article').count()).toBeGreaterThanOrEqual(30)
  await expect(list.getByText('Couldn’t load')).toHaveCount(1)
  await expect(list).toMatchAriaSnapshot({ name: 'rows.aria.yml' })
})
