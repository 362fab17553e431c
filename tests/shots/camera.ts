import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page, Request } from 'playwright'
import type { Settings } from '#shared/domain/settings.ts'
import type { Screen } from './screens/index.ts'
import type { Stage } from './stages.ts'

export type Look = Pick<Settings, 'language' | 'theme'> & {
  /** The system forces its own colors. */
  readonly forced: boolean
  readonly folder: string
}

const USUAL_SIZE = [1440, 900] as const
/** How long nothing moves before a page counts as still, and how long that may take. */
const QUIET_MS = 120
const PATIENCE_MS = 2_500
/** How long code may take that is loaded on demand. */
const LOADING_MS = 20_000

/**
 * Navigates to a screen in English, where steps may use names, and takes it in every theme. Returns what went wrong.
 */
export async function photograph(
  browser: Browser,
  stage: Stage,
  { name, go, size = USUAL_SIZE }: Screen,
  looks: readonly Look[],
): Promise<string[]> {
  const [width, height] = USUAL_SIZE
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', reducedMotion: 'reduce' })
  await context.addInitScript(exposeSocket)
  context.on('page', watchCode)
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  try {
    const first = await context.newPage()
    await first.goto(stage.url)
    await first.waitForSelector(stage.settled)
    await goHome(first)
    await wear(first, { language: 'en', theme: 'light' })
    if (size !== USUAL_SIZE) await first.setViewportSize({ width: size[0], height: size[1] })
    await go(first, stage)
    const page = context.pages().at(-1) ?? first
    const cut = new Map<string, readonly string[]>()
    for (const look of looks) {
      mkdirSync(look.folder, { recursive: true })
      await page.emulateMedia({ forcedColors: look.forced ? 'active' : 'none' })
      await wear(page, look)
      await page.screenshot({ path: join(look.folder, `${name}.png`) })
      const { texts, tooLong, outside } = await page.evaluate(readTexts)
      writeFileSync(join(look.folder, `${name}.txt`), `${texts.join('\n')}\n`)
      cut.set(look.language, tooLong)
      complaints.push(...outside.map((what) => `${look.language}: outside the window: ${what}`))
    }
    complaints.push(...cutOff(cut))
    await wear(page, { language: 'en', theme: 'light' })
  } catch (error) {
    complaints.push(error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error))
  }
  stage.cable?.mend()
  stage.cable?.release()
  await context.close()
  return complaints
}

/**
 * In the page: its visible texts in their order, those that do not fit their place, and controls beside the window that no
 * scroll area of their own brings into it.
 */
function readTexts(): { texts: string[]; tooLong: string[]; outside: string[] } {
  const texts: string[] = []
  const tooLong: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.trim() ?? ''
    const element = node.parentElement
    if (text === '' || !element?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    texts.push(text)
    const around = [element, element.parentElement, element.parentElement?.parentElement]
    const isCut = around.some(
      (each) =>
        each &&
        /hidden|clip/.test(getComputedStyle(each).overflowX) &&
        each.scrollWidth > each.clientWidth + 1 &&
        each.clientWidth > 4,
    )
    if (isCut) tooLong.push(text)
  }
  const scrolls = (element: Element): boolean =>
    element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)
  const outside = [...document.querySelectorAll('button, a[href], input, textarea, select, [role="option"]')]
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      if (width < 4 || (left >= -1 && right <= innerWidth + 1)) return false
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
      for (let around = element.parentElement; around; around = around.parentElement) if (scrolls(around)) return false
      return true
    })
    .map((element) => element.getAttribute('aria-label') ?? element.textContent.trim())
  if (document.documentElement.scrollWidth > innerWidth) outside.push('the page, which scrolls sideways')
  return { texts, tooLong, outside: [...new Set(outside)] }
}

/** What is cut off in one language and is not the same text in the others: people's own texts may be any length. */
function cutOff(byLanguage: ReadonlyMap<string, readonly string[]>): string[] {
  const languages = [...byLanguage]
  if (languages.length === 1) return []
  return languages.flatMap(([language, texts]) => {
    const others = new Set(languages.filter(([each]) => each !== language).flatMap(([, cut]) => cut))
    return [...new Set(texts)].filter((text) => !others.has(text)).map((text) => `${language}: cut off: ${text}`)
  })
}

