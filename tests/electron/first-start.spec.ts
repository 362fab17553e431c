import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator } from '@playwright/test'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings } from '#main/settings/store.ts'
import { aPdf } from '../e2e/kit/sample-documents.ts'
import { addNewerJavaScript } from './kit/newer-javascript.ts'
import { CID, expect, Parlor, test } from './kit/parlor.ts'

const picture = readFileSync(fileURLToPath(new URL('../../resources/demo/landscape-dawn.png', import.meta.url)))

test('a first start shows the demo; a message with files is sent, another one received, and both are there after a restart', async ({
  desktop,
}) => {
  const first = await Parlor.start(desktop, 'first')
  const { page, screen } = first

  await test.step('the demo is shown', async () => {
    expect(page.url()).toBe('app://main/index.html')
    await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')
    expect(await page.locator('[data-channel-item]').count()).toBeGreaterThanOrEqual(10)
  })

  await test.step('a message with a PDF and a picture is sent', async () => {
    await page.locator('[data-file-field]').setInputFiles([
      { name: 'walk.pdf', mimeType: 'application/pdf', buffer: aPdf(['Over the ridge']) },
      { name: 'dawn.png', mimeType: 'image/png', buffer: picture },
    ])
    await screen.composer(CID).fill('From the ridge')
    await expect(page.locator('[data-send="ready"]')).toBeVisible()
    await screen.composer(CID).press('Enter')
    const sent = screen.message(CID, 'From the ridge')
    await screen.sent(CID, 'From the ridge')
    // Drawn by the media: scheme of main.
    await expect.poll(() => widthOf(sent.locator('img[src^="media:"]').last())).toBeGreaterThan(0)
  })

  await test.step('the PDF is drawn under the content policy of the page, and the picture is copied', async () => {
    await page.evaluate(addNewerJavaScript)
    await screen.message(CID, 'From the ridge').focus()
    await page.keyboard.press('v')
    await expect(page.getByRole('region', { name: 'Page 1 of 1' }).getByText('Over the ridge')).toBeAttached()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ControlOrMeta+c')
    // Newer versions read pictures asynchronously; this one is older than the types.
    type Pictures = { readImage(): { getSize(): { width: number; height: number } } }
    const copied = () => first.app.evaluate(({ clipboard }) => (clipboard as unknown as Pictures).readImage().getSize())
    await expect.poll(copied).toEqual({ width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) })
    await page.keyboard.press('Escape')
  })

  await test.step('a message of another person arrives', async () => {
    const other = await first.openAs('jonas')
    await first.call('messages.send', { cid: CID, text: 'Seen from the valley' }, other)
    await expect(screen.message(CID, 'Seen from the valley')).toBeVisible()
    await other.close()
  })

  await test.step('secrets are encrypted by the wallet of the desktop', async () => {
    const file = join(first.data, 'secrets.json')
    await expect.poll(() => existsSync(file)).toBe(true)
    const values = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
    expect(values.length).toBeGreaterThan(0)
    // The prefix of everything that Chromium encrypts with a key of a wallet.
    for (const value of values) expect(Buffer.from(value, 'base64').toString('latin1')).toMatch(/^v11/)
  })

  await first.call('settings.update', { theme: 'dark' })
  await first.quit()
  expect(screen.complaints).toEqual([])
  await test.step('the file of its settings is the one that the browser host writes, byte by byte', () => {
    const written = readFileSync(join(first.data, 'settings.json'), 'utf8')
    const folder = mkdtempSync(join(tmpdir(), 'parlor-settings-'))
    writeFileSync(join(folder, 'settings.json'), written)
    const store = openSettings(folder, () => undefined, confFile)
    expect(store.settings().theme).toBe('dark')
    store.update({ theme: 'dark' })
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe(written)
    rmSync(folder, { recursive: true })
  })
  const second = await Parlor.start(desktop, 'first')
  await test.step('after a restart both are there, and the account is signed in from the encrypted secret', async () => {
    await expect(second.screen.message(CID, 'From the ridge')).toBeVisible()
    await expect(second.screen.message(CID, 'Seen from the valley')).toBeVisible()
    // What the page remembers on this device: how often it sent something.
    expect(await second.page.evaluate(() => localStorage.getItem('parlor.composer.sends'))).toBe('1')
    await second.screen.send(CID, 'After the restart')
    await second.screen.sent(CID, 'After the restart')
  })
  await second.quit()
  expect(second.screen.complaints).toEqual([])
})

const widthOf = (image: Locator): Promise<number> => image.evaluate((element: HTMLImageElement) => element.naturalWidth)
