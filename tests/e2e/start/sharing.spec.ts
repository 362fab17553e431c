import { networkInterfaces } from 'node:os'
import { LONG } from '#kit/parts.ts'
import { expect, test, type World } from '../kit/world.ts'

/** Two whole apps that find each other over an address of this machine's network. */

const hasNetwork = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ internal, family }) => !internal && family === 'IPv4'),
)
const CID = 'team:general'
/** What sharing promises: from the press on Share to the newcomer's first answer. */
const MINUTE_MS = 60_000

async function workspaceOf(world: World) {
  const app = await world.app(world.folder('owner'))
  const screen = await world.open(app.ready['url'])
  const { page } = screen
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByRole('button', { name: /^Create a workspace/ }).click()
  await page.getByLabel('Workspace name').fill('Studio')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Workspace Studio' })).toBeVisible()
  return screen
}

async function newcomerOf(world: World) {
  const app = await world.app(world.folder('newcomer'))
  const screen = await world.open(app.ready['url'])
  await screen.page.getByLabel('Your name').fill('Marek Duda')
  await screen.page.getByRole('button', { name: /^Join or connect/ }).click()
  await screen.page.getByRole('button', { name: /^I have an invitation/ }).click()
  return screen
}

test.skip(!hasNetwork, 'This machine is on no network.')

test(
  'a newcomer joins by link within a minute of Share, writes, is answered, and is cut off when sharing stops',
  LONG,
  async ({ world }) => {
    test.slow()
    const owner = await workspaceOf(world)
    const newcomer = await newcomerOf(world)
    const [ada, marek] = [owner.page, newcomer.page]

    const pressed = Date.now()
    await owner.workspace('Share on this network…')
    const dialog = ada.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Start sharing' }).click()
    const link = await dialog.getByRole('textbox', { name: 'Link of the invitation “First invitation”' }).inputValue()
    await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible()
    expect(link).toMatch(/^parlor:\/\/join\//)

    await marek.getByLabel('Link or code').fill('7KQ4-M2XD-9TRC-0A5F-W3ZE')
    await marek.getByRole('button', { name: 'Continue' }).click()
    await expect(marek.getByRole('main').getByRole('alert')).toHaveText(
      'This code isn’t valid. Check it, or ask for a new one.',
    )
    await marek.getByLabel('Link or code').fill(link)
    await marek.getByRole('button', { name: 'Continue' }).click()
    await expect(marek.getByRole('heading', { name: 'Join Studio' })).toBeVisible()
    await expect(marek.getByLabel('Your name')).toHaveValue('Marek Duda')
    await marek.getByRole('button', { name: 'Join', exact: true }).click()
    await expect(marek.getByRole('heading', { name: 'Waiting for Ada Lovelace' })).toBeVisible()

    await dialog.getByRole('button', { name: 'Approve Marek Duda' }).click()
    await expect(marek.getByRole('button', { name: /^Workspace Studio/ })).toBeVisible()
    await expect(dialog.getByRole('heading', { name: '1 person connected' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await newcomer.openChannel(CID)
    await newcomer.send(CID, 'Hello from the next desk')
    await owner.openChannel(CID)
    await expect(owner.message(CID, 'Hello from the next desk')).toBeVisible()
    await owner.send(CID, 'Welcome in')
    await expect(newcomer.message(CID, 'Welcome in')).toBeVisible()
    expect(Date.now() - pressed).toBeLessThan(MINUTE_MS)

    await ada.getByRole('button', { name: 'Shared, 1 connected' }).click()
    await dialog.getByRole('button', { name: 'Stop sharing' }).click()
    await ada.getByRole('alertdialog', { name: 'Stop sharing?' }).getByRole('button', { name: 'Stop sharing' }).click()
    await expect(ada.getByRole('button', { name: /^Shared/ })).toHaveCount(0)
    await ada.keyboard.press('Escape')
    await owner.send(CID, 'Are you still there?')
    await expect(
      marek
        .getByRole('button', { name: /Offline|Reconnecting|Connecting/ })
        .or(marek.getByText(/Offline|Reconnecting/))
        .first(),
    ).toBeVisible()
    await expect(newcomer.message(CID, 'Are you still there?')).toHaveCount(0)
  },
)
