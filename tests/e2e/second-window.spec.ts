import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

const CID = 'team:release-4-2'

test('a second window is opened as another user, and both write', async ({ world }) => {
  const { app, screen: ola } = await world.demo()
  await ola.openChannel(CID)
  await ola.workspace('Open a second window as…')
  const person = ola.page.getByRole('dialog').getByRole('button', { name: /^Jonas Lindqvist/ })
  const opened = ola.page.waitForEvent('popup')
  await person.click()
  const jonas = world.watch(await opened)
  expect((await app.nextEvent('window'))['as']).toBe('jonas')
  await jonas.openChannel(CID)
  await jonas.send(CID, 'Hi Ola, this is Jonas')
  await expect(ola.message(CID, 'Hi Ola, this is Jonas')).toBeVisible()
  await ola.send(CID, 'Hi Jonas, I can see you')
  await expect(jonas.message(CID, 'Hi Jonas, I can see you')).toBeVisible()

  await jonas.composer(CID).pressSequentially('I am writ')
  await expect(ola.page.getByText(/Jonas.* is typing/)).toBeVisible()
})

test('a channel is opened in a separate window, and another one beside the open one', LONG, async ({ world }) => {
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
  await app.nextEvent('window')
  await expect(own.page).toHaveTitle(/release-4-2/)
  await expect(own.page.getByRole('navigation')).toHaveCount(0)
  await own.send(CID, 'Written in its own window')
  await expect(ola.message(CID, 'Written in its own window')).toBeVisible()

  await half.getByRole('button', { name: 'Close this side' }).click()
  await expect(half).toHaveCount(0)
})

test(
  'two windows of one user write one draft: what one sends, discards or edits leaves the other',
  LONG,
  async ({ world }) => {
    const { app, screen: one } = await world.demo()
    const two = await world.open(app.ready['url'])
    await one.openChannel(CID)
    await two.openChannel(CID)
    await one.composer(CID).fill('written once')
    await expect(two.composer(CID)).toHaveValue('written once')
    await two.composer(CID).press('End')
    await two.composer(CID).pressSequentially(' and sent once')
    await expect(one.composer(CID)).toHaveValue('written once and sent once')
    await one.composer(CID).press('Enter')
    await expect(two.message(CID, 'written once and sent once')).toBeVisible()
    await expect(two.composer(CID)).toHaveValue('')
    await two.composer(CID).press('Enter')

    await one.composer(CID).press('ArrowUp')
    await expect(one.composer(CID)).toHaveValue('written once and sent once')
    await one.composer(CID).fill('edited in one')
    await expect(two.composer(CID)).toHaveValue('edited in one')
    await one.composer(CID).press('Enter')
    await expect(two.composer(CID)).toHaveValue('')
    await expect(two.message(CID, 'edited in one')).toBeVisible()
    await expect(one.message(CID, 'written once and sent once')).toHaveCount(0)
  },
)

test(
  'the same text sent from two windows within seconds asks first, and is sent twice only when confirmed',
  LONG,
  async ({ world }) => {
    const { app, screen: one } = await world.demo()
    const two = await world.open(app.ready['url'])
    await one.openChannel(CID)
    await two.openChannel(CID)
    await one.send(CID, 'on my way')
    await two.composer(CID).fill('on my way')
    await two.composer(CID).press('Enter')
    const question = two.page.getByRole('alertdialog', { name: 'Send it again?' })
    await expect(question).toContainText('You just sent this from another window. Send it again?')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(two.composer(CID)).toHaveValue('on my way')
    await expect(one.message(CID, 'on my way')).toHaveCount(1)
    await two.composer(CID).press('Enter')
    await question.getByRole('button', { name: 'Send again' }).click()
    await expect(two.composer(CID)).toHaveValue('')
    await expect(one.message(CID, 'on my way')).toHaveCount(2)
  },
)
