import type { Page } from 'playwright'
import { withBlankPage } from './limits.ts'
import { figure, type Figure } from './stats.ts'

/** As a fast turn of the wheel: half a screen in each frame. */
const STEP_PX = 400
const FRAMES = 240
/** More than are scrolled over. */
const FLOOR_ROWS = (FRAMES * STEP_PX) / 16

type Scrolled = {
  /** From one frame to the next, in milliseconds. */
  readonly gaps: readonly number[]
  /** Tasks of the page's main thread that took over 50 ms, in milliseconds. */
  readonly long: readonly number[]
  /**
   * Processor time of the page's main thread for one frame, in milliseconds. A busy machine disturbs it less than the
   * gaps.
   */
  readonly cpu: number
}

/** Plain rows in a box, scrolled the same way: what the browser itself costs. */
export function scrollFloor(page: Page): Promise<Scrolled> {
  return withBlankPage(async (url) => {
    await page.goto(url)
    await page.evaluate((count) => {
      const box = document.querySelector<HTMLElement>('#rows')
      if (box === null) throw new Error('no blank page')
      Object.assign(box.style, { height: '700px', overflowY: 'auto' })
      const rows = Array.from({ length: count }, (_, index) => {
        const row = document.createElement('article')
        row.textContent = `row ${index} with some words of a message in it`
        return row
      })
      box.replaceChildren(...rows)
      box.scrollTop = box.scrollHeight
    }, FLOOR_ROWS)
    return scrollUp(page, '#rows')
  })
}

/** Up through the history of an open channel; older pages come from the cache and the server as they are reached. */
export const scrollChannel = (page: Page, cid: string, frames = FRAMES): Promise<Scrolled> =>
  scrollUp(page, `[data-message-list="${cid}"]`, frames)

/** Through a list and back, again and again; more of it is loaded as its end is reached. */
export const scrollList = (page: Page, selector: string): Promise<Scrolled> => scrollUp(page, selector)

async function scrollUp(page: Page, selector: string, frameCount = FRAMES): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  const before = await spent()
  const { gaps, long } = await page.evaluate(
    async ({ selector, frames, step }) => {
      const list = document.querySelector<HTMLElement>(selector)
      if (list === null) throw new Error(`no ${selector}`)
      const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done))
      const found: number[] = []
      const tasks: number[] = []
      const observer = new PerformanceObserver((seen) => tasks.push(...seen.getEntries().map((task) => task.duration)))
      observer.observe({ type: 'longtask' })
      let last = await frame()
      let way = -1
      for (let index = 0; index < frames; index += 1) {
        // A short history is scrolled through again and again.
        const left = list.scrollHeight - list.clientHeight - list.scrollTop
        if (list.scrollTop <= 0) way = 1
        else if (left <= 1) way = -1
        list.scrollTop += way * step
        const now = await frame()
        found.push(now - last)
        last = now
      }
      tasks.push(...observer.takeRecords().map((task) => task.duration))
      observer.disconnect()
      return { gaps: found, long: tasks }
    },
    { selector, frames: frameCount, step: STEP_PX },
  )
  const cpu = ((await spent()) - before) / frameCount
  await session.detach()
  return { gaps, long, cpu }
}

export function scrollFigures(what: string, ours: Scrolled, floor: Scrolled, way = 'scrolling up'): Figure[] {
  const name = 'plain rows'
  return [
    figure(`${way} ${what}: from frame to frame`, 'ms', ours.gaps, { limit: { name, values: floor.gaps } }),
    figure(`${way} ${what}: longest gap`, 'ms', [Math.max(...ours.gaps)], {
      limit: { name, values: [Math.max(...floor.gaps)] },
    }),
    figure(`${way} ${what}: longest task over 50 ms`, 'ms', [Math.max(0, ...ours.long)], {
      limit: { name, values: [Math.max(0, ...floor.long)] },
    }),
    figure(`${way} ${what}: processor time of a frame`, 'ms', [ours.cpu], {
      limit: { name, values: [floor.cpu] },
    }),
  ]
}
