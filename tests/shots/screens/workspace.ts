import type { Screen } from './index.ts'
import { act, button, click, inTurn, link, wait, type Step } from '../steps.ts'

const page = (name: string): Step => inTurn(act('manage'), wait(600), link(name), wait(900))
const rights = page('Roles and permissions')
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
  { name: 'manage-roles-new', go: inTurn(rights, button('New role'), wait(300)) },
  { name: 'manage-history', go: inTurn(acted, history) },
  { name: 'manage-history-open', go: inTurn(acted, history, click('[data-region="messages"] li button'), wait(400)) },
  { name: 'manage-types', go: page('Channel types') },
  { name: 'manage-commands', go: page('Commands') },
  { name: 'manage-command-new', go: inTurn(page('Commands'), button('New command'), wait(300)) },
  { name: 'manage-polls', go: page('Polls') },
  { name: 'manage-uploads', go: page('Uploads and limits') },
  {
    name: 'manage-roles-narrow',
    go: inTurn(rights, wait(300)),
    size: [900, 800],
  },
]
