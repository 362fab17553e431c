import { connectArgs } from './kit/processes.ts'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test('unread messages are walked through by keys, marked read, and undone to the exact message', async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  const other = await admin.channel('lunch', ['alice', 'bob'])
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  const { keyboard } = page
  await screen.openChannel(cid)
  await keyboard.press('Control+Shift+A')
  await expect(page.getByText('You’re all caught up')).toBeVisible()
  await admin.send(cid, 'bob', 'The plan is ready')
  await admin.send(other, 'bob', 'Soup today')
  await admin.send(other, 'bob', 'And bread')

  const row = (place: string) => page.locator(`[data-unread-place="${place}"]`)
  await test.step('both places show their first text, and showing marks nothing', async () => {
    await expect(row(other)).toContainText('Soup today')
    await expect(row(other)).toContainText('2 new')
    await expect(row(cid)).toContainText('The plan is ready')
  })

  await test.step('E marks one and moves on, U undoes it', async () => {
    await row(other).locator('[data-roving-id]').focus()
    await keyboard.press('e')
    await expect(row(other)).toContainText('marked as read')
    await expect(screen.row(other)).not.toContainText('2')
    await keyboard.press('u')
    await expect(row(other)).toContainText('2 new')
    await expect(screen.row(other)).toContainText('2')
  })

  await test.step('Shift+Escape marks everything, the notice undoes it', async () => {
    await keyboard.press('Shift+Escape')
    const notices = page.getByRole('region', { name: 'Notices' })
    await expect(notices).toContainText('2 channels marked as read.')
    await expect(screen.row(other)).not.toContainText('2')
    await notices.getByRole('button', { name: 'Undo' }).click()
    await expect(screen.row(other)).toContainText('2')
  })

  await test.step('Why: the reasons are in a dialog that jumps to the first one', async () => {
    await screen.row(other).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Why is this unread?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Why “lunch” is unread' })
    await expect(dialog).toContainText('2 messages from others')
    await dialog.getByRole('button', { name: 'Go to the first unread message' }).click()
    await expect(screen.message(other, 'Soup today')).toBeVisible()
  })

  await test.step('in a low window a channel opens at the unread divider, and settles there', async () => {
    await page.keyboard.press('Escape')
    await screen.openChannel(cid)
    for (let at = 1; at <= 14; at += 1) await admin.send(other, 'bob', `course ${at}`)
    await page.setViewportSize({ width: 900, height: 450 })
    await screen.openChannel(other)
    await expect(page.getByRole('button', { name: /Jump to latest|new messages/ }).first()).toBeVisible()
  })
})

test(
  'messages sent while Parlor was closed are opened at the first, and not at the previous position of the channel',
  LONG,
  async ({ world }) => {
    const { url, cid, admin } = await world.team('alice', 'bob')
    const other = await admin.channel('lunch', ['alice', 'bob'])
    for (let at = 1; at <= 30; at++) await admin.send(cid, 'bob', `Before ${at}`)
    const { app, screen, data } = await world.client(url, 'alice')
    await screen.openChannel(cid)
    const [type, id] = cid.split(':')
    await admin.call('POST', `/channels/${type}/${id}/read`, {}, 'alice')
    await expect(screen.row(cid)).not.toContainText('30')

    await test.step('another start, 60 messages later', async () => {
      await screen.close()
      await app.stop('SIGKILL')
      for (let at = 1; at <= 60; at++) await admin.send(cid, 'bob', `Line ${at} of the day`)
      const again = await world.app(data, ...(await connectArgs(url, 'alice')))
      const later = await world.open(again.ready['url'])
      await expect(later.list(cid).getByRole('separator', { name: '60 new messages' })).toBeInViewport()
      await expect(later.message(cid, 'Line 1 of the day')).toBeInViewport()
      await later.page.getByRole('button', { name: /^Jump to latest/ }).click()
      await expect(later.message(cid, 'Line 60 of the day')).toBeInViewport()
      await expect.poll(() => admin.unread(cid, 'alice')).toBe(0)
      await test.step('away from a position further up, 60 more', async () => {
        await later.list(cid).hover()
        await later.page.mouse.wheel(0, -1500)
        await expect(later.message(cid, 'Line 60 of the day')).not.toBeInViewport()
        await later.openChannel(other)
        for (let at = 1; at <= 60; at++) await admin.send(cid, 'bob', `Evening ${at}`)
        await expect(later.row(cid)).toContainText('60')
        await later.row(cid).click()
        await expect(later.list(cid).getByRole('separator', { name: '60 new messages' })).toBeInViewport()
        await expect(later.message(cid, 'Evening 1').first()).toBeInViewport()
      })
    })
  },
)

test(
  'offline, a channel opens at the first cached unread message, and the divider says so',
  LONG,
  async ({ world }) => {
    const { url, server, cid, admin } = await world.team('alice', 'bob')
    const other = await admin.channel('lunch', ['alice', 'bob'])
    for (let at = 1; at <= 60; at++) await admin.send(cid, 'bob', `Line ${at} of the day`)
    await admin.send(other, 'bob', 'Soup today')
    // More of the newest messages are fetched ahead for the twelve newest channels only.
    for (let at = 1; at <= 12; at++)
      await admin.send(await admin.channel(`newer-${at}`, ['alice', 'bob']), 'bob', 'Hello')
    const { screen } = await world.client(url, 'alice')
    await screen.openChannel(other)
    await server.stop('SIGKILL')
    await expect(screen.page.getByRole('button', { name: 'Try now' })).toBeVisible()
    await screen.row(cid).click()
    const line = screen.list(cid).getByRole('separator', { name: /^60 new messages/ })
    await expect(line).toBeInViewport()
    await expect(line).toContainText('Earlier ones aren’t loaded yet')
    await expect(screen.message(cid, 'Line 36 of the day')).toBeInViewport()
  },
)

test('back and forward return to the previous message, in the same channel and in another', LONG, async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  const other = await admin.channel('lunch', ['alice', 'bob'])
  for (let at = 1; at <= 60; at++) await admin.send(cid, 'bob', `Line ${at} of the day`)
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.row(cid).click()
  const list = screen.list(cid)
  await expect(screen.message(cid, 'Line 1 of the day')).toBeVisible()
  await expect(list.getByRole('separator', { name: '60 new messages' })).toBeInViewport()
  await list.hover()
  await page.mouse.wheel(0, 900)
  await expect(screen.message(cid, 'Line 1 of the day')).not.toBeInViewport()
  const step = await list.evaluate((element) => element.scrollTop)
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(step)
  const top = await list.evaluate((element) => {
    const edge = element.getBoundingClientRect().top
    const rows = [...element.querySelectorAll('[data-message-id]')]
    return rows.find((row) => row.getBoundingClientRect().top > edge + 40)?.getAttribute('data-message-id') ?? ''
  })
  const row = list.locator(`[data-message-id="${top}"]`)
  const offset = async () => Math.round(((await row.boundingBox())?.y ?? 0) - ((await list.boundingBox())?.y ?? 0))
  const before = await offset()
  await screen.row(other).click()
  await expect(screen.composer(other)).toBeFocused()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(row).toBeInViewport()
  expect(Math.abs((await offset()) - before)).toBeLessThanOrEqual(1)
  await page.keyboard.press('Alt+ArrowRight')
  await expect(screen.composer(other)).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new MouseEvent('mouseup', { button: 3, cancelable: true })))
  await expect(row).toBeInViewport()
})
