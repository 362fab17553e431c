import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test('a reply in a thread, a reaction, a quote, an edit and a deletion reach the other user', async ({ world }) => {
  const { url, cid } = await world.team('alice', 'bob')
  const { screen: alice } = await world.client(url, 'alice')
  const { screen: bob } = await world.client(url, 'bob')
  await alice.openChannel(cid)
  await bob.openChannel(cid)
  await alice.send(cid, 'Shall we ship on Friday?')
  const question = bob.message(cid, 'Shall we ship on Friday?')
  await expect(question).toBeVisible()

  await test.step('thread', async () => {
    await bob.act(question, 'Reply in thread')
    const id = (await question.getAttribute('data-message-id')) ?? ''
    const thread = `${cid}/${id}`
    await expect(bob.composer(thread)).toBeVisible()
    await bob.send(thread, 'Friday is fine')
    const summary = alice.message(cid, 'Shall we ship').getByRole('button', { name: /^Open thread, 1 reply/ })
    await summary.click()
    await expect(alice.message(thread, 'Friday is fine')).toBeVisible()
    await alice.page.getByRole('button', { name: 'Close thread' }).click()
    await bob.page.getByRole('button', { name: 'Close thread' }).click()
  })

  await test.step('reaction', async () => {
    await question.hover()
    await question
      .getByRole('button', { name: /^React with/ })
      .first()
      .click()
    const chip = alice.message(cid, 'Shall we ship').getByRole('button', { name: /, 1$/ })
    await expect(chip).toBeVisible()
    await chip.click()
    await expect(question.getByRole('button', { name: /, 2, including you$/ })).toBeVisible()
  })

  await test.step('quote', async () => {
    await bob.act(question, 'Quote and reply')
    await expect(bob.page.getByText('Replying to Alice: Shall we ship on Friday?')).toBeVisible()
    await bob.send(cid, 'This is what I answer')
    const answer = alice.message(cid, 'This is what I answer')
    await expect(answer.getByRole('button', { name: /^Go to the quoted message\. Alice: Shall we/ })).toBeVisible()
  })

  await test.step('edit', async () => {
    await alice.composer(cid).press('ArrowUp')
    await expect(alice.composer(cid)).toHaveValue('Shall we ship on Friday?')
    await alice.composer(cid).fill('Shall we ship on Monday?')
    await alice.composer(cid).press('Enter')
    await expect(bob.message(cid, 'Shall we ship on Monday?').first()).toContainText('(edited)')
  })

  await test.step('delete', async () => {
    await bob.act(bob.message(cid, 'This is what I answer'), 'Delete message…')
    await expect(bob.page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await bob.page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click()
    await expect(bob.list(cid).getByRole('button', { name: 'Undo' })).toBeVisible()
    // Held back for eight seconds, in which it could be undone.
    await expect(alice.list(cid).getByText('This message was deleted')).toBeVisible({ timeout: 20_000 })
    await expect(alice.message(cid, 'This is what I answer')).toBeHidden()
  })
})

test('marked unread from a message on, a channel stays unread until it is opened again', LONG, async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  const other = await admin.channel('lunch', ['alice', 'bob'])
  for (const text of ['first', 'second', 'third']) await admin.send(cid, 'bob', text)
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  await expect(screen.row(cid)).not.toHaveAccessibleName(/unread/)
  await screen.act(screen.message(cid, 'second'), 'Mark unread from here')
  await expect(page.getByRole('separator', { name: '2 new messages' })).toBeVisible()
  await screen.openChannel(other)
  await expect(screen.row(cid)).toHaveAccessibleName(/2 unread/)
  await screen.openChannel(cid)
  await expect(screen.row(cid)).not.toHaveAccessibleName(/unread/)
})
