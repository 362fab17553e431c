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
