import type { Page } from '@playwright/test'
import { brokenIn } from '../kit/axe.ts'
import { SECRET } from '../kit/processes.ts'
import { expect, test } from '../kit/world.ts'
import { LONG } from '#kit/parts.ts'

/** What two people see who moderate or administer one workspace at the same time. */

const open = async (page: Page, name: RegExp | string): Promise<void> => {
  const back = page.getByRole('button', { name: /^Back to/ })
  if (!(await back.isVisible())) await page.getByRole('link', { name: /^Manage/ }).click()
  await page.getByRole('link', { name }).click()
}
const pagesIn = async (page: Page): Promise<string[]> => {
  const names = await page.getByRole('navigation', { name: 'Manage' }).getByRole('link').allInnerTexts()
  return names.map((name) => name.split('\n')[0] ?? '')
}

test(
  'two moderators decide about the same reports, and one of them loses the right in the middle',
  LONG,
  async ({ world }) => {
    test.setTimeout(300_000)
    const { admin, url, cid } = await world.team('mia', 'jonas', 'ann', 'eve')
    const gear = await admin.channel('gear', ['mia', 'jonas', 'ann', 'eve'])
    const setRole = (id: string, role: string) => admin.call('PATCH', '/users', { users: [{ id, set: { role } }] })
    await setRole('mia', 'moderator')
    await setRole('jonas', 'moderator')
    await admin.send(cid, 'ann', 'Where do we meet?')
    const flag = (body: object) => admin.call('POST', '/moderation/flag', { reason: 'spam', ...body }, 'ann')
    const sent = async (channel: string, text: string): Promise<string> => {
      const path = `/channels/${channel.replace(':', '/')}/message`
      const { message } = (await admin.call('POST', path, { message: { text } }, 'eve')) as { message: { id: string } }
      return message.id
    }
    await flag({ target_message_id: await sent(cid, 'Cheap maps, write to me') })
    await sent(gear, 'CHEAP maps: write to me')
    await flag({ target_message_id: await sent(cid, 'You know nothing') })
    await admin.call('PATCH', '/users', { users: [{ id: 'eve', set: { name: 'admin-support' } }] })
    await flag({ target_user_id: 'eve', reason: 'other: pretends to be staff' })
    await admin.call('PATCH', '/users', { users: [{ id: 'eve', set: { name: 'Eve' } }] })
    const { screen: mia } = await world.client(url, 'mia')
    const { screen: jonas } = await world.client(url, 'jonas')
    const { screen: ann } = await world.client(url, 'ann')
    const queueOf = (page: Page) => page.getByRole('listbox', { name: 'Review queue' })

    await test.step('only pages with a right are listed, and nothing for members', async () => {
      await ann.openChannel(cid)
      await expect(ann.page.getByRole('link', { name: /Manage/ })).toHaveCount(0)
      for (const { page } of [mia, jonas]) {
        await open(page, /^Review queue/)
        await expect(queueOf(page).getByRole('option')).toHaveCount(3)
      }
      expect(await pagesIn(mia.page)).toEqual(['Review queue', 'Bans and mutes', 'History'])
    })

    await test.step('a reported profile is shown as it was beside what it is', async () => {
      await queueOf(mia.page)
        .getByRole('option', { name: /pretends|admin-support/ })
        .click()
      const figures = mia.page.getByRole('figure')
      await expect(figures.first()).toContainText('admin-support')
      await expect(figures.last()).toContainText('Eve')
      await expect(mia.page.getByText('The name has changed since.')).toBeVisible()
      expect(await brokenIn(mia.page, 'main')).toEqual([])
    })

    await test.step('the same text elsewhere is selected with what is open, and decided at once', async () => {
      await queueOf(mia.page)
        .getByRole('option', { name: /Cheap maps/ })
        .click()
      const same = mia.page.getByRole('region', { name: 'Same text elsewhere' })
      await expect(same).toContainText('1 more message, in #gear')
      expect(await brokenIn(mia.page, 'main')).toEqual([])
      await same.getByRole('button', { name: 'Select all 2' }).click()
      await expect(mia.page.getByRole('region', { name: '2 selected' })).toContainText('CHEAP maps')
      await mia.page
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click()
      await ann.openChannel(gear)
      await expect(ann.message(gear, 'CHEAP maps')).toHaveCount(0)
      await ann.openChannel(cid)
      await expect(ann.message(cid, 'Cheap maps')).toHaveCount(0)
      await expect(queueOf(jonas.page).getByRole('option')).toHaveCount(2)
    })

    await test.step('what one decides while the other looks at it stays there with who decided, and is not overruled', async () => {
      await queueOf(mia.page)
        .getByRole('option', { name: /You know nothing/ })
        .click()
      await queueOf(jonas.page)
        .getByRole('option', { name: /You know nothing/ })
        .click()
      await queueOf(jonas.page)
        .getByRole('option', { name: /You know nothing/ })
        .press('a')
      const message = mia.page.getByRole('region', { name: 'Reported message' })
      await expect(message).toContainText('Approved by Jonas')
      await mia.page
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click()
      await expect(ann.message(cid, 'You know nothing')).toBeVisible()
    })

    await test.step('a right that is taken away is said at the top, and what is shown stays readable', async () => {
      await setRole('mia', 'user')
      const said = mia.page.getByRole('main').getByRole('status')
      await expect(said.filter({ hasText: 'Your permissions have changed.' })).toBeVisible()
      await expect(mia.page.getByRole('button', { name: /^Approve|^Return to queue/ }).first()).toHaveAttribute(
        'aria-disabled',
        'true',
      )
      await mia.page.getByRole('button', { name: /^Back to/ }).click()
      await expect(mia.page.getByRole('link', { name: /Manage/ })).toHaveCount(0)
    })
  },
)

