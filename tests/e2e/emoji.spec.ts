import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test(
  'an emoji is created, written and reacted with; the other user sees it; once deleted, its text stays',
  LONG,
  async ({ world }) => {
    const { url, cid } = await world.team('alice', 'bob')
    const { screen: alice } = await world.client(url, 'alice')
    const { screen: bob } = await world.client(url, 'bob')
    const { page } = alice
    await alice.openChannel(cid)
    await bob.openChannel(cid)
    const openPage = async (): Promise<void> => {
      await page.keyboard.press('Control+,')
      await page.getByRole('navigation').getByRole('link', { name: 'Messages', exact: true }).click()
      await page.getByText(/^More: /).click()
    }

    await test.step('a picture is chosen, though it is too large, and added under the name of its file', async () => {
      await openPage()
      await page.getByLabel('Choose an image').setInputFiles('resources/demo/landscape-dawn.png')
      await expect(page.getByRole('img', { name: /^How the emoji looks/ })).toBeVisible()
      await page.getByRole('textbox', { name: 'Name', exact: true, description: /^2 to 30 characters/ }).fill('dawn')
      await page.getByRole('button', { name: 'Add emoji' }).click()
      await expect(page.getByRole('button', { name: 'Delete :dawn:' })).toBeVisible()
      await page.keyboard.press('Escape')
    })

    await test.step('it is suggested, sent, and shown to the other user', async () => {
      await alice.openChannel(cid)
      await alice.composer(cid).pressSequentially('what a :daw')
      await page.getByRole('option').first().click()
      await expect(alice.composer(cid)).toHaveValue('what a :dawn: ')
      await alice.composer(cid).press('Enter')
      const seen = bob.message(cid, 'what a :dawn:')
      const width = () => seen.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)
      await expect.poll(width).toBeGreaterThan(0)
    })

    await test.step('the other user reacts with it, and both see the picture in the chip', async () => {
      await bob.message(cid, 'what a').hover()
      await bob.message(cid, 'what a').getByRole('button', { name: 'Add reaction' }).first().click()
      await bob.page.getByRole('tab', { name: 'This workspace' }).click()
      await bob.page.getByRole('button', { name: 'dawn' }).click()
      for (const screen of [alice, bob]) {
        await expect(screen.message(cid, 'what a').getByRole('button', { name: /^dawn/ }).locator('img')).toBeVisible()
      }
    })

    await test.step('selected text contains its name', async () => {
      const copied = await bob
        .message(cid, 'what a')
        .locator('[data-message-text]')
        .evaluate((text) => {
          getSelection()?.selectAllChildren(text)
          return getSelection()?.toString().trim()
        })
      expect(copied).toBe('what a :dawn:')
    })

    await test.step('deleted, it is shown as text for everyone', async () => {
      await openPage()
      await page.getByRole('button', { name: 'Delete :dawn:' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(page.getByText('No custom emoji in this workspace yet')).toBeVisible()
      await expect(bob.message(cid, 'what a').locator('[data-message-text]')).toHaveText('what a :dawn:')
      await expect(bob.message(cid, 'what a').locator('[data-message-text] img')).toHaveCount(0)
    })
  },
)
