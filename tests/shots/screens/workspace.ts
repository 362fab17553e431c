import type { Screen } from './index.ts'
import { act, button, click, inTurn, link, toTheList, wait, type Step } from '../steps.ts'
import { NARROW } from './sizes.ts'

const page = (name: string): Step => inTurn(act('manage'), wait(600), link(name), wait(900))
/** In a single column the list of pages is one step back. */
const narrow = (name: string): Step => inTurn(act('manage'), wait(300), toTheList, wait(200), link(name), wait(900))
const rights = page('Roles and permissions')
const choose =
  (label: RegExp, text: string, option: RegExp): Step =>
  async (on) => {
    await on.getByRole('button', { name: label }).click()
    await on.getByRole('combobox', { name: label }).fill(text)
    await on.getByRole('option', { name: option }).first().click()
  }
const toggled = inTurn(
  click('[aria-label^="Notify everyone with @channel, Member"]'),
  click('[aria-label^="Delete anyone’s messages, Owner"]'),
  wait(200),
)
const history = page('History')
/** Ends up with something in the history. */
const acted = inTurn(rights, toggled, button('Save'), wait(800))

/** Roles and rights, history, channel types, commands, polls, limits. */
export const workspaceScreens: readonly Screen[] = [
  { name: 'manage-roles', go: inTurn(rights, toggled) },
  { name: 'manage-roles-person', go: inTurn(rights, button('Check a person'), wait(300)) },
  {
    name: 'manage-roles-can',
    go: inTurn(
      rights,
      button('Check a person'),
      choose(/What can this person do/, 'Jonas', /Jonas/),
      choose(/in this channel/, 'release', /release/),
      wait(500),
    ),
  },
  { name: 'manage-roles-new', go: inTurn(rights, button('New role'), wait(300)) },
  { name: 'manage-history', go: inTurn(acted, history) },
  { name: 'manage-history-open', go: inTurn(acted, history, click('[data-region="messages"] li button'), wait(400)) },
  { name: 'manage-types', go: page('Channel types') },
  { name: 'manage-commands', go: page('Commands') },
  { name: 'manage-command-new', go: inTurn(page('Commands'), button('New command'), wait(300)) },
  { name: 'manage-polls', go: page('Polls') },
  { name: 'manage-uploads', go: page('Uploads and limits') },
  { name: 'manage-roles-450', go: narrow('Roles and permissions'), size: NARROW },
  { name: 'manage-history-450', go: narrow('History'), size: NARROW },
  { name: 'manage-types-450', go: narrow('Channel types'), size: NARROW },
  { name: 'manage-commands-450', go: narrow('Commands'), size: NARROW },
  { name: 'manage-polls-450', go: narrow('Polls'), size: NARROW },
  { name: 'manage-uploads-450', go: narrow('Uploads and limits'), size: NARROW },
  { name: 'manage-list-450', go: inTurn(act('manage'), wait(300), toTheList, wait(300)), size: NARROW },
  {
    name: 'manage-roles-narrow',
    go: inTurn(rights, wait(300)),
    size: [900, 800],
  },
]
