import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** A key is derived on purpose slowly. */
const SLOW = { timeout: 60_000 }

async function chooseFile(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Open…' }).click()
  await page.getByRole('dialog').locator('input[type="file"]').setInputFiles(path)
}

test(
  'custom keys work at once, are shown everywhere, and are saved with the settings in a file; a PIN locks it all',
  LONG,
  async ({ world }, testInfo) => {
    const { screen, data } = await world.demo()
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

    const PASSPHRASE = 'correct horse battery staple'
    await test.step('the settings are saved in a file', async () => {
      await page.keyboard.press('Control+,')
      await openPage(page, 'App and system')
      await page.getByRole('button', { name: 'Save…' }).click()
      await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
      await page.getByLabel('Repeat passphrase').fill(PASSPHRASE)
      await page.keyboard.press('Enter')
      await expect(page.getByText(/^Saved as “parlor-ola-/)).toBeVisible(SLOW)
      await page.keyboard.press('Escape')
    })

    await test.step('everything is reset, and restored from the file', async () => {
      await openPage(page, 'Advanced')
      await page.getByRole('button', { name: 'Reset all' }).click()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
      await openPage(page, 'App and system')
      const name = (await readdir(data)).find((each) => each.endsWith('.parlor')) ?? ''
      await chooseFile(page, join(data, name))
      await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
      await page.keyboard.press('Enter')
      await page.getByRole('switch', { name: 'Use the settings from the file' }).click(SLOW)
      await page.getByRole('button', { name: 'Add to this account' }).click()
      await expect(page.getByText('The file was added to this account.')).toBeVisible()
      await page.keyboard.press('Escape')
      await openPage(page, 'Keyboard')
      await expect(change).toContainText('G')
    })

    await test.step('of a settings file of an older version, everything is imported but what is not valid', async () => {
      const old = testInfo.outputPath('settings.json')
      await writeFile(old, '{"kind":"parlor-settings","version":1,"settings":{"density":"tiny"}}')
      await openPage(page, 'App and system')
      await chooseFile(page, old)
      await expect(page.getByText(/except 1 that isn’t valid here: density/)).toBeVisible()
      await page.keyboard.press('Escape')
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

/** Switches whose name or description is not part of what a press on them toggles. */
const deaf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role="switch"]')].flatMap((control) =>
      ['aria-labelledby', 'aria-describedby'].flatMap((attribute) => {
        const text = document.getElementById(control.getAttribute(attribute) ?? '')
        if (text === null || !text.checkVisibility()) return []
        text.scrollIntoView({ block: 'center' })
        const { left, top, height } = text.getBoundingClientRect()
        return document.elementFromPoint(left + 4, top + height / 2) === control ? [] : [text.textContent]
      }),
    ),
  )

test('the name and the description of a switch are part of it: a press on them toggles it', LONG, async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const cid = 'team:release-4-2'
  await screen.openChannel(cid)

  await test.step('on each page of the settings', async () => {
    await page.keyboard.press('Control+,')
    const pages = page.locator('[data-region="sidebar"]').getByRole('link')
    await expect(pages).toHaveCount(11)
    let switches = 0
    for (const link of await pages.all()) {
      await link.click()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      for (const more of await page.locator('main details:not([open]) > summary').all()) await more.click()
      switches += await page.getByRole('switch').count()
      expect(await deaf(page)).toEqual([])
    }
    expect(switches).toBeGreaterThan(15)
    await page.keyboard.press('Escape')
  })

  await test.step('in the settings of a channel, its digest included', async () => {
    await screen.openChannel(cid)
    await page.keyboard.press('Control+Shift+i')
    const panel = page.locator('[data-region="panel"]')
    await panel.getByRole('button', { name: /^Channel settings/ }).click()
    await expect(page.getByRole('switch').first()).toBeVisible()
    expect(await deaf(page)).toEqual([])
  })

  await test.step('in a dialog', async () => {
    await screen.openChannel(cid)
    await page.getByRole('button', { name: 'Add files and more' }).first().click()
    await page.getByRole('menuitem', { name: 'Create a poll' }).click()
    const named = page.getByRole('switch', { name: 'Hide who voted' })
    await expect(page.getByRole('switch').first()).toBeVisible()
    expect(await deaf(page)).toEqual([])
    const before = await named.getAttribute('aria-checked')
    await page.getByText('Hide who voted', { exact: true }).click({ force: true })
    await expect(named).toHaveAttribute('aria-checked', before === 'true' ? 'false' : 'true')
  })
})

test('the speed page counts what was just waited for, and forgets it when asked', async ({ world }) => {
  const team = await world.team('ann', 'bo')
  const [ann, bo] = [await world.client(team.url, 'ann'), await world.client(team.url, 'bo')]
  for (const { screen } of [ann, bo]) await screen.openChannel(team.cid)
  const { page } = ann.screen
  await ann.screen.send(team.cid, 'the map is ready')
  await bo.screen.send(team.cid, 'thank you for the map')
  await expect(ann.screen.message(team.cid, 'thank you')).toBeVisible()
  // The measurement ends with the frame, and is given up by whoever leaves the place before.
  const measured = (kind: string) =>
    expect.poll(() => page.evaluate(() => localStorage.getItem('parlor.speed'))).toContain(`"${kind}"`)
  await measured('arrive')
  await page.keyboard.press('Control+Shift+f')
  await page.keyboard.type('map')
  await expect(page.locator('[data-results][data-answered]')).toContainText('thank you')
  await measured('search')
  await page.keyboard.press('Control+,')
  await openPage(page, 'Advanced')
  const table = page.getByRole('table', { name: 'Speed' })
  for (const name of [/^Send a message/, /^New message/, /^Search/]) {
    await expect(table.getByRole('row', { name })).not.toContainText('Not measured yet')
  }
  await page.getByRole('button', { name: 'Clear measurements' }).click()
  await expect(table.getByText('Not measured yet')).toHaveCount(6)
})
