import { fileURLToPath } from 'node:url'
import { brokenIn } from './axe.ts'
import { expect, test } from './world.ts'

const picture = (name: string): string => fileURLToPath(new URL(`../../resources/demo/${name}.png`, import.meta.url))

test('the viewer walks what a channel holds, by keyboard, saves and copies, and gives the focus back', async ({
  world,
}) => {
  const { url, cid } = await world.team('alice')
  const { screen } = await world.desk(url, 'alice')
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

  await test.step('nothing of axe', async () => {
    expect(await brokenIn(page, '[data-lightbox]')).toEqual([])
  })

  await test.step('nearer by key and wheel, turned, and the whole again', async () => {
    const frame = viewer.locator('[data-frame]')
    const before = await frame.boundingBox()
    await page.keyboard.press('+')
    await expect(page.getByRole('button', { name: 'Whole picture' })).toHaveAttribute('aria-pressed', 'true')
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

  await test.step('arrows to the neighbour; Escape, and back where one was', async () => {
    await page.keyboard.press('ArrowLeft')
    await expect(viewer).toHaveAccessibleName('landscape-dawn.png, 1 of 2')
    await page.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
    await expect(opener).toBeFocused()
  })
  expect(screen.complaints).toEqual([])
})

test('a message is passed on to another channel, several are picked and deleted', async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  const other = await admin.channel('lunch', ['alice', 'bob'])
  await admin.say(cid, 'bob', 'Soup at **noon**')
  const { screen } = await world.desk(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  await screen.act(screen.message(cid, 'Soup at noon'), 'Forward…')
  const dialog = page.getByRole('dialog', { name: 'Forward 1 message' })
  await dialog.getByRole('combobox', { name: 'Where to' }).fill('lun')
  await page.keyboard.press('Enter')
  expect(await brokenIn(page, '[role="dialog"]')).toEqual([])
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
