import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

/** A reason that would turn the text around it and look like markup. */
const REASON = 'Links \u202Eto <b>a shop</b>'

test(
  'an administrator’s morning: a person is found, promoted, banned for a day and unbanned, and the history says so',
  LONG,
  async ({ world }) => {
    test.setTimeout(240_000)
    const { screen: ola } = await world.demo()
    const { page } = ola
    await ola.openChannel('team:release-4-2')
    await page.getByRole('link', { name: /^Manage/ }).click()
    const navigation = page.getByRole('navigation', { name: 'Manage' })
    const panel = page.getByRole('region', { name: 'Person' })
    const find = page.getByRole('searchbox', { name: 'Find a person' })
    const row = page.getByRole('row', { name: /Hana Mori/ })

    await test.step('by keyboard: the search, the row, Enter, and the role of the person', async () => {
      await navigation.getByRole('link', { name: 'Directory' }).focus()
      await page.keyboard.press('Enter')
      await find.focus()
      await page.keyboard.type('hana')
      await expect(page.getByText('1 person')).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await expect(row).toBeFocused()
      await page.keyboard.press('Enter')
      await panel.getByRole('combobox', { name: 'Role' }).selectOption('moderator')
      await expect(row).toContainText('Moderator')
    })

    await test.step('a ban for a day, with its reason', async () => {
      await navigation.getByRole('link', { name: 'Bans and mutes' }).click()
      await page.getByRole('button', { name: 'Ban someone…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Ban someone' })
      await dialog.getByRole('combobox', { name: 'Who' }).fill('Hana')
      await expect(dialog.getByRole('option', { name: 'Hana Mori' })).toBeVisible()
      await page.keyboard.press('Enter')
      await dialog.getByRole('radio', { name: '1 day' }).click()
      await dialog.getByRole('textbox', { name: /^Reason/ }).fill(REASON)
      await dialog.getByRole('button', { name: /^Ban/ }).click()
      const ban = page.getByRole('row', { name: /Hana Mori/ })
      await expect(ban).toContainText('a shop')
      await expect(ban).toContainText('Everywhere')
      await expect(ban).toContainText('Ola Wiśniewska')
    })

    await test.step('unbanned, it is among the ended ones, with who ended it', async () => {
      await page.getByRole('button', { name: 'Unban Hana Mori' }).click()
      await expect(page.getByText('No one is banned')).toBeVisible()
      await page.getByRole('button', { name: 'Ended' }).click()
      await expect(page.getByRole('row', { name: /Hana Mori/ })).toContainText('Unbanned by Ola Wiśniewska')
      await page.getByRole('searchbox', { name: 'Find a person or reason' }).fill('shop')
      await expect(page.getByRole('row', { name: /Hana Mori/ })).toBeVisible()
      await page.getByRole('searchbox', { name: 'Find a person or reason' }).fill('nothing like it')
      await expect(page.getByText('No bans match')).toBeVisible()
    })

    await test.step('the history of the person has it all, and back is their row in the same search', async () => {
      await navigation.getByRole('link', { name: 'Directory' }).click()
      await find.fill('hana')
      await row.click()
      await panel.getByRole('button', { name: 'History of actions' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible()
      const entries = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ has: page.getByRole('button') })
      await expect(entries).toHaveCount(3)
      await expect(entries.nth(0)).toContainText('unbanned')
      await expect(entries.nth(1)).toContainText('banned')
      await expect(entries.nth(2)).toContainText('Moderator')
      await page.keyboard.press('Alt+ArrowLeft')
      await expect(panel).toContainText('Hana Mori')
      await expect(find).toHaveValue('hana')
      await expect(row).toBeFocused()
    })

    await test.step('what the person may do in a channel, and what they wrote', async () => {
      await panel.getByRole('button', { name: /^Effective permissions/ }).click()
      await expect(page.getByRole('region', { name: 'Effective permissions' })).toContainText('Hana Mori')
      await page.keyboard.press('Alt+ArrowLeft')
      await panel.getByRole('button', { name: 'Messages', exact: true }).click()
      await expect(page.locator('[data-hit]').first()).toContainText('Hana Mori')
      await page.keyboard.press('Alt+ArrowLeft')
      await expect(row).toBeFocused()
    })
    expect(ola.complaints).toEqual([])
  },
)
