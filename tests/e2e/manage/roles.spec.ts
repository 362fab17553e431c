import { brokenIn } from '../kit/axe.ts'
import { openPage } from '../kit/manage.ts'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

const CID = 'team:release-4-2'

test(
  'the owner takes a right away, the other person’s composer says so, and the history names it',
  LONG,
  async ({ world }) => {
    const { app, screen: ola } = await world.demo()
    const { page } = ola
    await ola.openChannel(CID)
    await ola.workspace('Open a second window as…')
    const opened = page.waitForEvent('popup')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Jonas Lindqvist/ })
      .click()
    const jonas = world.watch(await opened)
    await app.nextEvent('window')
    await jonas.openChannel(CID)
    await expect(jonas.composer(CID)).toBeEditable()
    await openPage(page, 'Roles and permissions')
    const cell = page.getByRole('checkbox', { name: /^Send messages, Member/ })

    await test.step('by keyboard: arrows to the cell, Space, and the foot says what would change', async () => {
      await page.getByRole('combobox', { name: 'Channel type' }).selectOption('team')
      await page.getByRole('searchbox', { name: 'Find a permission' }).fill('send-message')
      await expect(cell).toBeChecked()
      await page.getByRole('checkbox', { name: 'Send messages, Visitor' }).focus()
      for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowRight')
      await expect(cell).toBeFocused()
      await page.keyboard.press('Space')
      await expect(cell).not.toBeChecked()
      await expect(page.getByText('Member loses “Send messages”.')).toBeVisible()
      expect(await brokenIn(page, 'main')).toEqual([])
    })

    await test.step('the other person can’t write any more', async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
      await expect(jonas.composer(CID)).toHaveCount(0)
      await expect(jonas.page.getByRole('main').getByText(/^Only moderators can send messages in/)).toBeVisible()
    })

    await test.step('what a person could do says which right is missing', async () => {
      await page.getByRole('button', { name: 'Check a person' }).click()
      for (const [label, text, found] of [
        [/What can this person do/, 'Jonas', /Jonas/],
        [/in this channel/, 'release', /release/],
      ] as const) {
        await page.getByRole('button', { name: label }).click()
        await page.getByRole('combobox', { name: label }).fill(text)
        await page.getByRole('option', { name: found }).first().click()
      }
      await expect(page.getByRole('region', { name: 'What they can’t do' })).toContainText(
        'The permission “Send messages” is missing',
      )
    })

    await test.step('the history names who did it and what', async () => {
      await page.getByRole('link', { name: 'History', exact: true }).click()
      const entry = page
        .getByRole('list', { name: 'Actions' })
        .getByRole('listitem')
        .filter({ hasText: 'team' })
        .first()
      await expect(entry).toContainText('You changed the channel type “team”')
      await expect(entry).toContainText('Member loses “Send messages”')
      expect(await brokenIn(page, 'main')).toEqual([])
    })

    await test.step('given back, the right is there again', async () => {
      await page.getByRole('link', { name: 'Roles and permissions', exact: true }).click()
      await page.getByRole('searchbox', { name: 'Find a permission' }).fill('send-message')
      await cell.click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(jonas.composer(CID)).toBeEditable()
    })
  },
)

test(
  'the owner changes a channel type, commands and limits, and deletes a poll that is not cached',
  LONG,
  async ({ world }) => {
    const { screen: ola } = await world.demo()
    const { page } = ola
    await ola.openChannel(CID)
    await openPage(page, 'Channel types')
    await page.getByRole('combobox', { name: 'Channel type' }).selectOption('team')
    const polls = page.getByRole('switch', { name: 'Polls' })
    await polls.click()
    await expect(polls).not.toBeChecked()
    await polls.click()
    await expect(polls).toBeChecked()
    expect(await brokenIn(page, 'main')).toEqual([])

    await page.getByRole('link', { name: 'Commands', exact: true }).click()
    await page.getByRole('button', { name: 'New command' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('roll')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Roll a die')
    await dialog.getByRole('button', { name: 'Create command' }).click()
    await expect(page.getByRole('row', { name: /roll/ })).toContainText('Roll a die')
    expect(await brokenIn(page, 'main')).toEqual([])

    await page.getByRole('link', { name: 'Uploads and limits', exact: true }).click()
    const files = page.getByRole('region', { name: 'Other files' })
    await files.getByRole('textbox', { name: 'Maximum file size' }).fill('5')
    await files.getByRole('textbox', { name: 'Maximum file size' }).press('Enter')
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Actions' })).toContainText('You changed the settings of the workspace')
    await page.getByRole('link', { name: 'Uploads and limits', exact: true }).click()
    await expect(files.getByRole('textbox', { name: 'Maximum file size' })).toHaveValue('5')
    expect(await brokenIn(page, 'main')).toEqual([])

    await page.getByRole('link', { name: 'Polls', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Polls' })).toBeVisible()
    const rows = page.getByRole('table', { name: 'Polls' }).getByRole('button', { name: /^Actions for/ })
    await expect(rows.first()).toBeVisible()
    const before = await rows.count()
    await rows.first().click()
    await page.getByRole('menuitem', { name: 'Delete poll…' }).click()
    await page.getByRole('button', { name: 'Delete poll', exact: true }).click()
    await expect(rows).toHaveCount(before - 1)
    expect(await brokenIn(page, 'main')).toEqual([])
  },
)
