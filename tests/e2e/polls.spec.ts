import { brokenIn } from './kit/axe.ts'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test('a poll is created, voted in by two users, answered, and closed', LONG, async ({ world }) => {
  const { url, cid } = await world.team('alice', 'bob')
  const alice = (await world.client(url, 'alice')).screen
  const bob = (await world.client(url, 'bob')).screen
  for (const screen of [alice, bob]) await screen.openChannel(cid)

  await test.step('created by keyboard from a pasted list, with each validation error on the way', async () => {
    const { page } = alice
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Create a poll' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a poll' })
    await dialog.getByRole('textbox', { name: 'Add an option' }).fill('Soup')
    await expect(dialog.getByText('Question is required')).toBeVisible()
    expect(await brokenIn(page, 'dialog')).toEqual([])
    await dialog.getByRole('textbox', { name: 'Question' }).fill('Lunch?')
    await dialog.getByRole('textbox', { name: 'Add an option' }).fill('Cake')
    await page.keyboard.press('Alt+ArrowUp')
    await dialog.getByRole('switch', { name: 'Let people add comments' }).click()
    await dialog.getByRole('button', { name: 'Create poll' }).click()
    await expect(dialog).toBeHidden()
  })

  const card = (screen: typeof alice) => screen.page.getByRole('group', { name: 'Poll: Lunch?' })
  await test.step('the moved option comes first for everyone; the open poll waits for a vote', async () => {
    await expect(card(bob).getByRole('radio').first()).toHaveAccessibleName(/^Cake, 0 votes/)
    await bob.page.keyboard.press('Control+k')
    await expect(bob.page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await bob.page.keyboard.type('>polls')
    await bob.page.getByRole('option', { name: /^Polls/ }).click()
    await bob.page.getByRole('button', { name: /^Lunch\?/ }).click()
    await card(bob).getByRole('radio', { name: /^Soup/ }).click()
    await expect(card(alice).getByRole('radio', { name: 'Soup, 1 vote, 100%' })).toBeVisible()
  })

  await test.step('a comment and the voters reach the other user', async () => {
    await card(bob).getByRole('button', { name: 'Add a comment' }).click()
    await bob.page.getByRole('textbox', { name: 'Your comment' }).fill('Something warm')
    await bob.page.keyboard.press('Enter')
    await card(alice).getByRole('button', { name: '1 comment' }).click()
    await expect(alice.page.getByRole('dialog', { name: 'Comments' })).toContainText('Something warm')
    await alice.page.keyboard.press('Escape')
    await card(alice).getByRole('button', { name: 'View results' }).click()
    const results = alice.page.getByRole('dialog', { name: 'Poll results' })
    await results.getByRole('button', { name: /^Soup/ }).click()
    await expect(results.getByRole('list', { name: 'Voted for Soup' })).toContainText('now')
    await alice.page.keyboard.press('Escape')
  })

  await test.step('closed permanently', async () => {
    await card(alice).getByRole('button', { name: 'Close poll' }).click()
    await alice.page.getByRole('alertdialog').getByRole('button', { name: 'Close poll' }).click()
    await expect(card(bob)).toContainText('Closed by Alice')
    await expect(card(bob).getByRole('radio')).toHaveCount(0)
  })
})
