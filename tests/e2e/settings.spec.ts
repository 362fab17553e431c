import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './world.ts'

async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test('keys of one’s own work at once, are told everywhere, and go with the settings as a file', async ({
  world,
}, testInfo) => {
  const { screen } = await world.demo({ acceptDownloads: true })
  const { page } = screen
  await screen.openChannel('team:release-4-2')
  const change = page.getByRole('button', { name: /^Change the keys of “Threads”/ })

  await test.step('a key is pressed for an action, and another that types is refused', async () => {
    await page.keyboard.press('Control+,')
    await openPage(page, 'Keyboard')
    await change.click()
    await page.keyboard.press('Alt+q')
    await expect(page.getByText('types letters in many languages')).toBeVisible()
    await page.keyboard.press('Control+g')
    await expect(change).toContainText('G')
  })

  await test.step('it works, the old one does not, and the quick switcher tells it', async () => {
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

  await test.step('all is reset, and comes back from the file, but for what is not valid in it', async () => {
    await page.getByRole('button', { name: 'Reset all' }).click()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    const broken = (await readFile(file, 'utf8')).replace('"density": "comfortable"', '"density": "tiny"')
    await writeFile(file, broken)
    await page.locator('input[type="file"]').setInputFiles(file)
    await expect(page.getByText(/but for 1 setting that is not valid here: density/)).toBeVisible()
    await openPage(page, 'Keyboard')
    await expect(change).toContainText('G')
  })
  expect(screen.complaints).toEqual([])
})
