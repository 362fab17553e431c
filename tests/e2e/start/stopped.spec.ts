import { connectArgs } from '../kit/processes.ts'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

/** The browser logs every attempt to reach a stopped program, and what it was sending when it was killed. */
const REFUSED =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket connection to|Unable to preload CSS|dynamically imported module/
const STOPPED = 'Parlor has stopped on this device. Your text is saved in this window until Parlor is running again.'

test('a window whose process was killed says so, loses nothing, sends nothing, and recovers automatically', async ({
  world,
}) => {
  world.expectComplaint(REFUSED)
  const { url, cid, admin } = await world.team('alice', 'bob')
  const other = await admin.channel('lunch', ['alice', 'bob'])
  const { app, screen, data } = await world.client(url, 'alice')
  await screen.openChannel(cid)
  await screen.composer(cid).fill('written before')
  await app.stop('SIGKILL')
  const { page } = screen
  await expect(page.locator('[data-region="banner"]', { hasText: STOPPED })).toBeVisible()
  await expect(page.getByText('You can keep reading and writing')).toHaveCount(0)
  await screen.composer(cid).press('End')
  await screen.composer(cid).pressSequentially(' and after')
  await screen.composer(cid).press('Enter')
  await expect(screen.composer(cid)).toHaveValue('written before and after')
  await expect(page.locator('[data-send="stopped"]')).toHaveAttribute('aria-disabled', 'true')
  await page.locator('[data-send="stopped"]').click({ force: true })
  await expect(screen.composer(cid)).toHaveValue('written before and after')
  await screen.row(other).click()
  const refused = 'Parlor has stopped on this device. Start it again, then try again.'
  await expect(page.getByRole('log').getByText(refused)).toBeVisible()
  await screen.row(cid).click()

  await world.app(data, ...(await connectArgs(url, 'alice')))
  await expect(page.locator('[data-region="banner"]', { hasText: STOPPED })).toHaveCount(0)
  await expect(screen.composer(cid)).toHaveValue('written before and after')
  await screen.composer(cid).press('Enter')
  await expect(screen.message(cid, 'written before and after')).toBeVisible()
  await expect.poll(() => admin.texts(cid)).toEqual(['written before and after'])
  const left = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('parlor.kept.')))
  await expect.poll(left).toEqual([])
})

test('what loads on opening says that Parlor has stopped, and opens once it is back', LONG, async ({ world }) => {
  world.expectComplaint(REFUSED)
  const { url, cid } = await world.team('alice', 'bob')
  const { app, screen, data } = await world.client(url, 'alice')
  await screen.openChannel(cid)
  await app.stop('SIGKILL')
  const { page } = screen
  await expect(page.locator('[data-region="banner"]', { hasText: STOPPED })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Parlor has stopped' })
  await page.keyboard.press('Control+/')
  await expect(dialog).toContainText('This will open once Parlor is running again.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('Control+/')
  await expect(dialog).toBeVisible()

  await world.app(data, ...(await connectArgs(url, 'alice')))
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(screen.composer(cid)).toBeVisible()
})

test('a window closed while its process is stopped leaves its text for the next one', LONG, async ({ world }) => {
  world.expectComplaint(REFUSED)
  const { url, cid, admin } = await world.team('alice', 'bob')
  const { app, screen, data } = await world.client(url, 'alice')
  await screen.openChannel(cid)
  await app.stop('SIGKILL')
  await expect(screen.page.locator('[data-region="banner"]', { hasText: STOPPED })).toBeVisible()
  await screen.composer(cid).fill('typed while nobody was there')
  const context = screen.page.context()
  await screen.page.close()

  const again = await world.app(data, ...(await connectArgs(url, 'alice')))
  expect(new URL(again.ready['url'] ?? '').port).toBe(new URL(app.ready['url'] ?? '').port)
  const later = world.watch(await context.newPage())
  await later.page.goto(again.ready['url'] ?? '')
  await later.openChannel(cid)
  await expect(later.composer(cid)).toHaveValue('typed while nobody was there')
  await expect.poll(() => admin.texts(cid)).toEqual([])
})

test('a tab without a key explains what helps, and offers nothing that cannot work', LONG, async ({ world }) => {
  const { app, screen } = await world.demo()
  const tab = world.watch(await screen.page.context().newPage())
  await tab.page.goto(new URL('/', app.ready['url']).href)
  await expect(tab.page.getByText('This window isn’t connected to Parlor. Open a new one from')).toBeVisible()
  await expect(tab.page.getByRole('button')).toHaveCount(0)
})
