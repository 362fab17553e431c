import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import english from '../../resources/locales/en/settings.json' with { type: 'json' }
import { still } from './camera.ts'
import type { Stage } from './stages.ts'

/** The steps that lead to a picture. The window is in English meanwhile. */
export type Step = (page: Page, stage: Stage) => Promise<unknown>

const PATIENCE = { timeout: 5_000 }
export const MESSAGE = '[data-message-list] [data-message-id]'

export const nothing: Step = () => Promise.resolve()

/** One after the other, each once the window is still. */
export const inTurn =
  (...steps: readonly Step[]): Step =>
  async (page, stage) => {
    for (const step of steps) {
      await step(page, stage)
      await still(context(page))
    }
  }

/** The window that was opened last. */
const context = (page: Page): Page => page.context().pages().at(-1) ?? page

const LABELS = english.keyboard.actions
const KEYS: { readonly [Action in keyof typeof LABELS]?: string } = {
  browse: 'Control+Shift+L',
  catchUp: 'Control+Shift+A',
  details: 'Control+Shift+I',
  drafts: 'Control+3',
  mentions: 'Control+Shift+M',
  newMessage: 'Control+Shift+K',
  outbox: 'Control+Shift+O',
  reminders: 'Control+2',
  search: 'Control+Shift+F',
  searchHere: 'Control+F',
  settings: 'Control+,',
  shortcuts: 'Control+/',
  switcher: 'Control+K',
  threads: 'Control+1',
}

/** Runs an action by its keys; one without keys is chosen in the switcher. */
export const act =
  (action: keyof typeof LABELS): Step =>
  async (page, stage) => {
    const keys = KEYS[action]
    if (keys !== undefined) return page.keyboard.press(keys)
    await inTurn(press('Control+K'), type(`>${LABELS[action]}`))(page, stage)
    await page.keyboard.press('Enter')
  }

export const click =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().click(PATIENCE)
export const hover =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().hover(PATIENCE)
export const rightClick =
  (selector: string): Step =>
  (page) =>
    page
      .locator(selector)
      .first()
      .click({ button: 'right', ...PATIENCE })
export const press =
  (...keys: readonly string[]): Step =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key)
  }
export const type =
  (text: string): Step =>
  (page) =>
    page.keyboard.type(text)
export const wait =
  (milliseconds: number): Step =>
  (page) =>
    page.waitForTimeout(milliseconds)
export const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label).first().fill(text, PATIENCE)

type Role = Parameters<Page['getByRole']>[0]
const named = (page: Page, role: Role, name: string | RegExp): Locator =>
  page.getByRole(role, { name, exact: typeof name === 'string' ? true : undefined })
const clickOn =
  (role: Role) =>
  (name: string | RegExp): Step =>
  (page) =>
    named(page, role, name).first().click(PATIENCE)
export const button = clickOn('button')
export const item = clickOn('menuitem')
export const radio = clickOn('radio')
export const link = clickOn('link')
export const tab = clickOn('tab')
export const switched = clickOn('switch')
/** The last of several buttons with this name: of the newest message, or in the footer of a dialog. */
export const lastButton =
  (name: string | RegExp): Step =>
  (page) =>
    named(page, 'button', name).last().click(PATIENCE)
/** A control of the panel at the side. */
export const inPanel =
  (name: string | RegExp): Step =>
  (page) =>
    page.locator('[data-region="panel"]').getByRole('button', { name }).first().click(PATIENCE)

/** The newest message with this text in itself (a quote does not count), or the newest of all. */
function messageWith(page: Page, text: string): Locator {
  const all = page.locator(MESSAGE)
  return (text === '' ? all : all.filter({ has: page.locator('p', { hasText: text }) })).last()
}
/** The same, by going up where it is too far from what is shown to be in the page. */
async function reached(page: Page, text: string): Promise<Locator> {
  const found = messageWith(page, text)
  for (let pages = 0; pages < MOST_PAGES && (await found.count()) === 0; pages += 1) {
    await page.locator(MESSAGE).first().press('PageUp', PATIENCE)
    await still(page)
  }
  return found
}
const MOST_PAGES = 20

/** A key on a message: the newest with this text. */
export const onMessage =
  (key: string, text = ''): Step =>
  async (page) =>
    (await reached(page, text)).press(key, PATIENCE)
export const overMessage =
  (text: string): Step =>
  async (page) =>
    (await reached(page, text)).hover(PATIENCE)
