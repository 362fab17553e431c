import { openPage } from '../kit/manage.ts'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

const CID = 'team:release-4-2'

test('the owner adds, promotes, signs out and deactivates people, and their windows react', async ({ world }) => {
  const { app, screen: ola } = await world.demo()
  const { page } = ola
  await ola.openChannel(CID)
  await ola.workspace('Open a second window as…')
  const opened = page.waitForEvent('popup')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Jonas Lindqvist/ })
    .click()
  const jonas = world.watch(await opened)
  await app.nextEvent('window')
  await jonas.openChannel(CID)
  await expect(jonas.page.getByText('Manage', { exact: true })).toHaveCount(0)

  await openPage(page, 'Directory')
  const panel = page.getByRole('region', { name: 'Person' })

  await test.step('a person is added, found, and shown with what was typed', async () => {
    await page.getByRole('button', { name: 'Add person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add person' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Łucja <b>Żak</b>')
    await dialog.getByRole('textbox', { name: /^User ID/ }).fill('lucja')
    await dialog.getByRole('textbox', { name: /^Teams/ }).fill('Kraków, QA')
    await dialog.getByRole('button', { name: 'Add person' }).click()
    await expect(panel.getByText('Łucja <b>Żak</b>')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Find a person' }).fill('zak')
    await expect(page.getByRole('row', { name: /lucja/ })).toContainText('Kraków')
    await expect(page.getByText('1 person')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Find a person' }).fill('')
  })

  await test.step('a new role reaches the other person’s window', async () => {
    await page.getByRole('row', { name: /Jonas/ }).click()
    await panel.getByRole('combobox', { name: 'Role' }).selectOption('moderator')
    await expect(jonas.page.getByText('Manage', { exact: true })).toBeVisible()
    await expect(page.getByRole('row', { name: /Jonas/ })).toContainText('Moderator')
  })

  await test.step('a token is shown once, and works until everything is signed out', async () => {
    await panel.getByRole('button', { name: 'Issue a token…' }).click()
    await page.getByRole('button', { name: 'Issue token' }).click()
    const value = (name: string) => page.getByRole('textbox', { name }).inputValue()
    const [token, url, key] = [await value('Token'), await value('Server address'), await value('API key')]
    const status = async (): Promise<number> => {
      const headers = { authorization: token, 'stream-auth-type': 'jwt' }
      return (await fetch(`${url}/unread?api_key=${key}&user_id=jonas`, { headers })).status
    }
    expect(await status()).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText(token)).toHaveCount(0)
    // A token counts whole seconds.
    await expect.poll(() => Date.now() / 1_000).toBeGreaterThan(Math.ceil(issuedAt(token)) + 1)
    await panel.getByRole('button', { name: 'Sign out everywhere…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect.poll(status).toBe(401)
  })

  await test.step('on this device the person gets a new token, and goes on', async () => {
    await jonas.send(CID, 'Still here')
    await expect(jonas.message(CID, 'Still here')).not.toContainText(/Queued|Sending/, { timeout: 30_000 })
  })

  await test.step('a deactivated person can no longer do anything, and comes back', async () => {
    await panel.getByRole('button', { name: /^Deactivate…/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await expect(panel.getByText(/^Deactivated/)).toBeVisible()
    await expect(page.getByRole('row', { name: /Jonas/ })).toContainText('Deactivated')
    await jonas.send(CID, 'Into the void')
    await expect(jonas.message(CID, 'Into the void')).not.toHaveText(/✓/)
    await panel.getByRole('button', { name: 'Reactivate…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click()
    await expect(panel.getByRole('button', { name: /^Deactivate…/ })).toBeVisible()
  })
  expect(ola.complaints).toEqual([])
})

test('a group is made of people, and one of them becomes its admin', LONG, async ({ world }) => {
  const { screen: ola } = await world.demo()
  const { page } = ola
  await openPage(page, 'User groups')
  await page.getByRole('button', { name: 'Create group' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create group' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Hut keepers')
  await dialog.getByRole('button', { name: 'Create group' }).click()
  const panel = page.getByRole('region', { name: 'Group' })
  await panel.getByRole('combobox', { name: 'Add people' }).fill('Hana')
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Add 1 person' }).click()
  const admin = panel.getByRole('checkbox', { name: 'Hana Mori is an admin of the group' })
  await admin.click()
  await expect(admin).toBeChecked()
  await expect(page.getByRole('row', { name: /Hut keepers/ })).toContainText('1')
  expect(ola.complaints).toEqual([])
})

const issuedAt = (token: string): number => {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  return (JSON.parse(claims) as { iat: number }).iat
}
