import type { Page } from '@playwright/test'
import { Screen } from '../e2e/kit/screen.ts'
import { CID, expect, Parlor, test } from './kit/parlor.ts'
import { pressKeys } from './kit/keyboard.ts'

let parlor: Parlor
test.beforeAll(async ({ desktop }) => {
  parlor = await Parlor.start(desktop, 'desktop')
  await parlor.chooseDesktop({ tray: 'on', closing: 'tray' })
  await expect.poll(() => desktop.hasTrayIcon()).toBe(true)
})
test.afterAll(() => parlor.quit())

/** Of the main windows. */
const visible = (): Promise<boolean[]> =>
  parlor.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()))
const close = (): Promise<void> =>
  parlor.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.close()))

test('with an icon in the tray a closed window is hidden, and the icon and its menu lead back', async ({ desktop }) => {
  await expect.poll(() => desktop.trayTooltip()).toMatch(/^Parlor/)
  const labels = (await desktop.trayMenu()).map(({ label }) => label)
  expect(labels).toEqual(expect.arrayContaining(['Open Parlor', 'New message', 'Settings', 'Quit Parlor']))
  await close()
  await expect.poll(visible).toEqual([false])
  await desktop.clickTray()
  await expect.poll(visible).toEqual([true])
  await close()
  await expect.poll(visible).toEqual([false])
  await desktop.pressTray('Settings')
  await expect.poll(visible).toEqual([true])
  await expect(parlor.page.getByRole('heading', { name: 'Settings' }).first()).toBeVisible()
  await parlor.page.keyboard.press('Escape')
  await expect(parlor.screen.list(CID)).toBeVisible()
})

test('a notification is shown by the desktop, opens its conversation when it is clicked, and is withdrawn once read; the number on the icon follows', async ({
  desktop,
}) => {
  await expect.poll(() => desktop.badges.length).toBeGreaterThan(0)
  const before = desktop.badges.at(-1) ?? 0
  await close()
  const { cid } = await directFrom('jonas', 'Is the **banner** ready?')
  await expect.poll(() => desktop.shown.map(({ body }) => body)).toContain('Is the banner ready?')
  const shown = desktop.shown.find(({ body }) => body === 'Is the banner ready?')
  expect(shown?.title).toContain('Jonas')
  await expect.poll(() => desktop.badges.at(-1)).toBe(before + 1)
  if (shown) desktop.press(shown)
  await expect.poll(visible).toEqual([true])
  await expect(parlor.screen.message(cid, 'Is the banner ready?')).toBeVisible()
  await expect.poll(() => desktop.badges.at(-1)).toBe(before)

  await close()
  await directFrom('jonas', 'And the map?')
  await expect.poll(() => desktop.shown.map(({ body }) => body)).toContain('And the map?')
  await desktop.clickTray()
  await expect.poll(() => desktop.withdrawn).toContain(desktop.shown.find(({ body }) => body === 'And the map?')?.id)
})

test('events of notifications on other systems are handled: a reply, a button, a click, a refusal', async () => {
  const other = await parlor.openAs('jonas')
  // A window that is covered by another one is not painted.
  await parlor.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().at(-1)?.setPosition(1_300, 800))
  const cid = await parlor.call<string>('channels.direct', { userIds: ['ola'] }, other)
  const write = (text: string): Promise<unknown> => parlor.call('messages.send', { cid, text }, other)
  await holdNotifications()
  await write('Is the **sign** ready?')
  await expect.poll(held).toEqual([{ body: 'Is the sign ready?', hasReply: true }])
  await answer('reply', { reply: 'Ready since noon' })
  await parlor.screen.openChannel(cid)
  await parlor.screen.sent(cid, 'Ready since noon')

  await parlor.screen.openChannel(CID)
  await write('And the path?')
  await expect.poll(held).toHaveLength(2)
  await expect(parlor.screen.row(cid)).toContainText('1')
  await answer('action', { actionIndex: 0 })
  await expect(parlor.screen.row(cid)).not.toContainText('1')

  await write('Here it is')
  await expect.poll(held).toHaveLength(3)
  await answer('click')
  await expect(parlor.screen.message(cid, 'Here it is')).toBeVisible()

  await parlor.screen.openChannel(CID)
  await parlor.app.evaluate(({ powerMonitor }) => powerMonitor.emit('lock-screen'))
  await write('For your eyes only')
  await expect.poll(held).toHaveLength(4)
  expect(JSON.stringify(await held())).not.toContain('eyes')
  await parlor.app.evaluate(({ powerMonitor }) => powerMonitor.emit('unlock-screen'))
  await answer('failed')
  await expect(parlor.page.getByRole('status').filter({ hasText: 'New message' })).toBeVisible()
  await releaseNotifications()
  await other.close()
})