const HOME = 'team:release-4-2'

/**
 * The newest messages of the channel that every picture starts in, if this user has it: it opens at its previous
 * position.
 */
async function goHome(page: Page): Promise<void> {
  await still(page)
  // A window opens where it was: administration takes the place of the channels.
  const back = page.getByRole('button', { name: /^Back to / })
  if (await back.isVisible()) await back.click()
  const row = page.locator(`[data-channel-item="${HOME}"]`)
  if ((await row.count()) === 0) return
  if ((await page.locator(`[data-message-list="${HOME}"]`).count()) === 0) await row.click()
  await page.waitForSelector(`[data-message-list="${HOME}"][data-settled="1"]`)
  await page.keyboard.press('Control+J')
  await still(page)
}

type Line = { parlorSocket?: WebSocket; parlorLastId?: number }

/** In the page, before its own code: its bridge to main can be called from here as well. */
function exposeSocket(): void {
  const Real = window.WebSocket
  window.WebSocket = class extends Real {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      ;(window as Line).parlorSocket = this
    }
  }
}

/** As the settings page would: the whole window changes, and nothing in it moves. */
async function wear(page: Page, { language, theme }: Pick<Look, 'language' | 'theme'>): Promise<void> {
  await page.evaluate(
    (input) => {
      const line = window as Line
      line.parlorLastId = (line.parlorLastId ?? 900_000_000) + 1
      line.parlorSocket?.send(JSON.stringify({ id: line.parlorLastId, name: 'settings.update', input }))
    },
    { language, theme },
  )
  await page.waitForFunction(
    ([tongue, colours]) =>
      document.documentElement.lang === tongue && document.documentElement.dataset['theme'] === colours,
    [language, theme],
  )
  await still(page)
}

/** What a page has asked for so far of the code and the styles that it loads on demand, and what of it is on its way. */
type Code = { asked: number; readonly coming: Set<Request> }
const CODE = new WeakMap<Page, Code>()

function watchCode(page: Page): void {
  const code: Code = { asked: 0, coming: new Set() }
  CODE.set(page, code)
  page.on('request', (request) => {
    if (!['script', 'stylesheet', 'font'].includes(request.resourceType())) return
    code.asked += 1
    code.coming.add(request)
  })
  page.on('requestfinished', (request) => code.coming.delete(request))
  page.on('requestfailed', (request) => code.coming.delete(request))
}

/**
 * Waits until nothing moves and no code is on its way: a view shows nothing, and does not move, before its code is there.
 * Throws if that does not end.
 */
export async function still(page: Page): Promise<void> {
  const code = CODE.get(page) ?? { asked: 0, coming: new Set() }
  const end = Date.now() + LOADING_MS
  let asked: number
  do {
    asked = code.asked
    await motionless(page)
    if (Date.now() > end) throw new Error(`still loading: ${[...code.coming].map((each) => each.url()).join(', ')}`)
  } while (code.coming.size > 0 || asked !== code.asked)
}

/** Waits until the page does not change, and every picture that is loading has loaded; not for ever. */
async function motionless(page: Page): Promise<void> {
  await page.evaluate(
    ([quiet, patience]) =>
      new Promise<void>((resolve) => {
        const end = (): void => {
          observer.disconnect()
          resolve()
        }
        const look = (): void => {
          const isLoading = [...document.images].some((image) => image.loading !== 'lazy' && !image.complete)
          // A dialog whose code is on its way shows nothing yet.
          const isEarly = document.querySelector('[data-early]') !== null
          if (isLoading || isEarly) timer = setTimeout(look, quiet)
          else requestAnimationFrame(end)
        }
        let timer = setTimeout(look, quiet)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(look, quiet)
        })
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
        setTimeout(end, patience)
      }),
    [QUIET_MS, PATIENCE_MS] as const,
  )
}
