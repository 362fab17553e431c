import { expect, test } from './kit/world.ts'

const idOf = async (admin: { call(method: string, path: string, body: unknown): Promise<unknown> }, cid: string) => {
  const answer = (await admin.call('POST', `/channels/${cid.replace(':', '/')}/query`, {
    data: { created_by_id: 'alice' },
    state: true,
    messages: { limit: 10 },
  })) as { messages: { id: string; text: string }[] }
  return (text: string): string => answer.messages.find((message) => message.text === text)?.id ?? ''
}

test('a reminder is set by key, rings, is snoozed, found in the list, and completed', async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  await admin.send(cid, 'bob', 'the banner wraps')
  await admin.send(cid, 'bob', 'the store pictures')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)

  await test.step('by key and in natural language', async () => {
    await screen.message(cid, 'the banner wraps').focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Pick date and time…' }).click()
    await page.getByRole('textbox', { name: 'When' }).fill('in 3 days at 9')
    await page.keyboard.press('Enter')
    await expect(
      screen.message(cid, 'the banner wraps').getByRole('button', { name: /^Reminder set for/ }),
    ).toBeVisible()
  })

  await test.step('one stored on the server rings here at its time', async () => {
    const id = (await idOf(admin, cid))('the store pictures')
    const remindAt = new Date(Date.now() + 3_000).toISOString()
    await admin.call('POST', `/messages/${id}/reminders`, { remind_at: remindAt }, 'alice')
    const toast = page.getByRole('group', { name: 'Reminder' })
    await expect(toast).toContainText('Bob in #plans: the store pictures')
    await expect(screen.message(cid, 'the store pictures').getByRole('button', { name: /^Due now/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Later, 1 due' })).toBeVisible()
  })

  await test.step('snoozed from the notice, which closes', async () => {
    await page.getByRole('button', { name: 'Snooze 30 minutes' }).click()
    await expect(page.getByRole('group', { name: 'Reminder' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Later', exact: true })).toBeVisible()
  })

  await test.step('both are in the list; keys complete one and jump to the other', async () => {
    await page.getByRole('link', { name: 'Later', exact: true }).click()
    const rows = page.locator('[data-later]')
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('in 30 min')
    await expect(rows.nth(1)).toContainText('in 3 days')
    await rows
      .first()
      .getByRole('button', { name: /, the store pictures,/ })
      .focus()
    await page.keyboard.press('e')
    await expect(rows).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(screen.message(cid, 'the banner wraps')).toBeVisible()
  })

  await test.step('the completed one is listed under Completed', async () => {
    await page.keyboard.press('Control+Shift+S')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Completed reminders' }).click()
    await expect(page.locator('[data-later]')).toContainText('the store pictures')
  })

  await test.step('a new reminder of something that is not a message becomes a note to self', async () => {
    await page.keyboard.press('Control+Shift+S')
    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByRole('button', { name: 'New reminder' }).click()
    await page.getByRole('textbox', { name: 'Remind me to' }).fill('Call the printer')
    await page.getByRole('textbox', { name: 'When' }).fill('jutro o 9')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.locator('[data-later^="reminder"]').filter({ hasText: 'Call the printer' })).toContainText('9:00')
  })
})
