import { SECRET } from '../../e2e/kit/processes.ts'
import { addCampaign } from '../crowd.ts'
import type { Stage } from '../stages.ts'
import type { Step } from '../steps.ts'
import {
  act,
  button,
  call,
  cut,
  fill,
  inTurn,
  lastButton,
  link,
  press,
  radio,
  row,
  toThePages,
  wait,
} from '../steps.ts'
import type { Screen } from './index.ts'
import { NARROW } from './sizes.ts'

/** Side by side is not room enough for all columns. */
const SMALL = [1_024, 900] as const

/** With it Ola may administer segments and campaigns. It is stored once. */
const secret: Step = async (on, stage) => {
  if (stored.has(stage)) return
  stored.add(stage)
  await call('session.saveApiSecret', { secret: SECRET })(on, stage)
  await on.waitForTimeout(3_000)
}
const stored = new WeakSet<Stage>()
const page = (name: string): Step => inTurn(secret, act('manage'), wait(600), link(name), wait(900))
const narrow = (name: string): Step =>
  inTurn(secret, act('manage'), wait(300), toThePages, wait(200), link(name), wait(900))
const opened = (where: Step, name: RegExp): Step => inTurn(where, row(name), wait(900))

const campaign =
  (name: string, segment?: string): Step =>
  async (_on, { admin }) => {
    if (admin !== undefined) await addCampaign(admin, name, segment)
  }
const reviewed = (where: Step, name: RegExp): Step =>
  inTurn(opened(where, name), button('Review and send…'), async (on) => {
    await on.getByRole('button', { name: 'Send or schedule…' }).waitFor()
    await on.locator('[aria-disabled="true"]', { hasText: 'Send or schedule…' }).waitFor({ state: 'detached' })
  })
const asked = (where: Step, name: RegExp): Step =>
  inTurn(reviewed(where, name), wait(500), button('Send or schedule…'), wait(500))
const confirmed: Step = async (on) => {
  const field = on.getByLabel(/^Type .* to confirm$/)
  const [number = ''] = /[\d,]+/.exec((await on.getByText(/^Type .* to confirm$/).textContent()) ?? '') ?? []
  await field.fill(number)
  await field.press('Enter')
}
const started = (name: string, segment?: string): Step =>
  inTurn(campaign(name, segment), asked(page('Campaigns'), new RegExp(name, 'u')), confirmed, wait(2_500))
const atNight: Step = async (on) => {
  await on.getByText('At a time you choose').click()
  await on.waitForTimeout(300)
  await on.getByLabel('Time', { exact: true }).first().fill('23:30')
  await on.getByText('Stop automatically').click()
}
const leftOut = inTurn(
  (on) =>
    on
      .getByText(/^Left out: /)
      .first()
      .click(),
  wait(900),
)

/** Segments and campaigns of thousands of people, with an API secret: on the way, stopped, and over with some missing. */
export const crowdScreens: readonly Screen[] = (
  [
    { name: 'segments-several', go: page('Segments') },
    { name: 'segments-several-1024', go: page('Segments'), size: SMALL },
    { name: 'segments-several-450', go: narrow('Segments'), size: NARROW },
    { name: 'segment-channels', go: opened(page('Segments'), /Team channels/) },
    { name: 'segment-channels-1024', go: opened(page('Segments'), /Team channels/), size: SMALL },
    { name: 'segment-channels-list', go: inTurn(opened(page('Segments'), /Team channels/), radio('List'), wait(600)) },
    { name: 'segment-nested', go: opened(page('Segments'), /Winter hikers/) },
    { name: 'segment-nested-1024', go: opened(page('Segments'), /Winter hikers/), size: SMALL },
    { name: 'segment-nested-450', go: opened(narrow('Segments'), /Winter hikers/), size: NARROW },
    { name: 'segment-nested-json', go: inTurn(opened(page('Segments'), /Winter hikers/), radio('JSON'), wait(500)) },
    {
      name: 'segment-person',
      go: inTurn(
        opened(page('Segments'), /Winter hikers/),
        button('Check a person'),
        (on) => on.getByRole('combobox', { name: 'Find a person' }).fill('Jonas'),
        wait(900),
        press('ArrowDown', 'Enter'),
        wait(1_200),
      ),
    },
    { name: 'campaign-dry-run', go: inTurn(reviewed(page('Campaigns'), /Winter maps/), wait(900)) },
    { name: 'campaign-dry-run-1024', go: reviewed(page('Campaigns'), /Winter maps/), size: SMALL },
    { name: 'campaign-left-out', go: inTurn(reviewed(page('Campaigns'), /Winter maps/), leftOut) },
    { name: 'campaign-left-out-450', go: inTurn(reviewed(narrow('Campaigns'), /Winter maps/), leftOut), size: NARROW },
    { name: 'campaign-at-night', go: inTurn(asked(page('Campaigns'), /Winter maps/), atNight, wait(500)) },
    {
      name: 'campaign-at-night-450',
      go: inTurn(asked(narrow('Campaigns'), /Winter maps/), atNight, wait(500)),
      size: NARROW,
    },
    {
      name: 'campaign-scheduled',
      go: inTurn(asked(page('Campaigns'), /Winter maps/), atNight, wait(300), confirmed, wait(1_500)),
    },
    { name: 'campaign-scheduled-450', go: opened(narrow('Campaigns'), /Winter maps/), size: NARROW },
    {
      name: 'campaign-running',
      go: started('Snow report'),
    },
    {
      name: 'campaign-stop',
      go: inTurn(started('Road works'), button('Stop campaign…'), wait(400)),
    },
    {
      name: 'campaign-stopped',
      go: inTurn(
        started('Lost and found'),
        button('Stop campaign…'),
        wait(400),
        lastButton('Stop campaign'),
        wait(1_500),
      ),
    },
    {
      name: 'campaign-failed',
      go: started('Opening hours', 'keepers'),
    },
    { name: 'campaign-failed-1024', go: opened(page('Campaigns'), /Opening hours/), size: SMALL },
    { name: 'campaign-failed-450', go: opened(narrow('Campaigns'), /Opening hours/), size: NARROW },
    {
      name: 'campaign-again',
      go: inTurn(opened(page('Campaigns'), /Opening hours/), button('Try these again…'), wait(900)),
    },
    { name: 'campaigns-several', go: page('Campaigns') },
    { name: 'campaigns-several-1024', go: page('Campaigns'), size: SMALL },
    { name: 'campaigns-several-450', go: narrow('Campaigns'), size: NARROW },
    {
      name: 'campaign-conflict',
      go: inTurn(
        opened(page('Campaigns'), /Spring tours/),
        fill('Message', 'The spring tours are here.'),
        async (_page, { admin }) => {
          const found = (await admin?.call('POST', '/campaigns/query', { filter: { name: 'Spring tours' } })) as {
            campaigns: readonly { id: string }[]
          }
          await admin?.call('PUT', `/campaigns/${found.campaigns[0]?.id}`, {
            name: 'Spring tours',
            sender_id: 'ola',
            segment_ids: ['hikers'],
            message_template: { text: 'Written by somebody else' },
          })
        },
        wait(800),
        button('Review and send…'),
        wait(1_500),
      ),
    },
    { name: 'campaigns-offline', go: inTurn(page('Campaigns'), cut) },
    { name: 'campaign-offline', go: inTurn(opened(page('Campaigns'), /Opening hours/), cut) },
    { name: 'segment-offline', go: inTurn(opened(page('Segments'), /Team channels/), cut) },
  ] satisfies readonly Screen[]
).map((screen) => ({ ...screen, stage: 'crowd' as const }))
