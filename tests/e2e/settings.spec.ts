import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test(
  'custom keys work at once, are shown everywhere, and are saved with the settings in a file; a PIN locks it all',
  LONG,
  async ({ world }, testInfo) => {
    const { screen } = await world.demo({ acceptDownloads: true })
    const { page } = screen
    await screen.openChannel('team:release-4-2')
    const change = page.getByRole('button', { name: /^Change the shortcut for “Threads”/ })

    await test.step('a key is pressed for an action, and another that types is refused', async () => {
      await page.keyboard.press('Control+,')
      await openPage(page, 'Keyboard')
      await change.click()
      await page.keyboard.press('Alt+q')
      await expect(page.getByText('types characters in many languages')).toBeVisible()
      await page.keyboard.press('Control+g')
      await expect(change).toContainText('G')
    })

    await test.step('it works, the old one does not, and the quick switcher shows it', async () => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+g')
      await expect(page.getByRole('heading', { level: 1, name: 'Threads' })).toBeVisible()
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
      await page.keyboard.type('>Threads')
      await expect(page.getByRole('option', { selected: true })).toContainText('G')
      await page.keyboard.press('Escape')
    })

    const file = testInfo.outputPath('settings.json')
    await test.step('the settings are saved as a file', async () => {
      await page.keyboard.press('Control+,')
      await openPage(page, 'Advanced')
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export…' }).click()
      await (await saving).saveAs(file)
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ settings: { keys: { threads: ['Mod+G'] } } })
    })

    await test.step('everything is reset, and restored from the file, except for what is not valid in it', async () => {
      await page.getByRole('button', { name: 'Reset all' }).click()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
      const broken = (await readFile(file, 'utf8')).replace('"density": "comfortable"', '"density": "tiny"')
      await writeFile(file, broken)
      await page.locator('input[type="file"]').setInputFiles(file)
      await expect(page.getByText(/except 1 that isn’t valid here: density/)).toBeVisible()
      await openPage(page, 'Keyboard')
      await expect(change).toContainText('G')
    })

    await test.step('locked, the window shows only the field for the PIN, after a reload too', async () => {
      await openPage(page, 'Privacy and security')
      await page.getByRole('button', { name: 'Set a PIN…' }).click()
      await page.getByLabel('New PIN', { exact: true }).fill('2468')
      await page.getByLabel('Repeat new PIN').fill('2468')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Lock', exact: true }).click()
      await expect(page.getByLabel('PIN', { exact: true })).toBeFocused()
      await page.reload()
      await expect(page.getByLabel('PIN', { exact: true })).toBeFocused()
      await expect(page.locator('[data-channel-item]')).toHaveCount(0)
      await page.keyboard.type('2468')
      await page.keyboard.press('Enter')
      await expect(page.locator('[data-channel-item]').first()).toBeVisible()
    })
    expect(screen.complaints).toEqual([])
  },
)

test('the speed page counts what was just waited for, and forgets it when asked', async ({ world }) => {
  const team = await world.team('ann', 'bo')
  const [ann, bo] = [await world.client(team.url, 'ann'), await world.client(team.url, 'bo')]
  for (const { screen } of [ann, bo]) await screen.openChannel(team.cid)
  const { page } = ann.screen
  await ann.screen.send(team.cid, 'the map is ready')
  await bo.screen.send(team.cid, 'thank you for the map')
  await expect(ann.screen.message(team.cid, 'thank you')).toBeVisible()
  await page.keyboard.press('Control+Shift+f')
  await page.keyboard.type('map')
  await expect(page.locator('[data-results][data-answered]')).toContainText('thank you')
  await page.keyboard.press('Control+,')
  await openPage(page, 'Advanced')
  const table = page.getByRole('table', { name: 'Speed' })
  for (const name of [/^Send a message/, /^New message/, /^Search/]) {
    await expect(table.getByRole('row', { name })).not.toContainText('Not measured yet')
  }
  await page.getByRole('button', { name: 'Clear measurements' }).click()
  await expect(table.getByText('Not measured yet')).toHaveCount(6)
})
