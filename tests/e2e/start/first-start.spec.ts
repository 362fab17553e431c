import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

const CID = 'team:release-4-2'

test('a first start asks who you are; Enter opens the demo, in which you take part under your own name', async ({
  world,
}) => {
  const data = world.folder('fresh')
  const app = await world.app(data)
  const screen = await world.open(app.ready['url'])
  const { page } = screen
  await expect(page.getByRole('main', { name: 'Welcome to Parlor' })).toBeVisible()
  expect(foldersIn(join(data, 'workspaces'))).toEqual([])
  const name = page.getByLabel('Your name')
  await expect(name).toBeFocused()
  await name.fill('')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Enter your name to continue.')
  await expect(name).toBeFocused()
  await name.fill('Lena Hoffmann')
  await expect(page.getByRole('main').getByRole('alert')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Choose a photo' })).toBeFocused()
  await page.locator('input[type=file]').setInputFiles('resources/demo/portrait-hana.png')
  await expect(page.getByRole('button', { name: 'Change photo' })).toBeVisible()
  await name.press('Enter')
  await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')
  const sidebar = page.getByRole('navigation', { name: 'Workspace' })
  await expect(sidebar.getByText('Lena Hoffmann')).toBeVisible()
  await expect(sidebar.locator('img').last()).toHaveJSProperty('complete', true)
  await screen.send(CID, 'Hello from the first minute')
  await expect(screen.message(CID, 'Hello from the first minute')).toContainText('Lena Hoffmann')

  await screen.close()
  await app.stop()
  const again = await world.app(data)
  const later = await world.open(again.ready['url'])
  await expect(later.message(CID, 'Hello from the first minute')).toBeVisible()
})

test('arrow keys walk the doors, and the language of the page changes without losing the name', async ({ world }) => {
  const app = await world.app(world.folder('fresh'))
  const { page } = await world.open(app.ready['url'])
  await page.getByLabel('Your name').fill('Łucja Nowak')
  await page.getByRole('button', { name: /^Try the demo/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: /^Create a workspace/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: /^Join or connect/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^I have an invitation/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: /^I have a workspace file/ })).toBeFocused()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: /^Join or connect/ }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Language: English' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Polski' }).click()
  await expect(page.getByRole('heading', { name: 'Witaj w Parlorze' })).toBeVisible()
  await expect(page.getByLabel('Imię i nazwisko')).toHaveValue('Łucja Nowak')
})

test(
  'the demo says what it is, greets the newcomer, starts over, and leads to an own workspace',
  LONG,
  async ({ world }) => {
    const app = await world.app(world.folder('fresh'))
    const screen = await world.open(app.ready['url'])
    const { page } = screen
    await page.getByLabel('Your name').fill('Lena Hoffmann')
    await page.keyboard.press('Enter')
    const bar = page.getByRole('region', { name: 'Demo' })
    await expect(bar).toContainText('This is a demo. Everyone here is invented.')
    await expect(page.getByRole('article', { name: /Jonas Lindqvist.*mentions you/ })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Priya Raman/ })).toBeVisible()
    await screen.send(CID, 'Gone in a moment')
    await bar.getByRole('button', { name: 'About this demo' }).click()
    const about = page.getByRole('dialog', { name: 'About this demo' })
    await page.keyboard.press('Escape')
    await expect(about).toBeHidden()
    await expect(bar.getByRole('button', { name: 'About this demo' })).toBeFocused()
    await page.keyboard.press('Enter')
    await about.getByRole('button', { name: 'Start the demo over…' }).click()
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect(page.getByText('Gone in a moment')).toHaveCount(0)
    await expect(page.getByRole('article', { name: /Jonas Lindqvist.*mentions you/ })).toBeVisible()
    await bar.getByRole('button', { name: 'Create my workspace' }).click()
    await page.getByLabel('Workspace name').fill('Studio')
    await page.getByRole('dialog').getByRole('button', { name: 'Create workspace' }).click()
    await expect(page.getByRole('button', { name: 'Workspace Studio' })).toBeVisible()
    await expect(bar).toHaveCount(0)
  },
)

test('the demo shows channels, an unread divider, a mention, and a field to write in', async ({ world }) => {
  const { screen } = await world.demo()
  const { page } = screen
  await expect(screen.row(CID)).toHaveAttribute('aria-current', 'page')
  await expect(screen.list(CID)).toHaveAttribute('data-settled', '1')
  expect(await page.locator('[data-channel-item]').count()).toBeGreaterThanOrEqual(10)
  await expect(page.getByRole('separator', { name: /new messages?$/ })).toBeVisible()
  await expect(page.getByRole('article', { name: /mentions you/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /mention/ }).first()).toBeVisible()
})

test('after signing out, the demo is one press away', LONG, async ({ world }) => {
  const { screen } = await world.demo()
  const { page } = screen
  await screen.workspace('Sign out…')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Parlor' })).toBeVisible()
  await page.getByLabel('Your name').fill('Ola Wiśniewska')
  await page.getByRole('button', { name: /^Try the demo/ }).click()
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
