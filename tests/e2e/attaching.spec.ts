import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'
import type { Page } from '@playwright/test'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

const executablePath = findChromium()

/** Chromium's fake microphone, which beeps; pressing the button is the user's consent, so the browser does not ask. */
test.use({
  launchOptions: {
    args: [...CHROMIUM_FLAGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    executablePath: executablePath || undefined,
  },
})

test(
  'a voice message is recorded, trimmed, sent without the mouse, and played by the other user',
  LONG,
  async ({ world }) => {
    const { url, cid } = await world.team('alice', 'bob')
    const { screen: alice } = await world.client(url, 'alice')
    const { screen: bob } = await world.client(url, 'bob')
    await alice.openChannel(cid)
    await bob.openChannel(cid)
    const { page } = alice
    await page.getByRole('button', { name: 'Record a voice message' }).press('Enter')
    const bar = page.getByRole('group', { name: 'Voice message' })
    await expect(bar.getByRole('timer')).toHaveText('0:02')
    await page.keyboard.press('Escape')
    await bar.getByRole('slider', { name: 'Start' }).press('ArrowRight')
    await bar.getByRole('button', { name: 'Send' }).press('Enter')
    await expect(bar).toBeHidden()
    for (const screen of [alice, bob]) {
      const card = screen.page.getByRole('log').getByRole('group', { name: /^Voice message/ })
      const player = card.locator('audio')
      const known = (fact: 'duration' | 'played'): Promise<number> =>
        player.evaluate(
          (audio: HTMLAudioElement, what) => (what === 'duration' ? audio.duration : audio.played.length),
          fact,
        )
      await expect.poll(async () => Math.round(await known('duration'))).toBe(2)
      await card.getByRole('button', { name: 'Play Voice message' }).click()
      await expect.poll(() => known('played')).toBe(1)
    }
  },
)

test(
  'an upload is paused and resumed by itself, and the message that waits for it is then sent',
  LONG,
  async ({ world }) => {
    const { url, cid, admin } = await world.team('alice')
    const cable = await world.cable(url)
    const { screen } = await world.client(cable.url, 'alice')
    const { page } = screen
    await screen.openChannel(cid)
    cable.hold()
    const buffer = Buffer.alloc(300_000, 'a')
    await page.locator('[data-file-field]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer })
    const tile = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
    await tile.getByRole('button', { name: 'Pause a.txt' }).click()
    await expect(tile).toHaveAttribute('data-upload', 'paused')
    cable.release()
    await screen.composer(cid).fill('With a file')
    await screen.composer(cid).press('Enter')
    await page.getByRole('button', { name: 'Send when ready' }).first().click()
    await page.keyboard.press('Control+Shift+O')
    const row = page.locator('[data-outbox-item]').filter({ hasText: 'a.txt' })
    await expect(row).toContainText('Paused. When you resume, it starts again from the beginning.')
    expect(await admin.texts(cid)).toEqual([])
    await row.getByRole('button', { name: 'Resume: a.txt' }).click()
    await expect.poll(() => admin.texts(cid)).toEqual(['With a file'])
  },
)

/** A photo of two halves, green and red, with a place in its metadata, as a camera writes it. */
async function photographed(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2_400, height: 1_200 })
    const ctx = canvas.getContext('2d')
    for (const [color, x] of [
      ['#00ff00', 0],
      ['#ff0000', 1_200],
    ] as const) {
      Object.assign(ctx ?? {}, { fillStyle: color })
      ctx?.fillRect(x, 0, 1_200, 1_200)
    }
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  const bytes = Buffer.from(base64, 'base64')
  const secret = Buffer.from('Exif\0\0at home')
  const marker = Buffer.from([0xff, 0xe1, 0, secret.length + 2])
  return Buffer.concat([bytes.subarray(0, 2), marker, secret, bytes.subarray(2)])
}

/** The size of a photo and its colors, from left to right. */
const looked = (page: Page, bytes: Buffer) =>
  page.evaluate(async (base64) => {
    const binary = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([binary]))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const ctx = canvas.getContext('2d')
    ctx?.drawImage(bitmap, 0, 0)
    const nameAt = (share: number): string => {
      const [red = 0, green = 0] = ctx?.getImageData(bitmap.width * share, bitmap.height / 2, 1, 1).data ?? []
      return red > 200 ? 'red' : green > 200 ? 'green' : red + green < 8 ? 'black' : 'other'
    }
    return { width: bitmap.width, height: bitmap.height, colors: [0.1, 0.45, 0.55, 0.9].map(nameAt) }
  }, bytes.toString('base64'))

test(
  'a photo is cropped and blacked out before it is sent, and the sent file has none of the original',
  LONG,
  async ({ world }) => {
    const { url, cid, admin } = await world.team('alice')
    const { screen } = await world.client(url, 'alice')
    const { page } = screen
    await screen.openChannel(cid)
    const original = await photographed(page)
    expect(original.includes('at home')).toBe(true)
    await page
      .locator('[data-file-field]')
      .setInputFiles({ name: 'desk.jpg', mimeType: 'image/jpeg', buffer: original })
    const tray = page.getByRole('list', { name: 'Attachments' })
    await tray.getByRole('button', { name: 'Edit the photo desk.jpg' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit photo' })
    await dialog.getByRole('textbox', { name: 'Height' }).fill('600')
    await dialog.getByRole('textbox', { name: 'Height' }).press('Enter')
    await expect(dialog.locator('[data-picture="2400x600"]')).toBeVisible()
    await dialog.getByRole('radio', { name: 'Black out' }).click()
    const surface = dialog.getByRole('application')
    const box = (await surface.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(box.x - 5 + box.width / 2, box.y + 1)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height - 1, { steps: 4 })
    await page.mouse.up()
    await page.mouse.click(box.x + 1, box.y + 1)
    await page.mouse.click(box.x + box.width * 0.2, box.y + box.height - 1)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(dialog).toBeHidden()
    await screen.composer(cid).fill('My desk')
    await expect(page.locator('[data-send="ready"]')).toBeVisible()
    await screen.composer(cid).press('Enter')
    await expect(tray).toBeHidden()
    const sent = async () =>
      (await admin.call(
        'POST',
        `/channels/${cid.replace(':', '/')}/query`,
        { data: {}, state: true, messages: { limit: 5 } },
        'alice',
      )) as {
        messages: { attachments: { image_url: string }[] }[]
      }
    await expect.poll(async () => (await sent()).messages.at(-1)?.attachments.length).toBe(1)
    const address = (await sent()).messages.at(-1)?.attachments[0]?.image_url ?? ''
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
    expect(bytes.includes('at home')).toBe(false)
    expect(await looked(page, bytes)).toEqual({ width: 2_400, height: 600, colors: ['black', 'green', 'black', 'red'] })
  },
)
