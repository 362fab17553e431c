import { expect, test } from '../kit/world.ts'

const CID = 'team:release-4-2'

test('two accounts in one window: a message in the other one is marked, and a press opens it', async ({ world }) => {
  const { screen: ola } = await world.demo()
  const { page } = ola
  await ola.openChannel(CID)
  await expect(page.getByRole('navigation', { name: 'Accounts' })).toHaveCount(0)
  await ola.workspace('Open a second window as…')
  const opened = page.waitForEvent('popup')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Jonas Lindqvist/ })
    .click()
  const jonas = world.watch(await opened)
  await jonas.openChannel(CID)

  await ola.composer(CID).pressSequentially('Half a thought')
  await ola.workspace('Create your own workspace…')
  await page.getByLabel('Workspace name').fill('Kitchen table')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await expect(page.getByRole('button', { name: 'Workspace Kitchen table' })).toBeVisible()
  const rail = page.getByRole('navigation', { name: 'Accounts' })
  await expect(rail.getByRole('button', { name: /^Kitchen table, Ola Wiśniewska/ })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await expect(page.locator('[data-message-id]')).toHaveCount(0)
  await expect(page.locator('[data-channel-item]')).toHaveText([/general/, /Note to self/])

  await jonas.send(CID, '@Ola are you still here?')
  const demo = rail.getByRole('button', { name: /^Cairn Maps, Ola/ })
  await expect(demo).toHaveAccessibleName(/\d+ for you/)
  await expect(page.getByText('are you still here?')).toHaveCount(0)

  await demo.click()
  await expect(page.getByRole('button', { name: 'Workspace Cairn Maps' })).toBeVisible()
  await expect(ola.message(CID, 'are you still here?')).toBeVisible()
  await expect(ola.composer(CID)).toHaveValue('Half a thought')
})
