import type { Page } from '@playwright/test'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

const CID = 'team:release-4-2'

/** Which part of the window has the focus. */
const region = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'])

test('everything is reached without a pointer: regions, channels, rows, their actions, and back', async ({ world }) => {
  const { screen } = await world.demo()
  const { page } = screen
  const { keyboard } = page
  await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')

  await test.step('F6 walks the regions and comes back', async () => {
    await screen.composer(CID).focus()
    const seen: (string | undefined)[] = []
    for (let press = 0; press < 5; press++) {
      await keyboard.press('F6')
      seen.push(await region(page))
    }
    expect(seen).toEqual(['sidebar', 'header', 'demo', 'messages', 'composer'])
    await keyboard.press('Shift+F6')
    expect(await region(page)).toBe('messages')
  })

  await test.step('Alt with arrows goes to the neighbors', async () => {
    await keyboard.press('Alt+ArrowDown')
    await expect(screen.row('messaging:leads')).toHaveAttribute('aria-current', 'page')
    await keyboard.press('Alt+ArrowUp')
    await expect(screen.row(CID)).toHaveAttribute('aria-current', 'page')
    await keyboard.press('Alt+Shift+ArrowDown')
    await expect(screen.row(CID)).not.toHaveAttribute('aria-current', 'page')
    await keyboard.press('Alt+ArrowLeft')
    await expect(screen.row(CID)).toHaveAttribute('aria-current', 'page')
  })

  await test.step('Ctrl+K finds a channel by a few letters', async () => {
    await keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
    await keyboard.type('random')
    await expect(page.getByRole('option', { selected: true })).toContainText('random')
    await keyboard.press('Enter')
    await expect(screen.row('team:random')).toHaveAttribute('aria-current', 'page')
    await keyboard.press('Control+k')
    await keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await keyboard.press('Alt+ArrowLeft')
  })

  await test.step('arrows walk the rows, single letters act on the focused one', async () => {
    await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')
    await screen.send(CID, 'A line to act on')
    const row = screen.message(CID, 'A line to act on')
    await expect(row).toContainText('A line to act on')
    await keyboard.press('Shift+F6')
    await keyboard.press('End')
    await expect(row).toBeFocused()
    await keyboard.press('ArrowUp')
    await expect(row).not.toBeFocused()
    await keyboard.press('ArrowDown')
    await expect(row).toBeFocused()
    await keyboard.press('q')
    await expect(page.getByText('Replying to Ola Wiśniewska: A line to act on')).toBeVisible()
    await expect(screen.composer(CID)).toBeFocused()
    await keyboard.press('Escape')
    await expect(page.getByText('Replying to Ola Wiśniewska: A line to act on')).toBeHidden()
    await keyboard.press('Shift+F6')
    await keyboard.press('End')
    await keyboard.press('e')
    await expect(screen.composer(CID)).toHaveValue('A line to act on')
    await keyboard.press('Escape')
    await expect(screen.composer(CID)).toHaveValue('')
    await keyboard.press('Shift+F6')
    await keyboard.press('End')
    await keyboard.press('t')
    await expect(page.getByRole('heading', { name: 'Thread' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Reply…' })).toBeFocused()
  })

  await test.step('Escape goes back step by step, and a letter goes to the field', async () => {
    await keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Thread' })).toBeHidden()
    await expect(screen.message(CID, 'A line to act on')).toBeFocused()
    await keyboard.press('Escape')
    await expect(screen.composer(CID)).toBeFocused()
    await keyboard.press('Shift+F6')
    await keyboard.press('End')
    await keyboard.press('z')
    await expect(screen.composer(CID)).toBeFocused()
    await expect(screen.composer(CID)).toHaveValue('z')
  })
})

test('a message is deleted by key after a question, and the focus stays in the list', LONG, async ({ world }) => {
  const { screen } = await world.demo()
  const { page } = screen
  await screen.openChannel(CID)
  await screen.send(CID, 'A line to take away')
  const row = screen.message(CID, 'A line to take away')
  // One that is still on its way is discarded without a question.
  await screen.sent(CID, 'A line to take away')
  await page.keyboard.press('Shift+F6')
  await page.keyboard.press('End')
  await expect(row).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(row).toBeHidden()
  await expect.poll(() => region(page)).toBe('messages')
})