test(
  'two administrators: what one saves is with the other at once, who sees what changed and overwrites nothing',
  LONG,
  async ({ world }) => {
    test.setTimeout(300_000)
    const { admin, url } = await world.team('olga', 'jonas', 'ann')
    await admin.call('PATCH', '/users', {
      users: ['olga', 'jonas'].map((id) => ({ id, set: { role: 'admin' } })),
    })
    const { screen: olga } = await world.client(url, 'olga')
    const { screen: jonas } = await world.client(url, 'jonas')
    for (const { page } of [olga, jonas]) {
      await expect(page.getByRole('link', { name: /^Manage/ })).toBeVisible()
      await page.getByRole('button', { name: 'Settings', exact: true }).click({ timeout: 30_000 })
      await page.getByRole('link', { name: 'Account', exact: true }).click({ timeout: 30_000 })
      await page.getByLabel('API secret').fill(SECRET)
      await page.getByLabel('API secret').press('Enter')
      await expect(page.getByText('Stored in the key store of this device.')).toBeVisible()
      await page.keyboard.press('Escape')
      await open(page, 'Rules')
      expect(await page.content()).not.toContain(SECRET)
    }

    await test.step('a new rule is with the other at once', async () => {
      await olga.page.getByRole('button', { name: 'New rule' }).click()
      await olga.page.getByRole('textbox', { name: 'Name' }).fill('No maps')
      await olga.page.getByRole('textbox', { name: 'Text contains' }).fill('map*')
      await olga.page.getByRole('button', { name: 'Save rule' }).click()
      // Without the event it would take a minute.
      await expect(jonas.page.getByRole('switch', { name: 'No maps' })).toBeVisible({ timeout: 15_000 })
    })

    await test.step('while one writes, the other saves: the line says so, shows what differs, and nothing is overwritten', async () => {
      await jonas.page.getByRole('textbox', { name: 'Name' }).fill('No maps at all')
      await olga.page.getByRole('textbox', { name: 'Text contains' }).fill('map*, chart')
      await olga.page.getByRole('button', { name: 'Save rule' }).click()
      await expect(jonas.page.getByText('Someone else has changed this rule.')).toBeVisible({ timeout: 15_000 })
      await expect(jonas.page.getByRole('button', { name: 'Save rule' })).toHaveAttribute('aria-disabled', 'true')
      await jonas.page.getByRole('button', { name: 'Show changes' }).click()
      const changes = jonas.page.getByRole('table', { name: 'Changes' })
      await expect(changes).toContainText('map*, chart')
      await expect(changes).toContainText('No maps at all')
      expect(await brokenIn(jonas.page, 'main')).toEqual([])
      await jonas.page.getByRole('button', { name: 'Use their version' }).click()
      await expect(jonas.page.getByRole('textbox', { name: 'Text contains' })).toHaveValue('map*, chart')
    })

    await test.step('a group that one makes is listed for the other', async () => {
      await open(jonas.page, 'User groups')
      await expect(jonas.page.getByText('No groups yet')).toBeVisible()
      await admin.call('POST', '/usergroups', { id: 'guides', name: 'Guides' })
      await expect(jonas.page.getByText('Guides', { exact: true })).toBeVisible({ timeout: 15_000 })
    })

    await test.step('the history names both, and says how long it is kept', async () => {
      await open(olga.page, 'History')
      await expect(olga.page.getByText(/Entries are deleted after 730 days/)).toBeVisible()
      await expect(olga.page.getByRole('list', { name: 'Actions' })).toContainText('changed the rule')
    })
  },
)
