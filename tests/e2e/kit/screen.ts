import { expect, type Browser, type Locator, type Page } from '@playwright/test'

/** Actions of a message that are one step away. */
const BEHIND_MORE = ['Report to moderators…', 'Copy link to message', 'Copy as Markdown', 'Select', 'Details']

/**
 * Chromium loads a picture that appears while its page closes as a ping, which the policy of pages refuses as a
 * connection. No one sees that picture.
 */
const PICTURE_AT_THE_END = /^Refused to connect to 'media:/

/** The window of one user, operated by the stable handles of docs/testing.md and by accessible names. */
export class Screen {
  readonly page: Page
  /** What the page reported: CSP violations and errors. Must stay empty. */
  readonly complaints: string[] = []
  #closes = false

  constructor(page: Page) {
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() !== 'error') return
      if (this.#closes && PICTURE_AT_THE_END.test(message.text())) return
      this.complaints.push(message.text())
    })
  }

  /** The page is about to close: from now on it may be refused a picture. */
  closing(): void {
    this.#closes = true
  }

  static async open(
    browser: Browser,
    url: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Screen> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', ...options })
    const screen = new Screen(await context.newPage())
    await screen.page.goto(url)
    return screen
  }

  row(cid: string): Locator {
    return this.page.locator(`[data-channel-item="${cid}"]`)
  }

  list(cid: string): Locator {
    return this.page.locator(`[data-message-list="${cid}"]`)
  }

  composer(cid: string): Locator {
    return this.page.locator(`[data-composer="${cid}"]`)
  }

  message(cid: string, text: string | RegExp): Locator {
    return this.list(cid).locator('[data-message-id]').filter({ hasText: text })
  }

  /** One of the actions of a message, by its name in the menu. */
  async act(message: Locator, action: string): Promise<void> {
    await message.hover()
    await message.getByRole('button', { name: 'More actions' }).click()
    if (BEHIND_MORE.includes(action)) await this.page.getByRole('menuitem', { name: 'More', exact: true }).click()
    await this.page.getByRole('menuitem', { name: action }).click()
  }

  async workspace(item: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Workspace / }).click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }

  async openChannel(cid: string): Promise<void> {
    await this.row(cid).click()
    await expect(this.list(cid)).toHaveAttribute('data-settled', '1')
  }

  async send(cid: string, text: string): Promise<void> {
    await this.composer(cid).fill(text)
    await this.composer(cid).press('Enter')
    await expect(this.composer(cid)).toHaveValue('')
    await expect(this.message(cid, text)).toBeVisible()
  }

  /**
   * Waits for the server to have the viewer's newest message. That "Sending" is absent would not tell, because the word
   * appears only after a while.
   */
  async sent(cid: string, text: string | RegExp): Promise<void> {
    await expect(this.message(cid, text).getByRole('img', { name: /^(Sent|Delivered|Seen by)/ })).toBeVisible()
  }

  /** Texts on screen that this test wrote, in their order on screen. */
  async texts(cid: string, pattern: RegExp): Promise<string[]> {
    const all = await this.list(cid).locator('[data-message-id]').allInnerTexts()
    return all.flatMap((text) => pattern.exec(text)?.[0] ?? [])
  }
}
