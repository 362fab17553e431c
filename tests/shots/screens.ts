import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Stage, StageName } from './stages.ts'

/**
 * One picture: how to get there from the first channel, the window's size when it is not the usual one, and where it is
 * taken when that is not the first start.
 */
export type ScreenShot = {
  readonly name: string
  readonly go: (page: Page, stage: Stage) => Promise<unknown>
  readonly size?: readonly [width: number, height: number]
  readonly stage?: StageName
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
  async (page: Page, stage: Stage): Promise<void> => {
    for (const step of steps) {
      await step(page, stage)
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

const wait =
  (milliseconds: number) =>
  (page: Page): Promise<unknown> =>
    page.waitForTimeout(milliseconds)
/** A key on a message, the newest unless another is named. */
const onMessage =
  (key: string, which = -1) =>
  (page: Page): Promise<unknown> =>
    page.locator(MESSAGE).nth(which).press(key)
/** A control of the panel at the side, counted from its head. */
const inPanel =
  (index: number) =>
  (page: Page): Promise<unknown> =>
    page.locator('[data-region="panel"] button').nth(index).click({ timeout: 5_000 })
const inHeader =
  (index: number) =>
  (page: Page): Promise<unknown> =>
    page.locator('[data-region="header"] button').nth(index).click({ timeout: 5_000 })
const channel = (id: string): ScreenShot['go'] =>
  then(click(`[data-channel-item="${id}"]`), (page) => page.waitForSelector(`[data-message-list="${id}"]`), wait(1_000))
const attach =
  (...files: readonly string[]) =>
  (page: Page): Promise<unknown> =>
    page
      .locator('[data-file-field]')
      .first()
      .setInputFiles(files.map((file) => join('resources/demo', file)))
/** No server from now on, long enough for the window to say so. */
const cut = async (page: Page, { cable }: Stage): Promise<void> => {
  cable?.cut()
  await page.waitForTimeout(6_500)
}

/** Out of the workspace, unless a picture before this one has left it. */
const signOut = async (page: Page): Promise<void> => {
  await page.waitForTimeout(1_000)
  const out = page.locator('[role="menuitem"]:has(use[href="#i-logout"])')
  const menu = page.locator('header button[aria-haspopup="menu"]').first()
  if ((await menu.count()) === 0) return
  await menu.click()
  await out.click()
  await page.locator('[role="alertdialog"] button').last().click()
  await page.waitForSelector('[data-message-list]', { state: 'detached' })
}
const withIcon = (icon: string): ScreenShot['go'] => click(`main button:has(use[href="#i-${icon}"])`)

/** The settings page of this place in the list beside it; the first row leads back. */
const settingsPage = (index: number): ScreenShot['go'] =>
  then(act('settings'), (page) =>
    page.locator('[data-region="sidebar"] [role="link"]').nth(index).click({ timeout: 5_000 }),
  )

const MESSAGE = '[data-message-id]'
const OWN = '[data-message-list] [data-message-id]:has-text("Lovely light")'
/** In place of what is there. */
const write = (text: string): ScreenShot['go'] => then(click('[data-composer]'), press('Control+A'), type(text))
/** An entry of the menu that is open, by its icon: no step depends on a language. */
const inMenu = (icon: string): ScreenShot['go'] => click(`[role="menuitem"]:has(use[href="#i-${icon}"])`)
const channelMenu = (icon: string): ScreenShot['go'] => then(rightClick('[data-channel-item]'), inMenu(icon))
/** An own workspace beside the demo: two accounts, and so a rail. */
const secondAccount: ScreenShot['go'] = async (page) => {
  if ((await page.locator('[data-region="accounts"]').count()) > 0) return
  await page.locator('header button[aria-haspopup="menu"]').first().click()
  await page.locator('[role="menuitem"]:has(use[href="#i-laptop"])').click()
  const fields = page.locator('[role="dialog"] input, [role="alertdialog"] input')
  await fields.nth(0).fill('Kitchen table')
  await fields.nth(1).fill('Łucja Nowak')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-region="accounts"]')
  await page.waitForTimeout(1_000)
}
/** Nobody may write in the channel that is shown from now on. */
const freeze = async (page: Page, { admin }: Stage): Promise<void> => {
  await admin?.change('team:release-4-2', { frozen: true })
  await page.waitForTimeout(1_000)
}
const NARROW = [480, 800] as const
const MIDDLE = [720, 800] as const
const SETTINGS_PAGES = 13

export const SCREENS: readonly ScreenShot[] = [
  { name: 'main', go: nothing },
  { name: 'main-1024', go: nothing, size: [1024, 700] },
  { name: 'main-720', go: nothing, size: MIDDLE },
  { name: 'main-480', go: nothing, size: NARROW },
  { name: 'message-menu', go: rightClick(`${MESSAGE} p`) },
  { name: 'channel-menu', go: rightClick('[data-channel-item]') },
  { name: 'threads', go: act('threads') },
  { name: 'threads-480', go: act('threads'), size: NARROW },
  { name: 'catch-up', go: act('catchUp') },
  { name: 'mentions', go: then(act('mentions'), wait(2_000)) },
  { name: 'reminders', go: act('reminders') },
  { name: 'drafts', go: act('drafts') },
  { name: 'browse', go: act('browse') },
  { name: 'search', go: then(act('search'), wait(500), type('banner'), wait(1_500)) },
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
  { name: 'thread', go: then(onMessage('t'), wait(500)) },
  { name: 'thread-480', go: then(onMessage('t'), wait(500)), size: NARROW },
  { name: 'viewer', go: then((page) => page.locator(`${MESSAGE}:has(img[decoding])`).nth(-2).press('v'), wait(800)) },
  { name: 'profile', go: then(onMessage('s'), wait(400)) },
  { name: 'reactions', go: onMessage('r') },
  { name: 'quote', go: onMessage('q') },
  { name: 'remind-menu', go: onMessage('m') },
  { name: 'message-details', go: onMessage('i') },
  { name: 'forward', go: onMessage('f') },
  { name: 'selection', go: then(onMessage('x'), onMessage('x', -2)) },
  { name: 'members', go: then(inHeader(0), wait(500)) },
  { name: 'pinned', go: then(inHeader(1), wait(500)) },
  { name: 'media', go: then(act('details'), inPanel(7), wait(800)) },
  { name: 'files', go: then(act('details'), inPanel(8), wait(800)) },
  { name: 'channel-settings', go: then(act('details'), inPanel(11), wait(500)) },
  { name: 'workspace-menu', go: click('button[aria-haspopup="menu"]') },
  { name: 'draft-history', go: act('draftHistory') },
  { name: 'commands', go: then(write('/'), wait(600)) },
  { name: 'command-bar', go: then(write('/mute  '), wait(300)) },
  { name: 'delete-message', go: (page) => page.locator(OWN).last().press('Delete') },
  { name: 'report-message', go: then(onMessage('Shift+F10'), inMenu('flag')) },
  { name: 'leave-channel', go: channelMenu('logout') },
  { name: 'hide-channel', go: channelMenu('eye-off') },
  { name: 'mute-channel', go: channelMenu('bell-off') },
  { name: 'export', go: channelMenu('download') },
  {
    name: 'snippets',
    go: then(settingsPage(3), (page) => page.locator('[data-region="messages"], main').last().press('End')),
  },
  { name: 'uploads', go: then(attach('landscape-dawn.png', 'case-list.csv', 'screen-a.png'), wait(1_500)) },
  {
    name: 'polls',
    go: then(
      channel('team:field-trips'),
      act('details'),
      inPanel(10),
      wait(800),
      click('[data-shelf-item]'),
      wait(1_500),
    ),
  },
  { name: 'accounts-rail', stage: 'several', go: secondAccount },
  { name: 'accounts-menu', stage: 'several', go: then(secondAccount, click('header button[aria-haspopup="menu"]')) },
  { name: 'accounts-settings', stage: 'several', go: then(secondAccount, settingsPage(6)) },
  { name: 'accounts-480', stage: 'several', go: secondAccount, size: NARROW },
  { name: 'compact', stage: 'compact', go: nothing },
  { name: 'compact-details', stage: 'compact', go: act('details') },
  { name: 'large', stage: 'large', go: nothing },
  { name: 'large-details', stage: 'large', go: act('details') },
  { name: 'large-settings', stage: 'large', go: settingsPage(2) },
  { name: 'large-480', stage: 'large', go: nothing, size: NARROW },
  { name: 'reminded', stage: 'joined', go: wait(1_000) },
  { name: 'reminders-open', stage: 'joined', go: then(act('reminders'), wait(500)) },
  { name: 'reminders-open-480', stage: 'joined', go: then(act('reminders'), wait(500)), size: NARROW },
  {
    name: 'reminders-saved',
    stage: 'joined',
    go: then(act('reminders'), wait(500), click('[role="tab"] >> nth=1')),
  },
  {
    name: 'offline',
    stage: 'joined',
    go: then(cut, click('[data-composer]'), type('And the dark variants.'), press('Enter'), act('outbox')),
  },
  {
    name: 'offline-uploads',
    stage: 'joined',
    go: then(cut, attach('landscape-dawn.png', 'case-list.csv'), wait(1_500)),
  },
  {
    name: 'reconnecting',
    stage: 'joined',
    go: then(cut, (page, { cable }) => {
      cable?.mend()
      return page.locator('[data-banner] button, main [role="status"] button').last().click({ timeout: 5_000 })
    }),
  },
  { name: 'reminders-done', stage: 'joined', go: then(act('reminders'), wait(500), click('[role="tab"] >> nth=2')) },
  { name: 'frozen', stage: 'joined', go: freeze },
  { name: 'frozen-480', stage: 'joined', go: freeze, size: NARROW },
  { name: 'start', stage: 'left', go: signOut },
  { name: 'start-480', stage: 'left', go: signOut, size: NARROW },
  { name: 'start-make', stage: 'left', go: then(signOut, withIcon('laptop')) },
  { name: 'start-connect', stage: 'left', go: then(signOut, withIcon('server')) },
  ...Array.from({ length: SETTINGS_PAGES }, (_each, index) => ({
    name: `settings-${index + 1}`,
    go: settingsPage(index),
  })),
]
