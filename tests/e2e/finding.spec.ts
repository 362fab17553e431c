import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test('a word is searched for, its message opens in context and in its channel, and the results are still there', async ({
  world,
}) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  await admin.send(cid, 'bob', 'Zażółć gęślą jaźń, the banner is ready')
  for (let at = 1; at <= 60; at++) await admin.send(cid, 'bob', `Line ${at} of the day`)
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  const { keyboard } = page
  await expect(screen.list(cid)).toBeVisible()

  await test.step('Ctrl+Shift+F searches everywhere, ignoring accents', async () => {
    await keyboard.press('Control+Shift+F')
    await expect(page.getByRole('combobox', { name: 'Search messages' })).toBeFocused()
    await keyboard.type('zazolc gesla')
    await expect(page.locator('[data-hit]')).toHaveCount(1)
    await expect(page.locator('[data-hit] mark').first()).toHaveText('Zażółć')
  })

  await test.step('Down and Enter show it between its neighbors', async () => {
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    const context = page.getByRole('complementary', { name: 'In context' })
    await expect(context.getByText('the banner is ready')).toBeVisible()
    await context.getByRole('button', { name: 'Open in channel' }).click()
    await expect(screen.message(cid, 'the banner is ready')).toBeVisible()
  })

  await test.step('Back finds the results as they were', async () => {
    await keyboard.press('Alt+ArrowLeft')
    await expect(page.getByRole('combobox', { name: 'Search messages' })).toHaveValue('zazolc gesla')
    await expect(page.locator('[data-hit]')).toHaveCount(1)
  })

  await test.step('a filter is completed, and applied', async () => {
    await page.getByRole('combobox', { name: 'Search messages' }).fill('from:ali')
    await expect(page.getByRole('option', { selected: true })).toContainText('Alice')
    await keyboard.press('Enter')
    await keyboard.type('banner')
    await expect(page.getByRole('button', { name: 'From me, remove' })).toBeVisible()
    await expect(page.getByText('Nothing found for “banner”')).toBeVisible()
  })
})

test(
  'all workspaces are searched at once, and a click on a result switches to its workspace',
  LONG,
  async ({ world }) => {
    const cid = 'team:release-4-2'
    const { screen } = await world.demo()
    const { page } = screen
    const { keyboard } = page
    await screen.openChannel(cid)
    await screen.send(cid, 'The lantern is lit, and this is said with many more words than it takes')
    await screen.send(cid, 'Lantern found')
    await screen.send(cid, 'Nobody has seen the lantern since the last evening, so please look for it')
    await screen.workspace('Create your own workspace…')
    await page.getByLabel('Workspace name').fill('Kitchen table')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await expect(page.getByRole('button', { name: 'Workspace Kitchen table' })).toBeVisible()
    const field = page.getByRole('combobox', { name: 'Search messages' })

    await test.step('this workspace has no such message, and says so under no tab of people or channels', async () => {
      await keyboard.press('Control+Shift+F')
      await keyboard.type('lantern')
      await expect(page.getByText('Nothing found for “lantern”')).toBeVisible()
      await expect(page.getByRole('tab')).toHaveText(['Messages0'])
    })

    await test.step('a filter that is being written is not searched for', async () => {
      await keyboard.type(' in:gen')
      await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeVisible()
      await expect(page.getByText('Nothing found for “lantern”')).toBeVisible()
      await field.fill('lantern')
    })

    await test.step('all of them have three, which name their workspace, newest first', async () => {
      await page.getByRole('button', { name: 'This workspace' }).click()
      await page.getByRole('menuitemradio', { name: 'All workspaces' }).click()
      await expect(page.locator('[data-hit]')).toHaveCount(3)
      await expect(page.locator('[data-hit]').first()).toContainText(
        /Ola Wiśniewska.*#release-4-2.*Cairn Maps.*Nobody has seen/,
      )
      await expect(page.getByText(/^From this device: \d/)).toBeVisible()
    })

    await test.step('the most relevant one is the shortest', async () => {
      await page.getByRole('button', { name: 'Newest first' }).click()
      await page.getByRole('menuitemradio', { name: 'Most relevant' }).click()
      await expect(page.locator('[data-hit] mark').first()).toHaveText('Lantern')
    })

    await test.step('by keyboard, a result opens in its workspace', async () => {
      await field.press('ArrowDown')
      await keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'Workspace Cairn Maps' })).toBeVisible()
      await expect(screen.message(cid, 'Lantern found')).toBeVisible()
    })
  },
)

test('the switcher opens a user and runs commands by name', LONG, async ({ world }) => {
  const { url, cid } = await world.team('alice', 'bob')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  const { keyboard } = page
  await screen.openChannel(cid)
  await keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await keyboard.type('@bo')
  await expect(page.getByRole('option', { selected: true })).toContainText('Bob')
  await keyboard.press('Enter')
  await expect(page.getByRole('main', { name: 'Bob' })).toBeVisible()
  await keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await keyboard.type('>theme dark')
  await keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'light')
})

test('text typed while the quick switcher is loading arrives in it completely', async ({ world }) => {
  const { url, cid } = await world.team('alice', 'bob')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await expect(screen.list(cid)).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('a place far away', { delay: 30 })
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('a place far away')
})
