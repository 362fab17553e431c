import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LONG } from '#kit/parts.ts'
import { brokenIn } from '../kit/axe.ts'
import { expect, test } from '../kit/world.ts'

test(
  'a channel is exported by keyboard as a page that reads without a connection',
  LONG,
  async ({ world, browser }) => {
    const { url, cid, admin } = await world.team('alice', 'bob')
    await admin.send(cid, 'bob', '**bold** <script>document.title = "run"</script>')
    const { screen, data } = await world.client(url, 'alice')
    const { page } = screen
    await screen.openChannel(cid)
    await screen.row(cid).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Export “/ })
    await expect(dialog.getByText('1 message on this device.')).toBeVisible()
    expect(await brokenIn(page, 'dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Export' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText(/^1 message was saved as “parlor-.*\.html”/)).toBeVisible()
    const saved = readdirSync(data).filter((name) => /^parlor-.*\.html/.test(name))
    expect(saved).toHaveLength(1)

    const offline = await browser.newContext({ offline: true })
    const read = await offline.newPage()
    await read.goto(pathToFileURL(join(data, saved[0] ?? '')).href)
    await expect(read.locator('strong')).toHaveText('bold')
    await expect(read.getByText('<script>document.title = "run"</script>')).toBeVisible()
    expect(await read.title()).not.toBe('run')
    await offline.close()
  },
)
