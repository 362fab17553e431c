import { expect, test } from './kit/world.ts'

test('without a server Parlor says so, stores what is written, allows edits, and sends it when the server is back', async ({
  world,
}) => {
  const { server, url, data, admin, cid } = await world.team('alice', 'bob')
  const { app, screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  // Whatever delays Parlor's process, above all the disk, writing in the page continues and loses nothing.
  app.child.kill('SIGSTOP')
  await screen.composer(cid).fill('note 1 online')
  await screen.composer(cid).press('Enter')
  await page.keyboard.type('and what I thought of meanwhile')
  await expect(screen.composer(cid)).toHaveValue('and what I thought of meanwhile')
  await page.getByRole('button', { name: /^Workspace / }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  app.child.kill('SIGCONT')
  await expect(screen.message(cid, 'note 1 online')).toBeVisible()
  await expect(screen.composer(cid)).toHaveValue('and what I thought of meanwhile')
  // Acknowledged, so that it is not among the queued ones.
  await expect.poll(() => admin.texts(cid)).toEqual(['note 1 online'])
  await server.stop('SIGKILL')

  const banner = page.locator('[data-region="banner"]')
  await expect(banner).toContainText('You’re offline. You can keep reading and writing.')
  await expect(banner.getByRole('button', { name: 'Try now' })).toBeVisible()
  for (const text of ['note 2 kept', 'note 3 changed', 'note 4 removed']) await screen.send(cid, text)
  await expect(screen.message(cid, 'note 4 removed')).toContainText('Queued. It will be sent when you’re back online.')
  await expect(screen.row(cid)).toHaveAccessibleName(/3 waiting to be sent/)

  await page.getByRole('button', { name: 'Outbox, 3 waiting' }).click()
  const panel = page.locator('[data-region="panel"]')
  await expect(panel.getByRole('heading', { name: 'Waiting for the connection 3' })).toBeVisible()
  await panel.getByText('note 4 removed').hover()
  await panel.getByRole('button', { name: 'Remove: note 4 removed' }).click()
  await expect(screen.message(cid, 'note 4 removed')).toBeHidden()
  await panel.getByText('note 3 changed').hover()
  await panel.getByRole('button', { name: 'Edit: note 3 changed' }).click()
  await expect(screen.composer(cid)).toHaveValue('note 3 changed')
  await expect(screen.composer(cid)).toBeFocused()
  await screen.send(cid, 'note 3 better')

  await world.server(data, Number(new URL(url).port))
  // Parlor may have reconnected at this moment; then the button is gone, and there is nothing to press.
  await banner.evaluateAll((found) => found[0]?.querySelector('button')?.click())
  await expect(page.locator('[data-outbox="0"]')).toContainText('Everything you wrote has been sent.')
  await expect(banner).toBeHidden()
  await expect(screen.message(cid, 'note 3 better')).not.toContainText('Queued')
  expect(await admin.texts(cid)).toEqual(['note 1 online', 'note 2 kept', 'note 3 better'])
})

test('a message that the server refuses shows the reason in place, and can be edited, retried or deleted', async ({
  world,
}) => {
  const { url, admin, cid } = await world.team('alice', 'bob')
  const quiet = await admin.channel('quiet', ['alice', 'bob'])
  const cable = await world.cable(url)
  // The first user of a server is its administrator, and may write where others may not.
  const { screen } = await world.client(cable.url, 'bob')
  const { page } = screen
  await screen.openChannel(cid)
  cable.cut()
  const long = 'This is far more than the channel takes by now.'
  await screen.send(cid, long)
  await screen.openChannel(quiet)
  await screen.send(quiet, 'Is anybody here?')
  await admin.change(cid, { config_overrides: { max_message_length: 20 } })
  await admin.change(quiet, { frozen: true })
  cable.mend()

  const refused = screen.message(quiet, 'Is anybody here?')
  await expect(refused).toContainText('Not sent. You don’t have permission to do this.')
  await expect(page.locator(`[data-composer-closed="${quiet}"]`)).toContainText('This channel is frozen.')
  await screen.row(cid).click()
  await expect(screen.message(cid, long)).toContainText('Not sent. The message is too long.')

  await page.getByRole('button', { name: 'Outbox, 2 waiting' }).click()
  const panel = page.locator('[data-region="panel"]')
  await expect(panel.getByRole('region', { name: 'Needs your attention 2' })).toBeVisible()
  await screen.message(cid, long).getByRole('button', { name: 'Edit' }).click()
  const field = screen.composer(cid)
  await expect(field).toHaveValue(long)
  await expect(page.getByText('The message is too long by 27 characters')).toBeVisible()
  await field.fill('Short enough')
  await field.press('Enter')
  await expect(screen.message(cid, 'Short enough')).toBeVisible()
  await expect(screen.message(cid, 'Short enough')).not.toContainText('Not sent')

  await admin.change(quiet, { frozen: false })
  await panel
    .getByRole('button', { name: /^(Try again|Delete): Is anybody here/ })
    .first()
    .click()
  await expect(page.locator('[data-outbox="0"]')).toBeVisible()
})
