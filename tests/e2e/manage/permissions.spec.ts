import type { Page } from '@playwright/test'
import { API_KEY, SECRET } from '../kit/processes.ts'
import type { Screen } from '../kit/screen.ts'
import { expect, test, type Team } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

/** What each role is offered of administration, what is absent for it, and what is explained instead. */

const MODERATION = ['Review queue', 'Bans and mutes', 'History']
/** What takes part in a workspace of our own server: only for who administers it in person. */
const PROGRAMS = 'Integrations'
/** Only into a workspace of this device. */
const IMPORT = 'Import'
const WITH_SECRET = [
  'Review queue',
  'Rules',
  'Bans and mutes',
  'History',
  'Directory',
  'Roles and permissions',
  'User groups',
  'Campaigns',
  'Segments',
  'Channel types',
  'Commands',
  'Polls',
  'Uploads and limits',
]
const OF_THE_OWNER = [...WITH_SECRET.toSpliced(WITH_SECRET.indexOf('Polls'), 0, PROGRAMS), IMPORT]
const REFUSED = /You don’t have permission|Your permissions have changed|You need the permission|Couldn’t load/
const BAN_EVERYWHERE = 'You need the permission “Ban from the whole workspace”'

const links = (page: Page) => page.getByRole('navigation', { name: 'Manage' }).getByRole('link')

/** Neither in the sidebar nor among the actions of the switcher. */
async function expectNoManage({ page }: Screen): Promise<void> {
  await expect(page.getByRole('link', { name: /^Manage/ })).toHaveCount(0)
  await page.keyboard.press('Control+K')
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  await field.fill('>Manage')
  await expect(page.getByRole('option', { name: /^Manage/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
}

/** Every page that is listed opens, and nothing in it says that the person may not see it. */
async function expectPages({ page }: Screen, names: readonly string[]): Promise<void> {
  await page.getByRole('link', { name: /^Manage/ }).click()
  await expect(links(page).first()).toBeVisible()
  const listed = await links(page).allInnerTexts()
  expect(listed.map((name) => name.split('\n')[0])).toEqual(names)
  for (const name of names) {
    await links(page).filter({ hasText: name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('main').getByRole('progressbar')).toHaveCount(0)
    await expect(page.getByRole('main').getByText(REFUSED)).toHaveCount(0)
  }
}

/** Of the person whose message is the first in the queue. */
async function askToBan({ page }: Screen): Promise<ReturnType<Page['getByRole']>> {
  await links(page).filter({ hasText: 'Review queue' }).click()
  await page.getByRole('listbox', { name: 'Review queue' }).getByRole('option').first().click()
  await page.getByRole('main').getByRole('button', { name: /^Ban…/ }).click()
  return page.getByRole('dialog', { name: 'Ban Eve' })
}

async function openPerson({ page }: Screen, name: RegExp): Promise<ReturnType<Page['getByRole']>> {
  await links(page).filter({ hasText: 'Directory' }).click()
  await page.getByRole('row', { name }).click()
  const person = page.getByRole('region', { name: 'Person' })
  await expect(person.getByRole('combobox', { name: 'Role' })).toBeVisible()
  return person
}

async function storeSecret({ page }: Screen): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByLabel('API secret').fill(SECRET)
  await page.getByLabel('API secret').press('Enter')
  await expect(page.getByText('Stored in the key store of this device.')).toBeVisible()
  await page.keyboard.press('Escape')
}

async function report({ admin, cid }: Team): Promise<void> {
  const path = `/channels/${cid.replace(':', '/')}/message`
  const { message } = (await admin.call('POST', path, { message: { text: 'Cheap maps' } }, 'eve')) as {
    message: { id: string }
  }
  await admin.call('POST', '/moderation/flag', { target_message_id: message.id, reason: 'spam' }, 'ann')
}

test(
  'on a hosted server each role is offered its pages and no others, and a moderator is told what is missing',
  LONG,
  async ({ world }) => {
    test.setTimeout(300_000)
    const team = await world.team('gus', 'ann', 'mia', 'olga', 'eve')
    const { admin, url, cid } = team
    const roles = { gus: 'guest', mia: 'moderator', olga: 'admin' }
    await admin.call('PATCH', '/users', { users: Object.entries(roles).map(([id, role]) => ({ id, set: { role } })) })
    await report(team)
    const as = async (userId: string): Promise<Screen> => {
      const { screen } = await world.client(url, userId)
      await screen.openChannel(cid)
      return screen
    }

    await test.step('guests and members: nothing', async () => {
      for (const userId of ['gus', 'ann']) {
        const screen = await as(userId)
        await expectNoManage(screen)
        await screen.close()
      }
    })

    await test.step('moderators: moderation, and bans in channels only', async () => {
      const mia = await as('mia')
      await expectPages(mia, MODERATION)
      const dialog = await askToBan(mia)
      await expect(dialog.getByText(BAN_EVERYWHERE)).toBeVisible()
      await expect(dialog.getByRole('radio', { name: 'Everywhere' })).toHaveCount(0)
      await mia.close()
    })

    await test.step('administrators without the API secret: moderation, programs, and bans everywhere', async () => {
      const olga = await as('olga')
      await expectPages(olga, [...MODERATION, PROGRAMS])
      const dialog = await askToBan(olga)
      await expect(dialog.getByRole('radio', { name: 'Everywhere' })).toBeVisible()
      await expect(dialog.getByText(BAN_EVERYWHERE)).toHaveCount(0)
      await olga.close()
    })

    await test.step('a member who stored the API secret: everything but programs', async () => {
      const ann = await as('ann')
      await expectNoManage(ann)
      await storeSecret(ann)
      await expectPages(ann, WITH_SECRET)
      const person = await openPerson(ann, /Gus/)
      for (const name of ['Sign out everywhere…', 'Deactivate…', 'Delete person…']) {
        await expect(person.getByRole('button', { name })).toBeVisible()
      }
      // Tokens of a hosted server are issued by the team's own programs.
      await expect(person.getByRole('button', { name: 'Issue a token…' })).toHaveCount(0)
      expect(await ann.page.content()).not.toContain(SECRET)
    })
  },
)

test('a guest without a token is offered nothing, also where the server admits guests', LONG, async ({ world }) => {
  const { admin, url } = await world.team('ann')
  await admin.call('PATCH', '/app', { anonymous_access_enabled: true })
  const { screen } = await world.demo()
  const { page } = screen
  await screen.workspace('Sign out…')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: /^Join or connect/ }).click()
  await page.getByRole('button', { name: /^My team runs a server/ }).click()
  await page.getByLabel('Server address').fill(url)
  await page.getByLabel('API key').fill(API_KEY)
  await page.getByRole('radio', { name: 'Guest, read only' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByRole('navigation', { name: 'Workspace' })).toBeVisible()
  await expectNoManage(screen)
})

test(
  'in a workspace of this device its owner is offered everything, and the other people of it nothing',
  LONG,
  async ({ world }) => {
    const { app, screen: ola } = await world.demo()
    await ola.openChannel('team:release-4-2')
    await ola.workspace('Open a second window as…')
    const opened = ola.page.waitForEvent('popup')
    await ola.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Jonas Lindqvist/ })
      .click()
    const jonas = world.watch(await opened)
    await app.nextEvent('window')
    await jonas.openChannel('team:release-4-2')
    await expectNoManage(jonas)
    await expectPages(ola, OF_THE_OWNER)
    const person = await openPerson(ola, /Hana Mori/)
    await expect(person.getByRole('button', { name: 'Issue a token…' })).toBeVisible()
  },
)