/** An entry of a message's menu. */
export const ofMessage = (text: string, entry: string | RegExp): Step =>
  inTurn(onMessage('Shift+F10', text), item(entry))

/** In one column the list is a step back, by the arrow of the panel and not by the history's. */
const backToTheList =
  (selector: string): Step =>
  async (page) => {
    const list = page.locator(selector).first()
    await list.or(backButton(page)).first().waitFor(PATIENCE)
    if (!(await list.isVisible())) await toTheList(page)
  }
export const backButton = (page: Page): Locator =>
  page.locator('main').getByRole('button', { name: 'Back', exact: true })
export const toTheList = (page: Page): Promise<void> => backButton(page).click(PATIENCE)

export const channel = (cid: string): Step =>
  inTurn(
    backToTheList(`[data-channel-item="${cid}"]`),
    click(`[data-channel-item="${cid}"]`),
    (page) => page.waitForSelector(`[data-message-list="${cid}"][data-settled="1"]`, PATIENCE),
    wait(400),
  )
export const channelMenu = (cid: string, entry: string | RegExp): Step =>
  inTurn(rightClick(`[data-channel-item="${cid}"]`), item(entry))

/** Replaces the text in the channel's field. */
export const write = (text: string): Step => inTurn(click('[data-composer]'), press('Control+A', 'Delete'), type(text))

type File = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

/** Files for the composer: demo files by their names, others as they are. */
export const attach =
  (...files: readonly (string | File)[]): Step =>
  (page) =>
    page
      .locator('[data-file-field]')
      .first()
      .setInputFiles(files.map((file) => (typeof file === 'string' ? demoFile(file) : file)))

const demoFile = (name: string): File => ({
  name,
  mimeType: name.endsWith('.png') ? 'image/png' : 'text/csv',
  buffer: readFileSync(join('resources/demo', name)),
})

/** The server is unreachable from now on, long enough for the window to show it. */
export const cut: Step = async (page, { cable }) => {
  cable?.cut()
  await page.waitForTimeout(6_000)
}

/** The settings page of this name in the list beside it. */
export const settingsPage = (name: string): Step =>
  inTurn(act('settings'), wait(300), backToTheList('[data-region="sidebar"] nav, nav[data-region="sidebar"]'), (page) =>
    page.locator('[data-region="sidebar"]').getByRole('link', { name, exact: true }).click(PATIENCE),
  )

/** A call of the window to main, over the socket that {@link photograph} exposes. */
export const call =
  (name: string, input: object): Step =>
  (page) =>
    page.evaluate(
      ([asked, body]) => {
        const line = window as { parlorSocket?: WebSocket; parlorLastId?: number }
        line.parlorLastId = (line.parlorLastId ?? 900_000_000) + 1
        line.parlorSocket?.send(JSON.stringify({ id: line.parlorLastId, name: asked, input: body }))
      },
      [name, input] as const,
    )

/** To the end of the page's scroll area. */
export const toTheEnd: Step = (page) =>
  page.evaluate(() => {
    for (const element of document.querySelectorAll('main, main *, dialog *')) {
      if (element.scrollHeight > element.clientHeight + 4) element.scrollTop = element.scrollHeight
    }
  })

export const command = (text: string): Step => inTurn(act('switcher'), type(`>${text}`))

/** Signs out of the workspace, unless a picture before this one has signed out. */
export const signOut: Step = async (page) => {
  await page.waitForTimeout(800)
  const menu = page.getByRole('button', { name: /^Workspace / })
  if ((await menu.count()) === 0) return
  await menu.click()
  await page.getByRole('menuitem', { name: 'Sign out…' }).click()
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await page.waitForSelector('[data-message-list]', { state: 'detached' })
  await page.waitForTimeout(300)
}

/** Until the list of pages of Manage is shown: in a single column it is a step back, or two from something that is open. */
export const toThePages: Step = async (page) => {
  const pages = page.getByRole('link', { name: 'Campaigns', exact: true }).first()
  for (let level = 0; level < 3; level += 1) {
    await pages.or(backButton(page)).first().waitFor()
    if (await pages.isVisible()) return
    await toTheList(page)
    await page.waitForTimeout(300)
  }
}

export const row =
  (name: RegExp): Step =>
  (page) =>
    page.getByRole('row', { name }).first().click(PATIENCE)
