import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

const CID = 'team:release-4-2'

test('a first start shows a lively demo at once: channels, an unread divider, a mention, and a field to write in', async ({
  world,
}) => {
  const { screen } = await world.demo()
  const { page } = screen
  await expect(screen.row(CID)).toHaveAttribute('aria-current', 'page')
  await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')
  expect(await page.locator('[data-channel-item]').count()).toBeGreaterThanOrEqual(10)
  await expect(page.getByRole('separator', { name: /new messages?$/ })).toBeVisible()
  await expect(page.getByRole('article', { name: /mentions you/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /mention/ }).first()).toBeVisible()
  await screen.send(CID, 'Hello from the first minute')
  await expect(screen.message(CID, 'Hello from the first minute')).toContainText('Hello from the first minute')
})

test('after signing out, the demo is one press away', LONG, async ({ world }) => {
  const { screen } = await world.demo()
  const { page } = screen
  await screen.workspace('Sign out…')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Parlor' })).toBeVisible()
  await page.getByRole('button', { name: /^Look around first/ }).click()
  await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')
})

test('the demo is deleted after a confirmation, and nothing of it stays on this device', LONG, async ({ world }) => {
  const { screen, data } = await world.demo()
  const { page } = screen
  await screen.openChannel(CID)
  await screen.workspace('Delete demo…')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await screen.workspace('Delete demo…')
  await page.getByRole('button', { name: 'Delete demo' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Parlor' })).toBeVisible()
  const left = () => [...foldersIn(join(data, 'workspaces')), ...foldersIn(join(data, 'accounts'))]
  await expect.poll(() => left().filter((name) => name.startsWith('demo'))).toEqual([])
})

const foldersIn = (path: string): string[] => (existsSync(path) ? readdirSync(path) : [])
