import { brokenIn } from '../kit/axe.ts'
import { openPage } from '../kit/manage.ts'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

test(
  'the owner makes an incoming webhook, a program posts, the message is marked as a program’s, and revoking ends it',
  LONG,
  async ({ world }) => {
    const { screen } = await world.demo()
    const { page } = screen
    await expect(page.locator('[data-message-list][data-settled="1"]')).toBeVisible()
    await openPage(page, 'Integrations')
    const post = (url: string, text: string) =>
      fetch(url, { method: 'POST', body: JSON.stringify({ text, attachments: [{ title: 'Log', text: 'all green' }] }) })
    let address = ''

    await test.step('made in a dialog, its address masked until Show is pressed', async () => {
      await page.getByRole('button', { name: 'New integration' }).click()
      await page.getByRole('menuitem', { name: /^Incoming webhook/ }).click()
      const dialog = page.getByRole('dialog', { name: 'New incoming webhook' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Build robot')
      await dialog.getByRole('combobox', { name: 'Posts to' }).selectOption({ label: '#release-4-2' })
      await dialog.getByRole('button', { name: 'Create webhook' }).click()
      const field = page.getByRole('textbox', { name: /^Address/ })
      await expect(field).toHaveValue(/\/hooks\/•+$/)
      await page.getByRole('button', { name: 'Show' }).click()
      await expect(field).toHaveValue(/\/hooks\/[\w-]{43}$/)
      address = await field.inputValue()
      expect(await brokenIn(page, 'main')).toEqual([])
    })

    await test.step('a program posts, and the call is listed at once', async () => {
      expect((await post(address, 'RC2 build 418 passed')).status).toBe(200)
      await expect(page.getByRole('cell', { name: /RC2 build 418 passed/ })).toBeVisible()
      await expect(page.getByRole('cell', { name: '200 Posted' })).toBeVisible()
    })

    await test.step('revoked, the address answers 410 and the row stays', async () => {
      await page.getByRole('button', { name: 'Revoke…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke webhook' }).click()
      await expect(page.getByRole('button', { name: /Build robot.*Revoked on/ })).toBeVisible()
      expect((await post(address, 'too late')).status).toBe(410)
    })

    await test.step('the message is in its channel, by a program', async () => {
      await page.getByRole('button', { name: /^Back to/ }).click()
      await screen.openChannel('team:release-4-2')
      const message = screen.message('team:release-4-2', 'RC2 build 418 passed')
      await expect(message).toContainText('Build robot')
      await expect(message).toContainText('App')
      await expect(message).toContainText('all green')
    })
  },
)
