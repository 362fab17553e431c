import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

test('the owner makes a rule; another person’s words are masked, held back, and returned, and the owner sees it', async ({
  world,
}) => {
  test.setTimeout(150_000)
  const { admin, url, cid } = await world.team('olga', 'bob', 'cleo')
  await admin.call('POST', '/users', { users: { olga: { id: 'olga', name: 'Olga', role: 'admin' } } })
  const { screen: bob } = await world.client(url, 'bob')
  const { screen: cleo } = await world.client(url, 'cleo')
  await bob.openChannel(cid)
  await cleo.openChannel(cid)
  const rule = async (action: string, words: string) =>
    admin.call('POST', '/api/v2/moderation/moderation_rule', {
      id: action,
      name: `No ${words}`,
      action,
      conditions: [{ kind: 'words', words: [words] }],
      sender_text: 'Ask a moderator.',
    })
  await rule('mask', 'half price')
  await rule('block', 'casino')
  await rule('bounce', 'lottery')

  await test.step('masked for everyone', async () => {
    await bob.composer(cid).fill('GPS at half price')
    await bob.composer(cid).press('Enter')
    await expect(cleo.message(cid, 'GPS at •••• •••••')).toBeVisible()
    await expect(bob.message(cid, 'GPS at •••• •••••')).toBeVisible()
  })

  await test.step('held back: the author is told by which rule, others see nothing', async () => {
    await bob.send(cid, 'come to the casino')
    await expect(bob.message(cid, 'casino')).toContainText('No casino')
    await expect(bob.message(cid, 'casino')).toContainText('Ask a moderator.')
    await bob.send(cid, 'and a last word')
    await expect(cleo.message(cid, 'and a last word')).toBeVisible()
    await expect(cleo.message(cid, 'casino')).toHaveCount(0)
  })

  await test.step('returned: the text stays with its author, with the rule', async () => {
    await bob.composer(cid).fill('win the lottery')
    await bob.composer(cid).press('Enter')
    const back = bob.message(cid, 'win the lottery')
    await expect(back).toContainText('No lottery')
    await expect(cleo.message(cid, 'lottery')).toHaveCount(0)
  })

  await test.step('a moderator sees what is hidden from others, marked', async () => {
    const { screen: olga } = await world.client(url, 'olga')
    await olga.openChannel(cid)
    await expect(olga.message(cid, 'casino')).toContainText('Hidden until a moderator approves it')
  })
})

test(
  'the owner of a local workspace makes a rule, tries it on a text and on history, and bans with undo',
  LONG,
  async ({ world }) => {
    const { screen } = await world.demo()
    const { page } = screen
    await expect(page.locator('[data-message-list][data-settled="1"]')).toBeVisible()
    await page.keyboard.press('Control+K')
    await page.keyboard.type('>Manage')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Rules' }).click()
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Maps')
    await page.getByRole('textbox', { name: 'Text contains' }).fill('map*')
    await page.getByRole('textbox', { name: 'Try on a text' }).fill('New maps today')
    await expect(page.getByRole('region', { name: 'Test' })).toContainText('Rule 1, “Maps”')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await expect(page.getByRole('switch', { name: 'Maps' })).toBeVisible()
    await page.getByRole('button', { name: 'Start' }).click()
    await expect(page.getByText(/[1-9]\d* messages would have been caught/).first()).toBeVisible()

    await page.getByRole('link', { name: 'Bans and mutes' }).click()
    await page.getByRole('button', { name: 'Ban someone…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Who' }).fill('Marcus')
    await dialog.getByRole('option', { name: /Marcus/ }).click()
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Links to a shop')
    await dialog.getByRole('button', { name: /^Ban Marcus/ }).click()
    await expect(page.getByRole('table')).toContainText('Links to a shop')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('No one is banned')).toBeVisible()
    expect(screen.complaints).toEqual([])
  },
)
