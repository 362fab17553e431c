import { expect, test } from './kit/world.ts'

test('text is pasted with its formatting, unsent before it leaves, and scheduled', async ({ world }) => {
  const { url, cid } = await world.team('alice', 'bob')
  const { screen: alice } = await world.client(url, 'alice')
  await alice.openChannel(cid)
  const { page } = alice
  const field = alice.composer(cid)
  const paste = (types: Readonly<Record<string, string>>) =>
    field.evaluate((element, given) => {
      const data = new DataTransfer()
      for (const [type, text] of Object.entries(given)) data.setData(type, text)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, types)

  await test.step('paste: formatting becomes Markdown, one undo leaves the plain text', async () => {
    await field.focus()
    await paste({ 'text/plain': 'Ship it', 'text/html': '<b>Ship</b> <a href="https://example.org/">it</a>' })
    await expect(field).toHaveValue('**Ship** [it](https://example.org/)')
    await page.keyboard.press('Control+Shift+P')
    await expect(page.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('Ship')
    await page.keyboard.press('Control+Shift+P')
    await page.keyboard.press('Control+Z')
    await expect(field).toHaveValue('Ship it')
  })

  await test.step('send later: listed with the drafts until it is sent now', async () => {
    await field.press('Control+Shift+Enter')
    await page.getByRole('menuitem', { name: /^Send tomorrow/ }).click()
    await expect(field).toHaveValue('')
    await expect(alice.message(cid, 'Ship it')).toHaveCount(0)
    await page.getByRole('link', { name: /^Later/ }).click()
    const row = page.locator('[data-later]').filter({ hasText: 'Ship it' })
    await expect(row).toContainText('scheduled')
    await row.hover()
    await row.getByRole('button', { name: 'Send now' }).click()
    await expect(row).toHaveCount(0)
    await alice.openChannel(cid)
    await expect(alice.message(cid, 'Ship it')).toBeVisible()
  })

  await test.step('undo: a deletion is undone on its row', async () => {
    await alice.act(alice.message(cid, 'Ship it'), 'Delete message…')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click()
    await alice.list(cid).getByRole('button', { name: 'Undo' }).click()
    await expect(alice.message(cid, 'Ship it')).toBeVisible()
  })

  await test.step('a command is chosen from the list, and its response is visible to its author alone', async () => {
    await field.pressSequentially('/mu')
    await page.getByRole('option', { name: /^\/mute/ }).click()
    await field.pressSequentially('@Bob ')
    await field.press('Enter')
    await expect(alice.message(cid, 'Bob has been muted')).toContainText('Only you can see this')
  })

  await test.step('overwritten text is restored from the history', async () => {
    await field.fill('The first plan, in full')
    await page.getByRole('link', { name: /^Later/ }).click()
    await page
      .locator('[data-later]')
      .getByRole('button', { name: /The first plan/ })
      .click()
    await field.fill('Something else entirely')
    await page.getByRole('link', { name: /^Later/ }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Draft history' }).click()
    await page.getByRole('button', { name: /The first plan, in full/ }).click()
    await expect(field).toHaveValue('The first plan, in full')
  })

  await test.step('undo send: the text returns to the field with Ctrl+Z', async () => {
    await page.keyboard.press('Control+,')
    await page.getByRole('navigation').getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByRole('radio', { name: '10 s' }).click()
    await page.keyboard.press('Escape')
    await alice.openChannel(cid)
    await field.fill('Too early')
    await field.press('Enter')
    await expect(alice.message(cid, 'Too early')).toContainText('Sends in a few seconds.')
    await field.press('Control+Z')
    await expect(field).toHaveValue('Too early')
    await expect(alice.message(cid, 'Too early')).toHaveCount(0)
  })
  expect(alice.complaints).toEqual([])
})
