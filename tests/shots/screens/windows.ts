import type { Page } from 'playwright'
import type { Screen } from './index.ts'
import { act, button, click, fill, item, rightClick, inTurn, signOut, type, wait } from '../steps.ts'
import { PASSPHRASE, workspaceFile } from '../workspace-file.ts'
import { announceWorkspaces, askToJoin, hostLink } from '../newcomers.ts'
import { NARROW } from './sizes.ts'

/** An own workspace beside the demo: two accounts, and so a rail. */
const secondAccount: Screen['go'] = async (page) => {
  const second = page.getByRole('button', { name: /^Workspace Kitchen table/ })
  // A narrow window has no rail.
  if ((await page.locator('[data-region="accounts"]').or(second).count()) > 0) return
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Create your own workspace…' }).click()
  await page.getByLabel('Workspace name').fill('Kitchen table')
  await page.getByRole('dialog').getByRole('button', { name: 'Create workspace' }).click()
  await second.waitFor()
  await page.waitForTimeout(1_000)
}

const secondWindow = async (page: Page): Promise<void> => {
  const opened = page.waitForEvent('popup')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Jonas Lindqvist/ })
    .click()
  const other = await opened
  await other.waitForSelector('[data-message-list][data-settled="1"]')
}

const pick =
  (name: string): Screen['go'] =>
  (page) =>
    page.getByRole('menuitemradio', { name }).or(page.getByRole('option', { name })).first().click()

const workspace = (entry: string): Screen['go'] => inTurn(button(/^Workspace /), item(entry), wait(300))

const sharing: Screen['go'] = inTurn(secondAccount, workspace('Share on this network…'))

/** In the workspace of the picture before this one. */
const sharingAgain = workspace('Share on this network…')

/** Unless a picture before this one has started it. */
const startSharing: Screen['go'] = async (page) => {
  const start = page.getByRole('dialog').getByRole('button', { name: 'Start sharing' })
  const link = page.getByRole('textbox', { name: /^Link of the invitation/ })
  await start.or(link).first().waitFor()
  if ((await start.count()) > 0) await start.click()
  await link.waitFor()
}

const newInvitation: Screen['go'] = inTurn(
  button('New invitation'),
  fill('Name', 'Алматы, до пятницы'),
  click('role=radio[name="Guest"]'),
)

/** A newcomer on this network follows the link, and waits. */
const someoneAsks: Screen['go'] = async (page) => {
  const link = await page.getByRole('textbox', { name: /^Link of the invitation/ }).inputValue()
  await askToJoin(link, ['Marek Duda', 'Айгүл Сейтқали', 'ola wiśniewska'])
  await page.getByRole('dialog').getByText('Marek Duda', { exact: true }).waitFor()
}

const oneAsks: Screen['go'] = async (page) => {
  const link = await page.getByRole('textbox', { name: /^Link of the invitation/ }).inputValue()
  await askToJoin(link, ['Marek Duda'])
  await page.getByRole('dialog').getByText('Marek Duda', { exact: true }).waitFor()
}

const elsewhere = button(/^Join or connect/)
const invitation = inTurn(elsewhere, button(/^I have an invitation/))
const serverDoor = inTurn(elsewhere, button(/^My team runs a server/))
const workspaceFileDoor = inTurn(elsewhere, button(/^I have a workspace file/))

/** What the invitation of a device on this network leads to. */
const invited: Screen['go'] = inTurn(
  fill('Your name', 'Łucja Nowak'),
  invitation,
  async (page) => page.getByLabel('Link or code').fill(await hostLink()),
  button('Continue'),
  async (page) => page.getByRole('button', { name: 'Join', exact: true }).waitFor(),
)

/** Unless a picture before this one has asked. */
const waits: Screen['go'] = async (page, stage) => {
  await inTurn(fill('Your name', 'Łucja Nowak'), invitation)(page, stage)
  const cancel = page.getByRole('button', { name: 'Cancel request' })
  const field = page.getByLabel('Link or code')
  await cancel.or(field).first().waitFor()
  if ((await cancel.count()) > 0) return
  await field.fill(await hostLink())
  await inTurn(button('Continue'), button('Join'))(page, stage)
  await cancel.waitFor()
}

