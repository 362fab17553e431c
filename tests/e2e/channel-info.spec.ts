import { brokenIn } from './kit/axe.ts'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test(
  'the details of a channel show its members and media, and it is renamed and muted there',
  LONG,
  async ({ world }) => {
    const { url, cid, admin } = await world.team('alice', 'bob', 'carol')
    await admin.send(cid, 'bob', 'read https://maps.test/tiles before noon')
    const { screen } = await world.client(url, 'alice')
    const { page } = screen
    await screen.openChannel(cid)
    await page.keyboard.press('Control+Shift+I')
    const panel = page.getByRole('complementary', { name: 'Details' })
    await expect(panel.getByRole('heading', { name: 'Details' })).toBeVisible()
    expect(await brokenIn(page, '[data-region="panel"]')).toEqual([])

    await test.step('links are found, also by their text', async () => {
      await panel.getByRole('button', { name: /^Links/ }).click()
      await expect(panel.getByRole('link', { name: 'https://maps.test/tiles' })).toBeVisible()
      await panel.getByRole('searchbox', { name: 'Find a link' }).fill('nothing like it')
      await expect(panel.getByText('Nothing found for “nothing like it”')).toBeVisible()
      await panel.getByRole('button', { name: 'Back to details' }).click()
    })

    await test.step('members are found, and a press opens their profile', async () => {
      await panel.getByRole('button', { name: /^Members/ }).click()
      const members = page.getByRole('complementary', { name: 'Members' })
      await expect(members.getByRole('listitem').filter({ hasText: 'Carol' })).toBeVisible()
      expect(await brokenIn(page, '[data-region="panel"]')).toEqual([])
      await members.getByRole('searchbox', { name: 'Find a member' }).fill('bo')
      await expect(members.getByRole('listitem').filter({ hasText: 'Carol' })).toBeHidden()
      await members.getByRole('button', { name: /^Bob/ }).click()
      const card = page.getByRole('dialog', { name: 'Profile' })
      await expect(card.getByText('Channels in common')).toBeVisible()
      await page.keyboard.press('Escape')
      await members.getByRole('button', { name: 'Back to details' }).click()
    })

    await test.step('muted until a time, which is shown', async () => {
      await panel.getByRole('button', { name: 'Mute' }).click()
      const question = page.getByRole('dialog', { name: /^Mute/ })
      await question.getByText('8 hours').click()
      await question.getByRole('button', { name: 'Mute', exact: true }).click()
      await expect(panel.getByRole('button', { name: 'Muted' })).toHaveAttribute('aria-pressed', 'true')
      await expect(panel.getByText(/^Muted until /)).toBeVisible()
    })

    await test.step('leaving asks first, and Escape cancels', async () => {
      await panel.getByRole('button', { name: 'Leave channel' }).click()
      await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(screen.list(cid)).toBeVisible()
    })
  },
)

test('a channel is created, found by another user in the channel browser, joined, and deleted by its name', async ({
  world,
}) => {
  const { url } = await world.team('alice', 'bob')
  const alice = (await world.client(url, 'alice')).screen
  const bob = (await world.client(url, 'bob')).screen
  await alice.page.keyboard.press('Control+Shift+L')
  await alice.page.getByRole('button', { name: 'New channel' }).last().click()
  await alice.page.getByRole('textbox', { name: 'Name' }).fill('Night walks')
  await alice.page.getByRole('button', { name: 'Create channel' }).click()
  await expect(alice.page.getByRole('main', { name: 'Night walks' })).toBeVisible()

  await bob.page.keyboard.press('Control+Shift+L')
  await expect(bob.page.getByRole('searchbox', { name: 'Find a channel' })).toBeFocused()
  await bob.page.keyboard.type('night')
  await bob.page.getByRole('button', { name: 'Join Night walks' }).click()
  await expect(bob.page.getByRole('button', { name: 'Leave Night walks' })).toBeVisible()
  expect(await brokenIn(bob.page, 'main')).toEqual([])

  await alice.page.keyboard.press('Control+Shift+I')
  const panel = alice.page.getByRole('complementary', { name: 'Details' })
  await panel.getByRole('button', { name: 'Channel settings' }).click()
  await panel.getByRole('textbox', { name: 'Name' }).fill('Evening walks')
  await panel.getByRole('button', { name: 'Save changes' }).click()
  await expect(alice.page.getByRole('main', { name: 'Evening walks' })).toBeVisible()
  await panel.getByRole('button', { name: 'Delete channel…' }).click()
  await alice.page.getByRole('textbox', { name: 'Type Evening walks to confirm' }).fill('Evening walks')
  await alice.page.getByRole('button', { name: 'Delete channel', exact: true }).click()
  await expect(alice.page.getByRole('main', { name: 'Evening walks' })).toBeHidden()
  await expect(bob.page.getByRole('button', { name: 'Leave Night walks' })).toBeHidden()
})
