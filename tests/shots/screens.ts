import type { Page } from '@playwright/test'

/** One picture: how to get there from the first channel, and the window's size when it is not the usual one. */
export type ScreenShot = {
  readonly name: string
  readonly go: (page: Page) => Promise<unknown>
  readonly size?: readonly [width: number, height: number]
}

/** Runs an action of the registry by its name, so that no step depends on a language. */
export const act =
  (action: string) =>
  (page: Page): Promise<unknown> =>
    page.evaluate((detail) => window.dispatchEvent(new CustomEvent('parlor:action', { detail })), action)

const nothing = (): Promise<void> => Promise.resolve()
const click =
  (selector: string) =>
  (page: Page): Promise<unknown> =>
    page.locator(selector).first().click({ timeout: 5_000 })
const rightClick =
  (selector: string) =>
  (page: Page): Promise<unknown> =>
    page.locator(selector).first().click({ button: 'right', timeout: 5_000 })
const then =
  (...steps: readonly ScreenShot['go'][]) =>
  async (page: Page): Promise<void> => {
    for (const step of steps) {
      await step(page)
      await page.waitForTimeout(250)
    }
  }
const type =
  (text: string) =>
  (page: Page): Promise<unknown> =>
    page.keyboard.type(text)
const press =
  (key: string) =>
  (page: Page): Promise<unknown> =>
    page.keyboard.press(key)

/** The settings page of this place in the list beside it; the first row leads back. */
const settingsPage = (index: number): ScreenShot['go'] =>
  then(act('settings'), (page) =>
    page.locator('[data-region="sidebar"] [role="link"]').nth(index).click({ timeout: 5_000 }),
  )

const MESSAGE = '[data-message-id]'
const NARROW = [480, 800] as const

export const SCREENS: readonly ScreenShot[] = [
  { name: 'main', go: nothing },
  { name: 'main-1024', go: nothing, size: [1024, 700] },
  { name: 'main-480', go: nothing, size: NARROW },
  { name: 'message-menu', go: rightClick(`${MESSAGE} p`) },
  { name: 'channel-menu', go: rightClick('[data-channel-item]') },
  { name: 'threads', go: act('threads') },
  { name: 'threads-480', go: act('threads'), size: NARROW },
  { name: 'catch-up', go: act('catchUp') },
  { name: 'mentions', go: act('mentions') },
  { name: 'reminders', go: act('reminders') },
  { name: 'drafts', go: act('drafts') },
  { name: 'browse', go: act('browse') },
  { name: 'search', go: then(act('search'), type('banner'), (page) => page.waitForTimeout(800)) },
  { name: 'details', go: act('details') },
  { name: 'details-480', go: act('details'), size: NARROW },
  { name: 'outbox', go: act('outbox') },
  { name: 'switcher', go: act('switcher') },
  { name: 'palette', go: then(act('switcher'), type('>')) },
  { name: 'shortcuts', go: act('shortcuts') },
  { name: 'notices', go: act('notices') },
  { name: 'new-channel', go: act('newChannel') },
  { name: 'new-message', go: act('newMessage') },
  { name: 'new-poll', go: act('newPoll') },
  { name: 'share-location', go: act('shareLocation') },
  { name: 'open-polls', go: act('openPolls') },
  { name: 'why-unread', go: act('whyUnread') },
  { name: 'new-section', go: act('newSection') },
  { name: 'composer-text', go: then(click('[data-composer]'), type('**Bold** and `code` for @')) },
  { name: 'composer-emoji', go: then(click('[data-composer]'), press('Control+Shift+J')) },
  ...Array.from({ length: 16 }, (_each, index) => ({ name: `settings-${index + 1}`, go: settingsPage(index) })),
]
