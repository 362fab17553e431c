import { expect, test } from './world.ts'

const CID = 'team:release-4-2'

test('a second window is opened as somebody else, and both talk', async ({ world }) => {
  const { app, screen: ola } = await world.demo()
  await ola.openChannel(CID)
  await ola.workspace('Open a second window as…')
  const person = ola.page.getByRole('dialog').getByRole('button', { name: /^Jonas Lindqvist/ })
  const opened = ola.page.waitForEvent('popup')
  await person.click()
  const jonas = world.watch(await opened)
  expect((await app.said('window'))['as']).toBe('jonas')
  await jonas.openChannel(CID)
  await jonas.send(CID, 'Hi Ola, this is Jonas')
  await expect(ola.message(CID, 'Hi Ola, this is Jonas')).toBeVisible()
  await ola.send(CID, 'Hi Jonas, I can see you')
  await expect(jonas.message(CID, 'Hi Jonas, I can see you')).toBeVisible()

  await jonas.composer(CID).pressSequentially('I am writ')
  await expect(ola.page.getByText(/Jonas.* is typing/)).toBeVisible()
})

test('a channel is chosen into a window of its own, and another one stands beside the open one', async ({ world }) => {
  const { app, screen: ola } = await world.demo()
  const { page } = ola
  await ola.openChannel(CID)
  const choose = async (name: string, keys: string): Promise<void> => {
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill(name)
    await expect(page.getByRole('option', { selected: true })).toContainText(name)
    await page.getByRole('combobox').press(keys)
  }
  await choose('design', 'Alt+Enter')
  const half = page.getByRole('complementary', { name: 'design' })
  await expect(half.locator('[data-composer]')).toBeFocused()
  await page.keyboard.press('F6')
  await page.keyboard.press('Escape')
  await expect(half.locator('[data-composer]')).toBeFocused()

  const opened = page.waitForEvent('popup')
  await choose('release-4-2', 'Control+Enter')
  const own = world.watch(await opened)
  await app.said('window')
  await expect(own.page).toHaveTitle(/release-4-2/)
  await expect(own.page.getByRole('navigation')).toHaveCount(0)
  await own.send(CID, 'Written in its own window')
  await expect(ola.message(CID, 'Written in its own window')).toBeVisible()

  await half.getByRole('button', { name: 'Close this half' }).click()
  await expect(half).toHaveCount(0)
})
