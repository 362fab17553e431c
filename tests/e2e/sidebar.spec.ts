import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test(
  'a custom section is created, filled by pointer and by keys, and restored at the next start',
  LONG,
  async ({ world }) => {
    const { url, cid, admin } = await world.team('alice', 'bob')
    const other = await admin.channel('lunch', ['alice', 'bob'])
    const { screen, data, app } = await world.client(url, 'alice')
    const { page } = screen
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Trip' }) })
    await expect(screen.row(other)).toBeVisible()

    await test.step('created from the menu of a row', async () => {
      await screen.row(cid).click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Move to a new section…' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Trip')
      await page.keyboard.press('Enter')
      await expect(section.locator(`[data-channel-item="${cid}"]`)).toBeVisible()
    })

    await test.step('a row is dragged into it, before the existing one', async () => {
      await screen.row(other).dragTo(screen.row(cid), { targetPosition: { x: 60, y: 4 } })
      await expect(section.locator('[data-channel-item]')).toHaveCount(2)
      await expect(section.locator('[data-channel-item]').first()).toHaveAttribute('data-channel-item', other)
    })

    await test.step('Ctrl+Shift+Down moves it below', async () => {
      await screen.row(other).focus()
      await page.keyboard.press('Control+Shift+ArrowDown')
      await expect(section.locator('[data-channel-item]').first()).toHaveAttribute('data-channel-item', cid)
      await expect(screen.row(other)).toBeFocused()
    })

    await test.step('all of it is stored', async () => {
      await screen.close()
      await app.stop()
      const again = await world.client(url, 'alice', data)
      const there = again.screen.page
        .locator('section')
        .filter({ has: again.screen.page.getByRole('heading', { name: 'Trip' }) })
      await expect(there.locator('[data-channel-item]')).toHaveCount(2)
      await expect(there.locator('[data-channel-item]').first()).toHaveAttribute('data-channel-item', cid)
    })
  },
)

test('what was archived comes back by Ctrl+Z, and a channel that was left from the list of recent actions', async ({
  world,
}) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  await admin.send(cid, 'bob', 'hello')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  const row = page.locator(`[data-channel-item="${cid}"]`)
  const choose = async (item: string): Promise<void> => {
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
  }

  await test.step('the key works outside text fields, and says what it undid', async () => {
    await choose('Archive')
    await expect(row).toHaveCount(0)
    await page.getByRole('link', { name: 'Browse channels' }).focus()
    await page.keyboard.press('Control+z')
    await expect(page.getByRole('group', { name: 'Undone' })).toContainText('Archived plans.')
    await expect(row).toBeVisible()
  })

  await test.step('the server takes a member back who has left', async () => {
    await choose('Leave')
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Leave/ })
      .click()
    await expect(row).toHaveCount(0)
    await screen.workspace('Recent actions')
    await page.getByRole('button', { name: 'Undo: You left plans.' }).click()
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('Undone')
    await page.keyboard.press('Escape')
    await expect(row).toBeVisible()
  })
})