test('a link in a message is opened by the system, and the buttons of a title bar reach the window', async () => {
  await parlor.app.evaluate(({ shell, BrowserWindow }) => {
    const seen = globalThis as unknown as { opened: string[] }
    seen.opened = []
    shell.openExternal = (url: string) => Promise.resolve(void seen.opened.push(url))
    const [window] = BrowserWindow.getAllWindows()
    if (window) window.minimize = () => void seen.opened.push('minimized')
  })
  const opened = () => parlor.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
  await parlor.screen.openChannel(CID)
  await parlor.screen.send(CID, 'Look at https://example.org/atlas')
  await parlor.screen.message(CID, 'Look at').getByRole('link', { name: 'https://example.org/atlas' }).click()
  await expect.poll(opened).toEqual(['https://example.org/atlas'])
  expect(parlor.app.windows()).toHaveLength(1)
  expect(parlor.page.url()).toBe('app://main/index.html')
  // Rendered by the page on Windows.
  await parlor.page.evaluate(() =>
    (window as unknown as { parlor: { windowControls: { minimize(): void } } }).parlor.windowControls.minimize(),
  )
  await expect.poll(opened).toEqual(['https://example.org/atlas', 'minimized'])
})

test('a reminder rings while every window is closed, and leads to its message', async ({ desktop }) => {
  await parlor.screen.openChannel(CID)
  await parlor.screen.send(CID, 'Print the map')
  const row = parlor.screen.message(CID, 'Print the map')
  await parlor.screen.sent(CID, 'Print the map')
  const messageId = await row.getAttribute('data-message-id')
  await parlor.screen.openChannel('team:design-crit')
  await parlor.call('reminders.set', { messageId, remindAt: Date.now() + 2_000 })
  await close()
  await expect.poll(() => desktop.shown.map(({ title }) => title)).toContain('Reminder')
  const shown = desktop.shown.find(({ title }) => title === 'Reminder')
  expect(shown?.body).toContain('Print the map')
  expect(await visible()).toEqual([false])
  if (shown) desktop.press(shown)
  await expect.poll(visible).toEqual([true])
  await expect(row).toBeVisible()
})

test('a global shortcut hides and shows the windows, and one that is taken is refused', async ({ desktop }) => {
  await parlor.chooseDesktop({ shortcut: 'Ctrl+Shift+K' })
  expect(await parlor.app.evaluate(({ globalShortcut }) => globalShortcut.isRegistered('Ctrl+Shift+K'))).toBe(true)
  const before = await visible()
  await pressKeys(desktop.env['DISPLAY'] ?? '', ['Ctrl', 'Shift', 'K'])
  await expect.poll(visible).toEqual(before.map((one) => !one))
  await pressKeys(desktop.env['DISPLAY'] ?? '', ['Ctrl', 'Shift', 'K'])
  await expect.poll(visible).toEqual(before)
})

test('Parlor locks itself when the device goes to sleep, and works after it', async ({ desktop }) => {
  await parlor.call('lock.set', { pin: '2580' })
  desktop.sleep(true)
  // Chromium closes the debugger's connection when the device sleeps.
  await expect.poll(() => parlor.app.windows().length).toBe(0)
  await parlor.app.reconnect()
  const page = await parlor.app.firstWindow()
  const locked = page.getByRole('heading', { name: 'Parlor is locked' })
  await expect(locked).toBeVisible()
  desktop.sleep(false)
  await page.getByLabel('PIN', { exact: true }).fill('2580')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(locked).toBeHidden()
  const screen = new Screen(page)
  await parlor.call('lock.remove', { pin: '2580' }, page)
  await screen.openChannel(CID)
  await screen.send(CID, 'Slept well')
  await screen.sent(CID, 'Slept well')
})

/** A message of another person of the demo to the viewer, from a window that is closed again. */
async function directFrom(userId: string, text: string): Promise<{ readonly cid: string }> {
  const other: Page = await parlor.openAs(userId)
  const cid = await parlor.call<string>('channels.direct', { userIds: ['ola'] }, other)
  await parlor.call('messages.send', { cid, text }, other)
  await expect(other.locator(`[data-channel-item="${cid}"]`)).toBeVisible()
  await other.close()
  return { cid }
}

type Held = { held: Electron.Notification[]; show: () => void }

/** The user of the first window, as others see her. */
const VIEWER = 'Ola Wiśniewska'

/** Notifications for her are recorded for the test to respond to; none is shown. */
const holdNotifications = (): Promise<void> =>
  parlor.app.evaluate(({ Notification }, viewer) => {
    const kept = globalThis as unknown as Held
    kept.held = []
    kept.show = (Notification.prototype as unknown as Held).show
    Notification.prototype.show = function show(this: Electron.Notification) {
      if (!this.title.includes(viewer)) kept.held.push(this)
    }
  }, VIEWER)

const releaseNotifications = (): Promise<void> =>
  parlor.app.evaluate(({ Notification }) => {
    Notification.prototype.show = (globalThis as unknown as Held).show
  })

const held = (): Promise<{ body: string; hasReply: boolean }[]> =>
  parlor.app.evaluate(() => (globalThis as unknown as Held).held.map(({ body, hasReply }) => ({ body, hasReply })))

/** An action of the user on the newest notification, as Electron reports it on systems that support it. */
const answer = (event: string, details: object = {}): Promise<void> =>
  parlor.app.evaluate(
    (_electron, [name, what]) => {
      const { held } = globalThis as unknown as { held: { emit(event: string, ...args: unknown[]): boolean }[] }
      held.at(-1)?.emit(name, what)
    },
    [event, details] as const,
  )
