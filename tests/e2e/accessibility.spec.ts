import type { Locator } from '@playwright/test'
import { expect, test } from './kit/world.ts'

const CID = 'team:release-4-2'

/** Whether a press in the middle of the element reaches it. */
const isHit = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

test('in forced colors the focus and the edges are drawn, and the text of a primary button is readable', async ({
  world,
}) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await page.emulateMedia({ forcedColors: 'active' })
  await screen.openChannel(CID)
  const field = screen.composer(CID)
  const ring = () =>
    field.evaluate((node) => {
      const box = node.closest('section > div')
      const { outlineStyle, borderTopStyle } = getComputedStyle(box ?? node)
      return { outlineStyle, borderTopStyle }
    })
  await screen.row(CID).focus()
  expect(await ring()).toEqual({ outlineStyle: 'none', borderTopStyle: 'solid' })
  await field.focus()
  expect(await ring()).toEqual({ outlineStyle: 'solid', borderTopStyle: 'solid' })
  await page.getByRole('button', { name: 'New channel' }).click()
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create channel' })
  const { color, backgroundColor } = await create.evaluate((node) => {
    const style = getComputedStyle(node)
    return { color: style.color, backgroundColor: style.backgroundColor }
  })
  expect(color).not.toBe(backgroundColor)
})

test('at 320 pixels nothing covers Send, and the page does not scroll sideways', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.setViewportSize({ width: 320, height: 640 })
  await screen.composer(CID).fill('It fits')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeVisible()
  expect(await isHit(send)).toBe(true)
  expect(await isHit(page.getByRole('button', { name: 'Record a voice message' }))).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('at 320 by 256 pixels more than a third of the height is left for messages', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.setViewportSize({ width: 320, height: 256 })
  const { height = 0 } = (await page.locator(`[data-message-list="${CID}"]`).boundingBox()) ?? {}
  expect(height).toBeGreaterThan(100)
})

test('a width and an order change with single presses, without dragging', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  const handle = page.getByRole('separator', { name: 'Sidebar width' })
  const before = Number(await handle.getAttribute('aria-valuenow'))
  await handle.click()
  await page.getByRole('menuitem', { name: 'Wider' }).click()
  await expect(handle).toHaveAttribute('aria-valuenow', String(before + 48))
  await page.locator('[data-channel-item="messaging:leads"]').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect(page.locator('[data-region="sidebar"] [data-channel-item]').first()).toHaveAttribute(
    'data-channel-item',
    'messaging:leads',
  )
})

test('letters typed right after the first Ctrl+K are all in the field', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await screen.composer(CID).focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('jonas', { delay: 20 })
  await expect(page.getByRole('combobox', { name: /^Search/ })).toHaveValue('jonas')
})

test('letters typed right after a dialog was opened for the first time are in its field', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.getByRole('button', { name: 'New message' }).first().click()
  await page.keyboard.type('jonas', { delay: 20 })
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('jonas')
})

test('what is sent and pinned is announced, and the focus does not fall to the page', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const announced = page.locator('[data-announcer="polite"]')
  await screen.openChannel(CID)
  await screen.send(CID, 'Announced once')
  await expect(announced).toHaveText('Message sent')
  await screen.message(CID, 'the Polish banner').focus()
  await page.keyboard.press('p')
  await expect(announced).toHaveText('Message pinned')
  await screen.composer(CID).fill('A draft')
  await screen.openChannel('messaging:leads')
  await page.getByRole('link', { name: 'Later' }).click()
  await page.getByRole('button', { name: /^Drafts/ }).click()
  await page.getByRole('button', { name: /^Discard draft/ }).press('Enter')
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('Discarded the draft in')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})
