import { act, button, fill, inTurn, item, lastButton, link, press, toTheList, wait, type Step } from '../steps.ts'
import type { Screen } from './index.ts'
import { NARROW } from './sizes.ts'

const page = inTurn(act('manage'), wait(600), link('Integrations'), wait(900))
/** In a single column the list of pages is one step back. */
const narrow = inTurn(act('manage'), wait(300), toTheList, wait(200), link('Integrations'), wait(900))
const asked = (kind: RegExp) => inTurn(button('New integration'), wait(200), item(kind), wait(300))
const made = (kind: RegExp, name: string, create: string) =>
  inTurn(asked(kind), fill('Name', name), lastButton(create), wait(800))
/** Nothing answers at this port, so it fails at once. */
const command: Step = async (on) => {
  await on.getByRole('textbox', { name: 'Command' }).fill('/deploy')
  await on.getByRole('textbox', { name: 'Name' }).fill('Build server')
  await on.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/deploy')
}

/** Programs of a workspace of this device, from the empty list to one that is taken back. */
export const integrationScreens: readonly Screen[] = [
  { name: 'integrations-none', go: page },
  { name: 'integrations-new', go: inTurn(page, button('New integration'), wait(200)) },
  {
    name: 'integrations-hook',
    go: inTurn(press('Escape'), page, asked(/Incoming webhook/), fill('Name', 'Build server')),
  },
  { name: 'integrations-listen', go: inTurn(page, asked(/Outgoing webhook/), fill('Name', 'Ticket desk')) },
  {
    name: 'integrations-command',
    go: inTurn(page, asked(/Slash command/), command, button('Test address'), wait(600)),
  },
  { name: 'integrations-key', go: inTurn(page, made(/Script key/, 'Backup script', 'Create key')) },
  {
    name: 'integrations-tested',
    go: inTurn(page, made(/Incoming webhook/, 'Build server', 'Create webhook'), button('Send test'), wait(1_000)),
  },
  {
    name: 'integrations-several',
    go: inTurn(page, async (on) => {
      for (const box of await on.getByRole('checkbox').all()) await box.check()
    }),
  },
  { name: 'integrations-revoke', go: inTurn(page, lastButton('Revoke…'), wait(300)) },
  { name: 'integrations-450', go: narrow, size: NARROW },
  { name: 'integrations-detail-450', go: inTurn(narrow, button(/Build server/), wait(600)), size: NARROW },
]
