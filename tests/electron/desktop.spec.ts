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

test('a notification is shown by the desktop, opens its conversation when it is pressed, and is withdrawn once read', async ({
  desktop,
}) => {
  await close()
  const { cid } = await directFrom('jonas', 'Is the **banner** ready?')
  await expect.poll(() => desktop.shown.map(({ body }) => body)).toContain('Is the banner ready?')
  const shown = desktop.shown.find(({ body }) => body === 'Is the banner ready?')
  expect(shown?.title).toContain('Jonas')
  if (shown) desktop.press(shown)
  await expect.poll(visible).toEqual([true])
  await expect(parlor.screen.message(cid, 'Is the banner ready?')).toBeVisible()

  await close()
  await directFrom('jonas', 'And the map?')
  await expect.poll(() => desktop.shown.map(({ body }) => body)).toContain('And the map?')
  await desktop.clickTray()
  await expect.poll(() => desktop.withdrawn).toContain(desktop.shown.find(({ body }) => body === 'And the map?')?.id)
})

test('a reminder rings while every window is closed, and leads to its message', async ({ desktop }) => {
  await parlor.screen.openChannel(CID)
  await parlor.screen.send(CID, 'Print the map')
  const row = parlor.screen.message(CID, 'Print the map')
  await expect(row).not.toContainText('Sending')
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

test('Parlor locks itself when the computer goes to sleep, and works after it', async ({ desktop }) => {
  await parlor.call('lock.set', { pin: '2580' })
  desktop.sleep(true)
  // Chromium closes the debugger's connection when the computer sleeps.
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
  await expect(screen.message(CID, 'Slept well')).not.toContainText('Sending')
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
