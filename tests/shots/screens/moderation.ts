import { act, button, fill, inTurn, link, radio, switched, toTheList, wait } from '../steps.ts'
import type { Screen } from './index.ts'

const NARROW = [450, 860] as const
const MEDIUM = [1024, 800] as const

const newRule = inTurn(
  act('manage'),
  link('Rules'),
  button('New rule'),
  fill('Name', 'Advertising phrases'),
  fill('Text contains', 'map*, half price'),
  radio(/^Block/),
  fill('Message to the sender', 'This looks like advertising. A moderator will check it.'),
)
const tried = fill('Try on a text', 'New maps at half price, write me')
const bans = inTurn(act('manage'), link('Bans and mutes'), wait(300))
const banSomeone = inTurn(bans, button('Ban someone…'), wait(200))

const ban = (name: string, reason: string) =>
  inTurn(
    banSomeone,
    fill('Who', name),
    wait(300),
    (page) => page.keyboard.press('Enter'),
    (page) => page.getByRole('dialog').getByLabel('Reason').fill(reason),
    radio('30 days'),
    switched(/^Shadow ban/),
    button(/^Shadow ban /),
    wait(500),
  )

/** Rules, and bans and mutes. A picture finds what the previous one left. */
export const moderationScreens: readonly Screen[] = [
  { name: 'manage-rules-none', go: inTurn(act('manage'), link('Rules'), wait(300)) },
  {
    name: 'manage-rules',
    go: inTurn(newRule, tried, button('Save rule'), wait(600), button('Start'), wait(1_500)),
  },
  { name: 'manage-rules-test', go: inTurn(newRule, button('Test'), tried, wait(200)), size: MEDIUM },
  { name: 'manage-rules-list', go: inTurn(act('manage'), link('Rules'), button('New block list'), wait(300)) },
  {
    name: 'manage-rules-450',
    go: inTurn(toTheList, link('Manage'), wait(300), toTheList, link('Rules'), wait(300)),
    size: NARROW,
  },
  { name: 'manage-bans-none', go: bans },
  { name: 'manage-bans-dialog', go: inTurn(banSomeone, fill('Who', 'Marcus'), wait(300)) },
  { name: 'manage-bans', go: inTurn(ban('Marcus', 'Links to a shop'), wait(300)) },
  { name: 'manage-mutes', go: inTurn(bans, radio('Mutes'), wait(300)) },
  {
    name: 'manage-rule-450',
    go: inTurn(act('manage'), wait(300), toTheList, link('Rules'), wait(300), button('New rule'), wait(300)),
    size: NARROW,
  },
  {
    name: 'manage-bans-ended',
    go: inTurn(bans, button(/^Unban Marcus/), wait(500), button('Ended'), wait(500)),
  },
  {
    name: 'manage-bans-450',
    go: inTurn(toTheList, link('Manage'), wait(300), toTheList, link('Bans and mutes'), wait(300)),
    size: NARROW,
  },
]
