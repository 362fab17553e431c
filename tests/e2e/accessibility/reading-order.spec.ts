import type { Page } from '@playwright/test'
import { readingOrder } from '../kit/reading-order.ts'
import { expect, test } from '../kit/world.ts'

/**
 * What Chromium gives to a screen reader on the main screens, in the order in which it is met; no screen reader runs here.
 * After a change that is meant, `--update-snapshots` writes the files anew: read what changed.
 */
async function reads(page: Page, name: string): Promise<void> {
  await expect(async () => {
    const lines = await readingOrder(page)
    expect(
      lines.filter((line) => NAMELESS.test(line)),
      `${name}: controls without a name`,
    ).toEqual([])
    // A modal is alone on the page, under the heading of its own.
    const starts = lines.filter((line) => /^ *(?:heading .*\[.*level 1|dialog .*\[.*modal)/.test(line))
    expect(starts, `${name}: its first heading`).toHaveLength(1)
    expect(`${lines.join('\n')}\n`).toMatchSnapshot(`${name}.txt`)
  }).toPass({ timeout: 20_000 })
}

const NAMELESS =
  /^ *(?:button|link|textbox|searchbox|combobox|checkbox|radio|switch|slider|tab|option|menuitem)(?: \[|$)/

test('a screen reader meets the parts of each main screen in the order of the page, each with a name', async ({
  world,
}) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  await admin.send(cid, 'bob', 'Where do we meet?')
  await admin.send(cid, 'alice', 'At the **north gate**, see https://cairn.example/gate')
  await admin.send(cid, 'bob', 'Fine, I bring the ropes')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  await expect(screen.row(cid)).toHaveAccessibleName('plans')
  await screen.message(cid, 'north gate').focus()
  await page.keyboard.press('p')
  await expect(screen.message(cid, 'north gate').getByText('Pinned by Alice')).toBeVisible()
  await screen.composer(cid).focus()
  await reads(page, 'channel')

  await screen.message(cid, 'Where do we meet?').focus()
  await page.keyboard.press('t')
  await expect(page.getByRole('button', { name: 'Close thread' })).toBeVisible()
  await reads(page, 'thread')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Details', exact: true }).click()
  await expect(page.getByRole('complementary').getByText('Visibility')).toBeVisible()
  await reads(page, 'details')
  await page.getByRole('button', { name: 'Details', exact: true }).click()

  for (const [place, name] of [
    ['Catch up', 'catch-up'],
    ['Threads', 'threads'],
    ['Later', 'later'],
    ['Browse channels', 'browse'],
  ] as const) {
    await page.getByRole('link', { name: new RegExp(`^${place}`) }).click()
    await expect(page.getByRole('main')).toBeVisible()
    await reads(page, name)
  }

  await page.keyboard.press('Control+Shift+F')
  await page.keyboard.type('gate')
  await expect(page.locator('[data-hit]')).toHaveCount(1)
  await expect(page.getByText('Searching…')).toHaveCount(0)
  await reads(page, 'search')
  await page.keyboard.press('Escape')

  await screen.openChannel(cid)
  await page.keyboard.press('Control+,')
  await page.getByRole('navigation').getByRole('link', { name: 'Accessibility' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Accessibility' })).toBeVisible()
  await reads(page, 'settings')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'New channel' }).click()
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
  await reads(page, 'new-channel')
})

test('a screen reader meets the question, the doors and the language of the start page in their order', async ({
  world,
}) => {
  const app = await world.app(world.folder('fresh'))
  const { page } = await world.open(app.ready['url'])
  await expect(page.getByLabel('Your name')).toBeVisible()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await reads(page, 'start')
})
