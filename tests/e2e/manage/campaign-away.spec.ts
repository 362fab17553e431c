import { LONG } from '#kit/parts.ts'
import { openPage } from '../kit/manage.ts'
import { SECRET } from '../kit/processes.ts'
import { expect, test } from '../kit/world.ts'

const PEOPLE = 2_000
const PER_CALL = 100

test(
  'with an API secret a campaign goes on while its administrator has no connection, and reaches everyone once',
  LONG,
  async ({ world }) => {
    const { url, admin } = await world.team('alice', 'bob')
    const ids = Array.from({ length: PEOPLE }, (_, at) => `crowd${at}`)
    for (let at = 0; at < PEOPLE; at += PER_CALL) {
      const users = ids.slice(at, at + PER_CALL).map((id) => [id, { id, name: `Name ${id}`, crowd: 'yes' }])
      await admin.call('POST', '/users', { users: Object.fromEntries(users) })
    }
    const cable = await world.cable(url)
    world.expectComplaint(/ERR_CONNECTION|WebSocket/)
    const { screen: alice } = await world.client(cable.url, 'alice')
    const { page } = alice

    await test.step('without the secret there is nothing to administer; with it there is', async () => {
      await expect(page.locator('[data-channel-item]').first()).toBeVisible()
      await expect(page.getByRole('link', { name: /^Manage/ })).toHaveCount(0)
      await page.keyboard.press('Control+,')
      await page.getByRole('navigation').getByRole('link', { name: 'Account', exact: true }).click()
      await page.getByLabel('API secret').fill(SECRET)
      await page.keyboard.press('Enter')
      await expect(page.getByText('The API secret is stored.').first()).toBeAttached()
      await page.keyboard.press('Escape')
    })

    await test.step('a segment that follows a filter', async () => {
      await openPage(page, 'Segments')
      await page.getByRole('button', { name: 'Create segment' }).click()
      const dialog = page.getByRole('dialog', { name: 'Create segment' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('The crowd')
      await dialog.getByRole('button', { name: 'Create segment' }).click()
      await page.getByRole('button', { name: 'Add condition' }).click()
      const condition = page.getByRole('group', { name: 'Condition 1' })
      await condition.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Custom field…' })
      await condition.getByRole('textbox', { name: 'Name of the field' }).fill('crowd')
      await condition.getByRole('textbox', { name: 'Value' }).fill('yes')
      await page.getByRole('button', { name: 'Save' }).click()
      const who = page.getByRole('region', { name: 'Who is in it' })
      await expect(who.getByText('2,000')).toBeVisible()
    })

    await test.step('the dry run counts them, and it is sent', async () => {
      await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
      await page.getByRole('button', { name: 'New campaign' }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('News')
      await page.getByRole('button', { name: 'Add a segment or a person' }).click()
      await page.getByRole('combobox', { name: 'Add a segment or a person' }).fill('crowd')
      await page.getByRole('option', { name: 'The crowd' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
      await page.getByRole('button', { name: 'Review and send…' }).click()
      await expect(page.getByRole('heading', { name: '2,000 people get it.' })).toBeVisible({ timeout: 60_000 })
      await page.getByRole('button', { name: 'Send or schedule…' }).click()
      await page.getByRole('textbox', { name: 'Type 2,000 to confirm' }).fill('2000')
      await page.getByRole('button', { name: 'Send campaign' }).click()
      await expect(page.getByRole('button', { name: 'Stop campaign…' })).toBeVisible()
    })

    await test.step('without a connection it says how old it is, and cannot be stopped from here', async () => {
      cable.cut()
      await expect(page.getByText(/You’re offline. Last updated/)).toBeVisible({ timeout: 60_000 })
      await expect(page.getByRole('button', { name: /Stop campaign…|Delete…/ })).toHaveAttribute(
        'aria-disabled',
        'true',
      )
    })

    await test.step('back again it is finished, and everyone has it once', async () => {
      cable.mend()
      await expect(page.getByText('of 2,000 people have it')).toBeVisible({ timeout: 60_000 })
      await expect(page.getByText('Finished').first()).toBeVisible({ timeout: 60_000 })
      const found = (await admin.call('POST', '/campaigns/query', { filter: { name: 'News' } })) as {
        campaigns: { stats: Record<string, number> }[]
      }
      expect(found.campaigns[0]?.stats).toMatchObject({ stats_users_sent: PEOPLE, stats_messages_sent: PEOPLE })
    })

    await test.step('another one waits for its time, and is stopped before anyone has it', async () => {
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await page.getByRole('button', { name: 'Review and send…' }).click()
      await expect(page.getByRole('heading', { name: '2,000 people get it.' })).toBeVisible({ timeout: 60_000 })
      await page.getByRole('button', { name: 'Send or schedule…' }).click()
      await page.getByText('At a time you choose').click()
      await page.getByRole('textbox', { name: 'Type 2,000 to confirm' }).fill('2,000')
      await page.getByRole('button', { name: 'Schedule campaign' }).click()
      await page.getByRole('button', { name: 'Stop campaign…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stop campaign' }).click()
      await expect(page.getByText('Stopped').first()).toBeVisible()
      await expect(page.getByText('0', { exact: true }).first()).toBeVisible()
    })
  },
)
