import type { Screen } from './index.ts'
import { act, button, click, fill, inTurn, link, press, wait, type Step } from '../steps.ts'
import { NARROW } from './sizes.ts'

const page = (name: string): Step => inTurn(act('manage'), wait(600), link(name), wait(900))
const rights = page('Roles and rights')
const toggled = inTurn(
  click('[aria-label^="Notify everyone with @channel, Member"]'),
  click('[aria-label^="Delete anyone’s messages, Owner"]'),
  wait(200),
)
const choose = (label: string, text: string): Step =>
  inTurn(
    click(`[aria-haspopup="dialog"]:has-text("${label}")`),
    wait(400),
    fill(label, text),
    wait(700),
    press('Enter'),
    wait(500),
  )

/** Roles and rights, history, channel types, commands, polls, limits. */
export const workspaceScreens: readonly Screen[] = [
  { name: 'manage-roles', go: inTurn(rights, toggled) },
  { name: 'manage-roles-person', go: inTurn(rights, button('Check a person'), wait(300)) },
  { name: 'manage-roles-new', go: inTurn(rights, button('New role'), wait(300)) },
  { name: 'manage-roles-narrow', go: rights, size: NARROW },
]
