import { expect, test } from './kit/world.ts'

test('behind a dialog nothing can be used, and a menu stays beside the element that opened it', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel('team:release-4-2')

  await test.step('the page behind a dialog accepts neither focus nor presses', async () => {
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    const result = await page.evaluate(() => {
      const behind = document.querySelector<HTMLElement>('[data-composer]')
      behind?.focus()
      return { found: behind !== null, focused: document.activeElement === behind }
    })
    expect(result).toEqual({ found: true, focused: false })
    const box = await page.locator('[data-channel-item]').first().boundingBox()
    expect(box).not.toBeNull()
    const pressed = await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('[data-region="sidebar"]') !== null,
      { x: (box?.x ?? 0) + 4, y: (box?.y ?? 0) + 4 },
    )
    expect(pressed).toBe(false)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'New channel' })).toBeFocused()
  })

  await test.step('a menu follows its button when the window changes', async () => {
    const button = page.getByRole('button', { name: 'Channel actions' })
    await button.click()
    const menu = page.getByRole('menu')
    await expect(menu).toBeVisible()
    const distance = async (): Promise<number> => {
      const [from, to] = [await button.boundingBox(), await menu.boundingBox()]
      return Math.abs((from?.x ?? 0) + (from?.width ?? 0) - ((to?.x ?? 0) + (to?.width ?? 0)))
    }
    const before = await distance()
    await page.setViewportSize({ width: 1100, height: 700 })
    await expect.poll(distance).toBeCloseTo(before, 0)
    const box = await menu.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1100)
  })
})
