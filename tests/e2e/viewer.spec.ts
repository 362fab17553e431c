import { fileURLToPath } from 'node:url'
import { brokenIn } from './kit/axe.ts'
import { aPdf } from './kit/sample-documents.ts'
import type { Screen } from './kit/screen.ts'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

const picture = (name: string): string => fileURLToPath(new URL(`../../resources/demo/${name}.png`, import.meta.url))

test(
  'the viewer walks the media of a channel by keyboard, saves and copies, returns the focus, and reads PDFs',
  LONG,
  async ({ world }) => {
    const { url, cid } = await world.team('alice')
    const { screen } = await world.client(url, 'alice')
    const { page } = screen
    await screen.openChannel(cid)
    await page.locator('[data-file-field]').setInputFiles([picture('landscape-dawn'), picture('landscape-ridge')])
    const tray = page.getByRole('list', { name: 'Attachments' })
    await expect(tray.getByRole('listitem')).toHaveCount(2)
    await screen.composer(cid).fill('This morning')
    await expect(page.locator('[data-send="ready"]')).toBeVisible()
    await screen.composer(cid).press('Enter')
    const message = screen.message(cid, 'This morning')
    const opener = message.getByRole('button', { name: /ridge/ })
    await expect(opener.locator('img')).toBeVisible()
    const viewer = page.getByRole('dialog', { name: /, \d of \d$/ })

    await test.step('opened by key, at the picture that was chosen, with its bytes', async () => {
      await opener.focus()
      await page.keyboard.press('Enter')
      await expect(viewer).toHaveAccessibleName('landscape-ridge.png, 2 of 2')
      await expect(viewer).toBeFocused()
      const shown = viewer.locator('[data-frame] img')
      await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    })

    await test.step('no violation of axe', async () => {
      expect(await brokenIn(page, 'dialog')).toEqual([])
    })

    await test.step('zoomed by key and wheel, rotated, and reset', async () => {
      const frame = viewer.locator('[data-frame]')
      const before = await frame.boundingBox()
      await page.keyboard.press('+')
      await expect(page.getByRole('button', { name: 'Fit to window' })).toHaveAttribute('aria-pressed', 'true')
      await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeGreaterThan((before?.width ?? 0) * 1.4)
      await page.keyboard.press('0')
      await page.keyboard.press('r')
      await expect
        .poll(async () => {
          const box = await frame.boundingBox()
          return (box?.height ?? 0) > (box?.width ?? 0)
        })
        .toBe(true)
    })

    await test.step('Ctrl S saves under the name of the file', async () => {
      const download = page.waitForEvent('download')
      await page.keyboard.press('ControlOrMeta+s')
      expect((await download).suggestedFilename()).toContain('landscape-ridge')
    })

    await test.step('Ctrl C puts the picture on the clipboard', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.keyboard.press('ControlOrMeta+c')
      const types = () => page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types))
      await expect.poll(types).toEqual(['image/png'])
    })

    await test.step('arrows to the neighbor; Escape, and back to the previous place', async () => {
      await page.keyboard.press('ArrowLeft')
      await expect(viewer).toHaveAccessibleName('landscape-dawn.png, 1 of 2')
      await page.keyboard.press('Escape')
      await expect(viewer).toBeHidden()
      await expect(opener).toBeFocused()
    })
    await readPdfs(screen, cid)
    expect(screen.complaints).toEqual([])
  },
)

