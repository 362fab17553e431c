import { SETTINGS_PAGES } from '#kit/settings-pages.ts'
import { violationsIn } from '../kit/axe.ts'
import type { Client, World } from '../kit/world.ts'
import { expect, test } from '../kit/world.ts'
import type { Screen } from '../kit/screen.ts'
import { LONG } from '#kit/parts.ts'

/** Axe checks a page for seconds. */
test.describe.configure({ timeout: 300_000 })

/** Every screen in each theme: no finding of axe that is moderate, serious or critical. */
const THEMES = ['light', 'dark'] as const
const ALL_THEMES = [...THEMES, 'hc-light', 'hc-dark'] as const
const CID = 'team:release-4-2'

/** Rules that depend on the theme; all others are checked once. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Names of the violations, with their elements. */
async function findings({ page }: Screen, theme: string, within: string): Promise<string[]> {
  const violations = await violationsIn(page, within, theme === THEMES[0] ? undefined : COLOURS)
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} | ${any[0]?.message ?? ''}`))
}

/** Checks the screen in every theme; the theme is changed as the settings would, without moving anything. */
async function check(screen: Screen, name: string, within = 'html', themes: readonly string[] = THEMES): Promise<void> {
  for (const theme of themes) {
    await screen.page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme)
    // Colors still in transition are not the ones users read.
    await screen.page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)))
    expect.soft(await findings(screen, theme, within), `${name}, ${theme}`).toEqual([])
  }
}

test('main screens', LONG, async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await check(screen, 'channel')
  await screen.message(CID, 'the Polish banner').hover()
  await check(screen, 'row with its toolbar')
  await page.getByRole('button', { name: /^\d+ members/ }).click()
  await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible()
  await check(screen, 'members')
  await page.getByRole('button', { name: /pinned message/ }).click()
  await expect(page.locator('[data-region="panel"]').getByRole('heading', { name: 'Pinned' })).toBeVisible()
  await check(screen, 'pinned')
  await page
    .getByRole('button', { name: /^Open thread/ })
    .last()
    .click()
  await expect(page.getByRole('heading', { name: 'Thread' })).toBeVisible()
  await check(screen, 'thread')
  await page.getByRole('link', { name: 'Catch up' }).click()
  await expect(page.locator('[data-unread-place]').first()).toBeVisible()
  await check(screen, 'catch up')
  await page.getByRole('link', { name: 'Mentions and reactions' }).click()
  await expect(page.locator('[data-hit]').first()).toBeVisible()
  await check(screen, 'mentions')
  await page.getByRole('radio', { name: 'Reactions' }).click()
  await expect(page.locator('[data-reacted]').first()).toBeVisible()
  await check(screen, 'reactions')
  await page.locator('[data-channel-item="messaging:leads"]').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Why is this unread?' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check(screen, 'why unread', 'dialog')
  await page.keyboard.press('Escape')
  // It opens at its previous position, above its newest message.
  await screen.row(CID).click()
  await screen.composer(CID).fill('A draft that waits')
  await screen.openChannel('messaging:leads')
  await page.getByRole('link', { name: 'Later' }).click()
  await expect(page.locator('[data-later]').filter({ hasText: 'A draft that waits' })).toBeVisible()
  await check(screen, 'later')
  await page.getByRole('button', { name: 'New reminder' }).click()
  await expect(page.getByRole('dialog', { name: 'New reminder' })).toBeVisible()
  await check(screen, 'new reminder', 'dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /^Threads/ }).click()
  await page.getByRole('radio', { name: 'All' }).click()
  await expect(page.locator('[data-thread]').first()).toBeVisible()
  await check(screen, 'threads')
})

test('search', LONG, async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.keyboard.press('Control+Shift+F')
  const field = page.getByRole('combobox', { name: 'Search messages' })
  await expect(field).toBeFocused()
  await check(screen, 'search, nothing asked yet')
  await page.keyboard.type('from:jo')
  await expect(page.getByRole('option', { selected: true })).toBeVisible()
  await check(screen, 'values of a filter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('banner')
  await page.locator('[data-hit] button').first().click()
  await expect(page.getByRole('complementary', { name: 'In context' })).toBeVisible()
  await check(screen, 'results with one in context')
  await field.fill('qwertyqwerty')
  await expect(page.getByText('Nothing found for')).toBeVisible()
  await check(screen, 'nothing found')
})

test('settings', LONG, async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.keyboard.press('Control+,')
  for (const name of SETTINGS_PAGES) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    // The list of pages is beside each of them, and is the same.
    await check(screen, `settings, ${name}`, name === 'Appearance' ? 'html' : 'main')
  }
})

/** Pages of administration, a test for each part: high contrast is checked as well. */
const MANAGE_PAGES = {
  moderation: ['Review queue', 'Rules', 'Bans and mutes', 'History'],
  people: ['Directory', 'Roles and permissions', 'User groups'],
  messaging: ['Campaigns', 'Segments'],
  workspace: ['Channel types', 'Commands', 'Integrations', 'Polls', 'Uploads and limits', 'Import'],
}

async function administration({ screen }: Client) {
  const { page } = screen
  await screen.openChannel(CID)
  await page.getByRole('link', { name: /^Manage/ }).click()
  const navigation = page.getByRole('navigation', { name: 'Manage' })
  await expect(navigation.getByRole('link')).toHaveCount(Object.values(MANAGE_PAGES).flat().length)
  return {
    page,
    open: async (name: string): Promise<void> => {
      await navigation.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(page.getByRole('main').getByRole('status', { name: 'Loading…' })).toHaveCount(0)
    },
  }
}

for (const [part, names] of Object.entries(MANAGE_PAGES)) {
  test(`administration in every theme: ${part}`, LONG, async ({ world }) => {
    const client = await world.demo({ reducedMotion: 'reduce' })
    const { open } = await administration(client)
    for (const name of names) {
      await open(name)
      await check(client.screen, `administration, ${name}`, name === 'Review queue' ? 'html' : 'main', ALL_THEMES)
    }
  })
}

test('administration in every theme: a person, and the dialogs', LONG, async ({ world }) => {
  const client = await world.demo({ reducedMotion: 'reduce' })
  const { screen } = client
  const { page, open } = await administration(client)
  await open('Directory')
  await page.getByRole('row', { name: /Hana Mori/ }).click()
  await expect(page.getByRole('region', { name: 'Person' }).getByText('Effective permissions')).toBeVisible()
  await check(screen, 'a person in the directory', 'main', ALL_THEMES)
  for (const name of ['Issue a token…', /^Deactivate…/, 'Delete person…', 'Add person']) {
    await shown(screen, String(name), () => page.getByRole('button', { name }).click(), ALL_THEMES)
  }
  await open('Bans and mutes')
  await shown(screen, 'ban someone', () => page.getByRole('button', { name: 'Ban someone…' }).click(), ALL_THEMES)
})

test('administration in every theme: a segment, and its dialogs', LONG, async ({ world }) => {
  const client = await world.demo({ reducedMotion: 'reduce' })
  const { screen } = client
  const { page, open } = await administration(client)
  await open('Segments')
  await shown(
    screen,
    'create a segment',
    () => page.getByRole('button', { name: 'Create segment' }).click(),
    ALL_THEMES,
  )
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Hut keepers')
  await page.getByRole('dialog').getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('group', { name: 'at least one' })).toBeVisible()
  await check(screen, 'the filter of a segment', 'main', ALL_THEMES)
  await page.getByRole('radio', { name: 'JSON' }).click()
  await page.getByRole('textbox', { name: 'Filter as JSON' }).fill('{')
  await check(screen, 'a filter that is none', 'main', ALL_THEMES)
  await page.getByRole('radio', { name: 'List' }).click()
  await page.getByRole('textbox', { name: /^Names, IDs/ }).fill('hana\nnobody')
  await expect(page.getByRole('button', { name: 'Add 1 person' })).toBeVisible()
  await check(screen, 'the list of a segment', 'main', ALL_THEMES)
  await shown(
    screen,
    'delete a segment',
    () => page.getByRole('button', { name: 'Delete segment' }).click(),
    ALL_THEMES,
  )
})

const LAYER = 'dialog, [role="dialog"], [role="menu"]'

/** Opens a layer, checks it, and closes it with Escape. */
async function shown(
  screen: Screen,
  name: string,
  open: () => Promise<unknown>,
  themes: readonly string[] = THEMES,
): Promise<void> {
  await open()
  const layer = screen.page.locator(LAYER).first()
  await expect(layer).toBeVisible()
  await check(screen, name, LAYER, themes)
  await screen.page.keyboard.press('Escape')
  await expect(layer).toBeHidden()
}

test('dialogs of the workspace', LONG, async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  await screen.openChannel(CID)
  await shown(screen, 'open as', () => screen.workspace('Open a second window as…'))
  await shown(screen, 'make workspace', () => screen.workspace('Create your own workspace…'))
  await shown(screen, 'notices', () => screen.workspace('Recent notices'))
  await shown(screen, 'sign out', () => screen.workspace('Sign out…'))
  await shown(screen, 'delete demo', () => screen.workspace('Delete demo…'))
  await shown(screen, 'menu', () => screen.page.getByRole('button', { name: /^Workspace / }).click())
})

test('dialogs, menus and pickers of a channel', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await shown(screen, 'switcher', () => page.keyboard.press('Control+k'))
  await shown(screen, 'shortcuts', () => page.keyboard.press('Control+/'))
  await shown(screen, 'new channel', () => page.getByRole('button', { name: 'New channel' }).click())
  await shown(screen, 'new message', () => page.getByRole('button', { name: 'New message' }).first().click())
  await shown(screen, 'emoji', async () => {
    await page.getByRole('button', { name: 'Emoji', exact: true }).click()
    await expect(page.locator('[role="dialog"] img, [role="dialog"] [role="gridcell"]').first()).toBeVisible()
  })
  await shown(screen, 'message menu', () => screen.message(CID, 'the Polish banner').click({ button: 'right' }))
})

test('start screens', LONG, async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await screen.workspace('Sign out…')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Parlor' })).toBeVisible()
  await check(screen, 'start')
  const name = page.getByRole('textbox', { name: 'Your name' })
  await name.fill('')
  await page.getByRole('button', { name: /^Create a workspace/ }).click()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await check(screen, 'start, without a name')
  await name.fill('Lena Hoffmann')
  await page.getByRole('button', { name: /^Create a workspace/ }).click()
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await check(screen, 'make a workspace, with errors')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: /^Join or connect/ }).click()
  await check(screen, 'join or connect')
  await page.getByRole('button', { name: /^My team runs a server/ }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await check(screen, 'connect, with an error')
})

test('offline, with queued messages and a refused one', LONG, async ({ world }) => {
  const { screen, cid } = await waiting(world)
  await expect(screen.message(cid, 'waits')).toContainText('Queued')
  await screen.page.getByRole('button', { name: /^Outbox, \d waiting/ }).click()
  await check(screen, 'offline with the outbox')
})

async function waiting(world: World): Promise<Client & { cid: string }> {
  const { url, cid } = await world.team('alice', 'bob')
  const cable = await world.cable(url)
  const client = await world.client(cable.url, 'alice')
  await client.screen.openChannel(cid)
  cable.cut()
  await client.screen.send(cid, 'waits')
  await expect(client.screen.page.locator('[data-region="banner"]')).toBeVisible()
  return { ...client, cid }
}