/** What is found on the network, once it is looked for. */
const nearby: Screen['go'] = inTurn(
  fill('Your name', 'Łucja Nowak'),
  invitation,
  button('Look on this network'),
  async (page) => {
    announceWorkspaces()
    await page.getByText('Ola Wiśniewska').waitFor()
  },
  wait(1_800),
)

const withFile: Screen['go'] = inTurn(workspaceFileDoor, async (page) => {
  await page.locator('main input[type="file"]').setInputFiles(await workspaceFile())
  await page.getByLabel('Passphrase').waitFor()
})
const unlocked: Screen['go'] = inTurn(withFile, fill('Passphrase', PASSPHRASE), button('Continue'), async (page) =>
  page.getByRole('button', { name: 'Open workspace' }).waitFor(),
)

/** Accounts, windows, the start, dialogs above everything. */
export const windowScreens: readonly Screen[] = [
  { name: 'workspace-menu', go: button(/^Workspace /) },
  { name: 'me-menu', go: inTurn(button(/Status, profile and settings$/), wait(200)) },
  { name: 'open-as', go: workspace('Open a second window as…') },
  { name: 'second-window', go: inTurn(workspace('Open a second window as…'), secondWindow) },
  { name: 'make-own', go: workspace('Create your own workspace…') },
  { name: 'make-own-wrong', go: inTurn(workspace('Create your own workspace…'), button('Create workspace')) },
  { name: 'demo-about', go: inTurn(button('About this demo'), wait(200)) },
  { name: 'demo-restart', go: inTurn(button('About this demo'), button('Start the demo over…'), wait(200)) },
  { name: 'delete-demo', go: workspace('Delete demo…') },
  { name: 'add-workspace', go: inTurn(workspace('Add a workspace…'), wait(300)) },
  { name: 'shortcuts', go: inTurn(act('shortcuts'), wait(300)) },
  { name: 'shortcuts-450', go: inTurn(act('shortcuts'), wait(300)), size: NARROW },
  { name: 'accounts-rail', stage: 'several', go: secondAccount },
  { name: 'accounts-workspace-menu', stage: 'several', go: inTurn(secondAccount, button(/^Workspace /)) },
  { name: 'accounts-menu', stage: 'several', go: inTurn(secondAccount, rightClick('[data-account]'), wait(200)) },
  {
    name: 'accounts-name',
    stage: 'several',
    go: inTurn(secondAccount, rightClick('[data-account]'), item('Name, icon, and color…'), wait(200)),
  },
  { name: 'accounts-450', stage: 'several', go: secondAccount, size: NARROW },
  { name: 'add-person', stage: 'several', go: inTurn(secondAccount, workspace('Add a person…')) },
  { name: 'share', stage: 'several', go: sharing },
  { name: 'share-450', stage: 'several', go: sharingAgain, size: NARROW },
  { name: 'share-on', stage: 'several', go: inTurn(sharing, startSharing) },
  { name: 'share-on-450', stage: 'several', go: inTurn(sharingAgain, startSharing), size: NARROW },
  { name: 'share-guests', stage: 'several', go: inTurn(sharing, startSharing, newInvitation, wait(200)) },
  { name: 'share-guests-450', stage: 'several', go: inTurn(sharingAgain, startSharing, newInvitation), size: NARROW },
  { name: 'share-waiting', stage: 'several', go: inTurn(sharing, startSharing, someoneAsks, wait(300)) },
  { name: 'share-waiting-450', stage: 'several', go: inTurn(sharingAgain, startSharing, wait(300)), size: NARROW },
  { name: 'share-knock', stage: 'several', go: inTurn(sharing, startSharing, oneAsks, button('Done'), wait(400)) },
  {
    name: 'share-knock-450',
    stage: 'several',
    go: inTurn(sharingAgain, startSharing, wait(300), button('Done'), wait(400)),
    size: NARROW,
  },
  { name: 'share-revoke', stage: 'several', go: inTurn(sharing, startSharing, button(/^Revoke /), wait(200)) },
  { name: 'share-stop', stage: 'several', go: inTurn(sharing, startSharing, button('Stop sharing'), wait(200)) },
  { name: 'move', stage: 'several', go: inTurn(secondAccount, workspace('Move to another device…')) },
  {
    name: 'move-wrong',
    stage: 'several',
    go: inTurn(
      secondAccount,
      workspace('Move to another device…'),
      (page) => page.locator('input[type="password"]').first().fill('lamp'),
      button('Save and move'),
      wait(200),
    ),
  },
  {
    name: 'move-450',
    stage: 'several',
    go: inTurn(secondAccount, workspace('Move to another device…')),
    size: NARROW,
  },
  {
    name: 'search-all',
    stage: 'several',
    go: inTurn(
      secondAccount,
      act('search'),
      wait(300),
      type('banner'),
      button('This workspace'),
      wait(200),
      pick('All workspaces'),
      wait(1_500),
    ),
  },
  { name: 'start', stage: 'left', go: signOut },
  { name: 'start-450', stage: 'left', go: signOut, size: NARROW },
  { name: 'start-named', stage: 'left', go: inTurn(signOut, fill('Your name', 'Łucja Nowak')) },
  {
    name: 'start-nameless',
    stage: 'left',
    go: inTurn(signOut, fill('Your name', ''), button(/^Try the demo/), wait(200)),
  },
  { name: 'start-language', stage: 'left', go: inTurn(signOut, button(/^Language/), wait(200)) },
  { name: 'start-elsewhere', stage: 'left', go: inTurn(signOut, elsewhere, wait(200)) },
  { name: 'start-elsewhere-450', stage: 'left', go: inTurn(signOut, elsewhere, wait(200)), size: NARROW },
  {
    name: 'start-make',
    stage: 'left',
    go: inTurn(signOut, fill('Your name', 'Łucja Nowak'), button(/^Create a workspace/)),
  },
  {
    name: 'start-join',
    stage: 'left',
    go: inTurn(signOut, fill('Your name', 'Łucja Nowak'), invitation, wait(300)),
  },
  {
    name: 'start-join-wrong',
    stage: 'left',
    go: inTurn(
      signOut,
      fill('Your name', 'Łucja Nowak'),
      invitation,
      fill('Link or code', '7KQ4-M2XD'),
      button('Continue'),
      wait(400),
    ),
  },
  {
    name: 'start-join-looking',
    stage: 'left',
    go: inTurn(signOut, invitation, button('Look on this network'), wait(6_000)),
  },
  { name: 'start-join-nearby', stage: 'left', go: inTurn(signOut, nearby) },
  { name: 'start-join-nearby-450', stage: 'left', go: inTurn(signOut, nearby), size: NARROW },
  { name: 'start-join-offer', stage: 'left', go: inTurn(signOut, invited) },
  { name: 'start-join-offer-450', stage: 'left', go: inTurn(signOut, invited), size: NARROW },
  { name: 'start-join-waiting', stage: 'left', go: inTurn(signOut, waits, wait(300)) },
  { name: 'start-join-waiting-450', stage: 'left', go: inTurn(signOut, waits, wait(300)), size: NARROW },
  { name: 'start-file', stage: 'left', go: inTurn(signOut, workspaceFileDoor) },
  { name: 'start-file-sealed', stage: 'left', go: inTurn(signOut, withFile) },
  { name: 'start-file-look', stage: 'left', go: inTurn(signOut, unlocked) },
  { name: 'start-file-look-450', stage: 'left', go: inTurn(signOut, unlocked), size: NARROW },
  { name: 'start-connect', stage: 'left', go: inTurn(signOut, serverDoor) },
  {
    name: 'start-connect-wrong',
    stage: 'left',
    go: inTurn(
      signOut,
      serverDoor,
      fill('Server address', 'not an address'),
      fill('API key', 'a-key'),
      click('main [type="submit"], main button:has-text("Connect")'),
      wait(400),
    ),
  },
  {
    name: 'start-guest',
    stage: 'left',
    go: inTurn(signOut, serverDoor, click('role=radio[name="Guest, read only"]'), wait(200)),
  },
  { name: 'start-connect-450', stage: 'left', go: inTurn(signOut, serverDoor), size: NARROW },
  {
    name: 'start-network',
    stage: 'left',
    go: inTurn(signOut, serverDoor, button('Network settings…'), wait(300)),
  },
]