/** Sends three PDFs and reads them in the viewer. */
async function readPdfs(screen: Screen, cid: string): Promise<void> {
  const { page } = screen
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer })
  await page
    .locator('[data-file-field]')
    .setInputFiles([
      file('walk.pdf', aPdf(['Over the ridge', 'Down to the lake', 'Home by train'])),
      file('kept.pdf', aPdf(['Nobody reads this'], { locked: true })),
      file('torn.pdf', Buffer.from('%PDF-1.7 and nothing more')),
    ])
  await screen.composer(cid).fill('To read')
  await expect(page.locator('[data-send="ready"]')).toBeVisible()
  await screen.composer(cid).press('Enter')
  await expect(screen.message(cid, 'To read').getByRole('group', { name: 'walk.pdf' })).toBeVisible()
  // Until then it has no actions, and the key does nothing.
  await screen.sent(cid, 'To read')
  await screen.message(cid, 'To read').focus()
  await page.keyboard.press('v')
  const viewer = page.getByRole('dialog', { name: 'walk.pdf, 3 of 5' })
  const sheet = (number: number) => viewer.getByRole('region', { name: `Page ${number} of 3` })

  await test.step('the first page is rendered, its text can be read aloud and selected', async () => {
    await expect(sheet(1).getByText('Over the ridge')).toBeAttached()
    const ink = () =>
      sheet(1)
        .locator('canvas')
        .evaluate((canvas: HTMLCanvasElement) =>
          canvas
            .getContext('2d')
            ?.getImageData(0, 0, canvas.width, canvas.height)
            .data.some((value) => value < 100),
        )
    await expect.poll(ink).toBe(true)
    expect(await brokenIn(page, 'dialog')).toEqual([])
  })

  await test.step('Page Down turns over, Ctrl F finds, R turns', async () => {
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    await expect(sheet(2).getByText('Down to the lake')).toBeAttached()
    await page.keyboard.press('ControlOrMeta+f')
    await page.keyboard.type('TRAIN')
    await expect(viewer.getByText('1 of 1', { exact: true })).toBeVisible()
    await expect(sheet(3)).toBeInViewport()
    await page.keyboard.press('Escape')
    await viewer.getByRole('button', { name: 'Rotate' }).click()
    await expect
      .poll(async () => ((await sheet(3).boundingBox())?.width ?? 0) > ((await sheet(3).boundingBox())?.height ?? 0))
      .toBe(true)
  })

  await test.step('the link in it is only a picture', async () => {
    await expect(viewer.getByRole('link')).toHaveCount(0)
  })

  await test.step('a locked and a broken one show a message', async () => {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('alert').filter({ hasText: 'This document is password-protected' })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('alert').filter({ hasText: 'This document is damaged' })).toBeVisible()
  })
}

test('a message is forwarded to another channel, several are selected and deleted', async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  const other = await admin.channel('lunch', ['alice', 'bob'])
  await admin.send(cid, 'bob', 'Soup at **noon**')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  await screen.act(screen.message(cid, 'Soup at noon'), 'Forward…')
  const dialog = page.getByRole('dialog', { name: 'Forward 1 message' })
  await dialog.getByRole('combobox', { name: 'Forward to' }).fill('lun')
  await page.keyboard.press('Enter')
  expect(await brokenIn(page, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await expect(dialog).toBeHidden()
  await screen.openChannel(other)
  await expect(screen.message(other, 'Soup at noon').locator('blockquote')).toContainText(/From bob/i)
  await screen.send(other, 'mine')
  await screen.message(other, 'mine').last().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(page.getByRole('toolbar', { name: 'Selected messages' })).toContainText('2 selected')
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete messages' }).click()
  await expect(screen.list(other).getByText('This message was deleted')).toHaveCount(2)
})

test(
  'in a narrow window the actions on selected messages are not covered by the way back to the newest',
  LONG,
  async ({ world }) => {
    const { url, cid, admin } = await world.team('alice', 'bob')
    for (let nth = 1; nth <= 40; nth += 1) await admin.send(cid, 'bob', `Line ${nth}`)
    const { screen } = await world.client(url, 'alice')
    const { page } = screen
    await screen.openChannel(cid)
    await page.setViewportSize({ width: 450, height: 800 })
    await screen.list(cid).locator('[data-message-id]').first().focus()
    await page.keyboard.press('x')
    const actions = page.getByRole('toolbar', { name: 'Selected messages' })
    const back = page.getByRole('button', { name: 'Jump to latest' })
    await expect(back).toBeVisible()
    const [bar, pill] = [await actions.boundingBox(), await back.boundingBox()]
    expect((pill?.y ?? 0) + (pill?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    await actions.getByRole('button', { name: 'Clear selection' }).click()
    await expect(actions).toBeHidden()
  },
)
