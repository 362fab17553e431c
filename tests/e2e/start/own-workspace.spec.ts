import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

test('an own workspace is created from the demo, filled with a channel, and there again after a restart', async ({
  world,
}) => {
  const { app, screen, data } = await world.demo()
  const { page } = screen
  await screen.openChannel('team:release-4-2')
  await screen.workspace('Create your own workspace…')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await expect(dialog.getByText('Type a name for the workspace')).toBeVisible()
  await dialog.getByLabel('Workspace name').fill('Kitchen table')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await expect(page.getByRole('button', { name: 'Workspace Kitchen table' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^general/ })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('link', { name: /^Note to self/ })).toBeVisible()

  await page.getByRole('button', { name: 'New channel' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Groceries')
  await page.getByRole('dialog').getByRole('button', { name: 'Create channel' }).click()
  const row = page.getByRole('link', { name: /^Groceries/ })
  await expect(row).toHaveAttribute('aria-current', 'page')
  const cid = (await row.getAttribute('data-channel-item')) ?? ''
  await screen.send(cid, 'Bread and pears')

  await screen.close()
  await app.stop()
  const again = await world.app(data)
  const later = await world.open(again.ready['url'])
  await expect(later.page.getByRole('button', { name: 'Workspace Kitchen table' })).toBeVisible()
  await expect(later.message(cid, 'Bread and pears')).toBeVisible()
})

test('an own workspace is created from the start page under the name given there', LONG, async ({ world }) => {
  const app = await world.app(world.folder('fresh'))
  const screen = await world.open(app.ready['url'])
  const { page } = screen
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByRole('button', { name: /^Create a workspace/ }).click()
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await expect(page.getByText('Type a name for the workspace')).toBeVisible()
  await page.getByLabel('Workspace name').fill('Studio')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Workspace Studio' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Workspace' }).getByText('Ada Lovelace')).toBeVisible()
  const started = page.getByRole('region', { name: /^Getting started/ })
  await expect(started).toHaveAccessibleName('Getting started, 1 of 5 done')
  await started.getByRole('button', { name: 'Write' }).click()
  await page.keyboard.type('Hello everyone')
  await page.keyboard.press('Enter')
  await expect(started).toHaveAccessibleName('Getting started, 2 of 5 done')
  await started.getByRole('button', { name: 'Skip: Add people' }).click()
  await started.getByRole('button', { name: 'Skip: Add an icon' }).click()
  await started.getByRole('button', { name: 'Skip: Add your photo' }).click()
  await expect(started).toHaveCount(0)
  await page
    .getByText('You’re all set')
    .locator('xpath=ancestor::*[.//button][1]')
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(started).toHaveAccessibleName('Getting started, 5 of 5 done')
  await started.getByRole('button', { name: 'Close Getting started' }).click()
  await screen.workspace('Getting started')
  await expect(started).toBeVisible()
  await page.getByRole('button', { name: 'Invite people' }).click()
  await page.getByRole('dialog').getByLabel('Add a person').fill('Ben Ross')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Ben Ross added to the workspace.')).toBeAttached()
})
