import { brokenIn } from './kit/axe.ts'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test(
  'a live location is shared by typed coordinates, seen by another user, and stopped by one key',
  LONG,
  async ({ world }) => {
    const { url, cid } = await world.team('alice', 'bob')
    const alice = (await world.client(url, 'alice')).screen
    const bob = (await world.client(url, 'bob')).screen
    for (const screen of [alice, bob]) await screen.openChannel(cid)
    const { page } = alice

    await test.step('nothing is sent before a place is chosen', async () => {
      await page.getByRole('button', { name: 'Add files and more' }).click()
      await page.getByRole('menuitem', { name: 'Share location' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share location' })
      await expect(dialog.getByRole('button', { name: 'Share location' })).toHaveAttribute('aria-disabled', 'true')
      await dialog.getByRole('textbox', { name: 'Latitude' }).fill('49.2746, 19.8683')
      await dialog.getByRole('combobox', { name: 'Others see' }).selectOption('About 1 km')
      await dialog.getByRole('radio', { name: '15 min' }).click()
      expect(await brokenIn(page, 'dialog')).toEqual([])
      await dialog.getByRole('button', { name: 'Share location' }).click()
      await expect(dialog).toBeHidden()
    })

    const card = (screen: typeof alice) =>
      screen.page.getByRole('group', { name: 'Alice’s live location, 49.27000, 19.87000' })
    await test.step('the other user sees it live, rounded, with its end', async () => {
      await expect(card(bob)).toContainText('Live location')
      await expect(card(bob).getByRole('button', { name: 'Stop sharing' })).toHaveCount(0)
      await expect(card(alice)).toContainText('15 more minutes of sharing')
      await expect(page.getByRole('button', { name: /^Sharing location until/ })).toBeVisible()
    })

    await test.step('one key ends it for both', async () => {
      await page.keyboard.press('Control+Shift+G')
      await expect(card(bob)).toContainText('Live location ended')
      await expect(card(alice)).toContainText('Live location ended')
      await expect(page.getByRole('button', { name: /^Sharing location until/ })).toHaveCount(0)
    })
  },
)
