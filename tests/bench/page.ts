import { chromium, type BrowserServer, type Browser, type BrowserContext, type Page } from 'playwright'
import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'

/** Chromium with its process id, so that its memory can be read. */
export type Chrome = {
  readonly pid: number
  readonly context: BrowserContext
  stop(): Promise<void>
}

export async function startChrome(): Promise<Chrome> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('The bench needs Chromium: apt-get install chromium')
  const server: BrowserServer = await chromium.launchServer({
    executablePath,
    args: [...CHROMIUM_FLAGS, '--js-flags=--expose-gc'],
  })
  const browser: Browser = await chromium.connect(server.wsEndpoint())
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  await context.addInitScript({ content: `(${installProbe.toString()})()` })
  return {
    pid: server.process().pid ?? 0,
    context,
    async stop() {
      await browser.close()
      await server.close()
    },
  }
}

export type Probe = {
  /** Resolves with the time right after the first frame in which `isThere` held; rejects after a minute without. */
  painted(isThere: () => boolean): Promise<number>
  list(cid: string): Element | null
  isSettled(cid: string | undefined): boolean
  firstPaint: Promise<number>
  keyAt: number
}

declare global {
  interface Window {
    parlorProbe: Probe
  }
}

/** Runs in every page before anything else. "Painted" is the end of the first frame that contains the result. */
export function installProbe(): void {
  const painted = (isThere: () => boolean, limitMs = 60_000): Promise<number> =>
    new Promise((resolve, reject) => {
      const until = performance.now() + limitMs
      const look = (): void => {
        if (!isThere()) {
          if (performance.now() > until) return reject(new Error(`never painted: ${isThere.toString()}`))
          return void requestAnimationFrame(look)
        }
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(performance.now()))
        port1.start()
        port2.postMessage(0)
      }
      requestAnimationFrame(look)
    })
  const list = (cid: string): Element | null => document.querySelector(`[data-message-list="${cid}"]`)
  const isSettled = (cid: string | undefined): boolean => {
    const found = cid === undefined ? document.querySelector('[data-message-list]') : list(cid)
    return found?.getAttribute('data-settled') === '1' && found.querySelector('[data-message-id]') !== null
  }
  window.parlorProbe = {
    painted,
    list,
    isSettled,
    firstPaint: painted(() => isSettled(undefined) || document.querySelector('[data-bench-blank]') !== null, Infinity),
    keyAt: 0,
  }
  addEventListener(
    'keydown',
    ({ key }) => {
      if (!['Control', 'Shift', 'Alt', 'Meta'].includes(key)) window.parlorProbe.keyAt = performance.now()
    },
    { capture: true },
  )
}

/** From the start of the navigation to the newest rows (or the blank page's one line) on screen, in milliseconds. */
export async function timeNavigation(page: Page, url: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(() => window.parlorProbe.firstPaint)
}

/** The list of a channel with its rows laid out, and one of its messages. */
export const settledRow = (cid: string, messageId?: string): string =>
  `[data-message-list="${cid}"][data-settled="1"] [data-message-id${messageId === undefined ? '' : `="${messageId}"`}]`

/** From the click on a channel to its newest rows on screen. */
export const timeSwitch = (page: Page, cid: string): Promise<number> =>
  timeClick(page, `[data-channel-item="${cid}"]`, settledRow(cid))

/** From the click on an element to another one on screen. Both are selectors. */
export function timeClick(page: Page, clicked: string, wanted: string): Promise<number> {
  return page.evaluate(
    async ({ clicked, wanted }) => {
      const item = document.querySelector<HTMLElement>(clicked)
      if (!item) throw new Error(`no ${clicked} on screen`)
      await new Promise((resolve) => setTimeout(resolve, 60))
      const startedAt = performance.now()
      item.click()
      return (await window.parlorProbe.painted(() => document.querySelector(wanted) !== null)) - startedAt
    },
    { clicked, wanted },
  )
}

/** From a key to an element on screen, which may have been there before with other content. */
export async function timeKey(page: Page, key: string, wanted: string): Promise<number> {
  await page.evaluate((selector) => {
    const probe = window.parlorProbe
    probe.keyAt = 0
    const shown = probe.painted(() => probe.keyAt > 0 && document.querySelector(selector) !== null)
    Object.assign(window, { parlorShown: shown })
  }, wanted)
  await page.keyboard.press(key)
  return page.evaluate(async () => {
    const shown = await (window as unknown as { parlorShown: Promise<number> }).parlorShown
    return shown - window.parlorProbe.keyAt
  })
}

/** From Enter to the own row on screen, and to its acknowledgement (never, while offline). */
export async function timeSend(
  page: Page,
  cid: string,
  text: string,
  acknowledged: boolean,
): Promise<{ painted: number; acknowledged: number }> {
  await page.locator(`[data-composer="${cid}"]`).focus()
  await page.keyboard.insertText(text)
  await page.evaluate(
    ({ cid, text, acknowledged }) => {
      const probe = window.parlorProbe
      const row = (): Element | undefined =>
        [...(probe.list(cid)?.querySelectorAll('[data-message-id]') ?? [])].findLast((each) =>
          each.textContent.includes(text),
        )
      // The check mark of the newest own message that the server has.
      const isSent = (): boolean =>
        row()?.querySelector(
          '[role="img"]:is([aria-label^="Sent"], [aria-label^="Delivered"], [aria-label^="Seen"])',
        ) != null
      const shown = probe.painted(() => row() !== undefined)
      const sent = acknowledged ? probe.painted(isSent) : shown
      Object.assign(window, { parlorSent: Promise.all([shown, sent]) })
    },
    { cid, text, acknowledged },
  )
  await page.keyboard.press('Enter')
  return page.evaluate(async () => {
    const [shown, sent] = await (window as unknown as { parlorSent: Promise<[number, number]> }).parlorSent
    const { keyAt } = window.parlorProbe
    return { painted: shown - keyAt, acknowledged: sent - keyAt }
  })
}

/** The page's JavaScript heap after forced collections, in MiB. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_048_576
}
