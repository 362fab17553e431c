import type { Step } from '../steps.ts'
import { act, button, call, fill, inTurn, item, lastButton, link, radio, row, toThePages, wait } from '../steps.ts'
import type { Screen } from './index.ts'
import { NARROW } from './sizes.ts'

const page = (name: string): Step => inTurn(act('manage'), wait(600), link(name), wait(900))
const narrow = (name: string): Step => inTurn(act('manage'), wait(300), toThePages, wait(200), link(name), wait(900))
const receiver =
  (name: string): Step =>
  async (on) => {
    await on.getByRole('button', { name: 'Add a segment or a person' }).click()
    await on.getByRole('combobox', { name: 'Add a segment or a person' }).fill(name)
    await on.getByRole('option', { name }).click()
    await on.keyboard.press('Escape')
  }
const addedByHand: Step = async (on) => {
  await on.getByRole('textbox', { name: /^Names, IDs/ }).fill('hana\njonas\nnobody.at.all')
  await on.getByRole('button', { name: 'Add 2 people' }).click()
}
const condition: Step = async (on) => {
  await on.getByRole('radio', { name: 'Filter' }).click()
  await on.getByRole('button', { name: 'Add condition' }).click()
  const first = on.getByRole('group', { name: 'Condition 1' })
  await first.getByRole('combobox', { name: 'Field' }).selectOption('id')
  await first.getByRole('textbox', { name: 'Value' }).fill('ola')
}
/** What their profiles say; of the others nothing is known. */
const zones = inTurn(
  call('directory.change', { userId: 'hana', fields: { timezone: 'Asia/Tokyo' } }),
  call('directory.change', { userId: 'jonas', fields: { timezone: 'America/New_York' } }),
  wait(500),
)
/** Jonas answers in a window of his own, which is closed again. */
const answered: Step = async (on, stage) => {
  await inTurn(button(/^Workspace /), item('Open a second window as…'))(on, stage)
  const [window] = await Promise.all([
    on.context().waitForEvent('page'),
    on
      .getByRole('dialog')
      .getByRole('button', { name: /^Jonas Lindqvist/ })
      .click(),
  ])
  await window
    .getByRole('link', { name: /^Ola Wiśniewska/ })
    .first()
    .click()
  await window.locator('[data-composer]').click()
  await window.keyboard.type('Thank you, the contours are much clearer.')
  await window.keyboard.press('Enter')
  await window.waitForTimeout(1_500)
  await window.close()
  await on.waitForTimeout(2_500)
}
const created = inTurn(
  page('Segments'),
  button('Create segment'),
  wait(300),
  fill('Name', 'Hut keepers'),
  (on) => on.getByText('A list of people').click(),
  lastButton('Create segment'),
  wait(800),
  addedByHand,
  wait(800),
)
const written = inTurn(
  zones,
  page('Campaigns'),
  button('New campaign'),
  wait(500),
  fill('Name', 'Winter maps'),
  receiver('Jonas Lindqvist'),
  receiver('Hana Mori'),
  receiver('Marcus Feld'),
  fill('Message', 'The winter maps are here.'),
  wait(1_000),
)
const review = inTurn(button('Review and send…'), wait(1_500))
const reviewed = inTurn(page('Campaigns'), button('Continue'), wait(800), review)
/** The review has saved it. */
const asked = inTurn(page('Campaigns'), row(/Winter maps/), wait(800), review, button('Send or schedule…'), wait(500))

/** Segments and campaigns of a workspace of this device, from the empty lists to what came of it. */
export const campaignScreens: readonly Screen[] = [
  { name: 'segments-none', go: page('Segments') },
  { name: 'segment-new', go: inTurn(page('Segments'), button('Create segment'), wait(300)) },
  { name: 'campaigns-none', go: page('Campaigns') },
  { name: 'segment', go: created },
  { name: 'segments', go: page('Segments') },
  {
    name: 'segment-everyone',
    go: inTurn(
      page('Segments'),
      button('Create segment'),
      wait(300),
      (on) => on.getByText('Everyone in the workspace').click(),
      wait(800),
    ),
  },
  {
    name: 'segment-json',
    go: inTurn(
      page('Segments'),
      row(/Hut keepers/),
      wait(600),
      radio('JSON'),
      wait(300),
      (on) => on.getByRole('textbox', { name: 'Filter as JSON' }).fill('{\n  "role": { "$like": "a" }\n}'),
      wait(600),
    ),
  },
  { name: 'segment-filter', go: inTurn(page('Segments'), row(/Hut keepers/), wait(600), condition, wait(800)) },
  { name: 'campaign-written', go: written },
  {
    name: 'campaign-file',
    go: inTurn(page('Campaigns'), button('Continue'), wait(800), button('Add a file'), wait(300)),
  },
  {
    name: 'campaign-poll',
    go: inTurn(
      page('Campaigns'),
      button('Continue'),
      wait(800),
      button('Add a poll'),
      wait(300),
      fill('Question', 'Which hut do you want to reach first?'),
      fill('Options', 'The old one\nThe new one at the lake'),
      lastButton('Add'),
      wait(2_500),
    ),
  },
  {
    name: 'campaign-delivery',
    go: inTurn(
      page('Campaigns'),
      button('Continue'),
      wait(800),
      lastButton('Change'),
      wait(300),
      (on) => on.getByText('A channel for each person').click(),
      wait(300),
    ),
  },
  { name: 'campaigns', go: page('Campaigns') },
  { name: 'campaign-review', go: reviewed },
  { name: 'campaign-send', go: asked },
  {
    name: 'campaign-send-450',
    go: inTurn(narrow('Campaigns'), row(/Winter maps/), wait(800), review, button('Send or schedule…'), wait(500)),
    size: NARROW,
  },
  {
    name: 'campaign-overview-450',
    go: inTurn(narrow('Campaigns'), row(/Winter maps/), wait(800), review, radio('Overview'), wait(500)),
    size: NARROW,
  },
  {
    name: 'campaign-result',
    go: inTurn(asked, fill('Type 3 to confirm', '3'), lastButton('Send campaign'), wait(3_000)),
  },
  { name: 'campaign-replies', go: inTurn(page('Campaigns'), row(/Winter maps/), wait(800), answered) },
  {
    name: 'campaign-replies-table',
    go: inTurn(page('Campaigns'), row(/Winter maps/), wait(800), button('Show as table'), wait(300)),
  },
  { name: 'segments-450', go: narrow('Segments'), size: NARROW },
  { name: 'segment-450', go: inTurn(narrow('Segments'), row(/Hut keepers/), wait(800)), size: NARROW },
  { name: 'campaigns-450', go: narrow('Campaigns'), size: NARROW },
  { name: 'campaign-450', go: inTurn(narrow('Campaigns'), row(/Winter maps/), wait(800)), size: NARROW },
]
