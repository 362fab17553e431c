import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

const PICTURE = fileURLToPath(new URL('../../resources/demo/landscape-dawn.png', import.meta.url))

test('a picture is attached, sent with text, and seen by the other user', async ({ world }) => {
  const { url, cid } = await world.team('alice', 'bob')
  const { screen: alice } = await world.client(url, 'alice')
  const { screen: bob } = await world.client(url, 'bob')
  await alice.openChannel(cid)
  await bob.openChannel(cid)
  await alice.page.locator('[data-file-field]').setInputFiles(PICTURE)
  const tray = alice.page.getByRole('list', { name: 'Attachments' })
  await expect(tray.getByRole('listitem')).toContainText('landscape-dawn.png')
  await alice.composer(cid).fill('This morning')
  await expect(alice.page.locator('[data-send="ready"]')).toBeVisible()
  await alice.composer(cid).press('Enter')
  await expect(tray).toBeHidden()
  for (const screen of [alice, bob]) {
    const picture = screen
      .message(cid, 'This morning')
      .getByRole('button', { name: /landscape-dawn/ })
      .locator('img')
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  }
})

test('a file is removed from the tray, and pasting one adds it again', LONG, async ({ world }) => {
  const { url, cid } = await world.team('alice')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  const tray = page.getByRole('list', { name: 'Attachments' })
  await page.locator('[data-file-field]').setInputFiles(PICTURE)
  await tray.getByRole('button', { name: 'Remove landscape-dawn.png' }).click()
  await expect(tray).toBeHidden()
  const bytes = [...readFileSync(PICTURE)]
  await screen.composer(cid).evaluate((field, content) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(content)], 'pasted.png', { type: 'image/png' }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, bytes)
  await expect(tray.getByRole('listitem')).toHaveCount(1)
})

test(
  'a file of a type that the server refuses is blocked with its reason, and does not block the text',
  LONG,
  async ({ world }) => {
    const { url, cid, admin } = await world.pickyTeam('alice')
    const { screen } = await world.client(url, 'alice')
    const { page } = screen
    await screen.openChannel(cid)
    await page
      .locator('[data-file-field]')
      .setInputFiles({ name: 'setup.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
    const tray = page.getByRole('list', { name: 'Attachments' })
    await expect(tray.getByRole('listitem')).toContainText('.exe files aren’t allowed here')
    await tray.getByRole('button', { name: 'Remove setup.exe' }).click()
    await screen.send(cid, 'Without the file then')
    await expect.poll(() => admin.texts(cid)).toEqual(['Without the file then'])
  },
)
