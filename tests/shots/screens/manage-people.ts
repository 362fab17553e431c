import type { Screen } from './index.ts'
import { act, button, inTurn, wait } from '../steps.ts'
import { NARROW } from './sizes.ts'

const page = (name: string) =>
  inTurn(act('manage'), wait(300), (on) => on.getByRole('link', { name, exact: true }).click(), wait(500))
const person = (name: string) =>
  inTurn(page('Directory'), (on) => on.getByRole('row', { name: new RegExp(name) }).click(), wait(400))

/** Administration of people, in a workspace of this device. */
export const managePeopleScreens: readonly Screen[] = [
  { name: 'manage-people', go: page('Directory') },
  { name: 'manage-people-person', go: person('Kacper') },
  { name: 'manage-people-person-450', go: person('Kacper'), size: NARROW },
  { name: 'manage-people-add', go: inTurn(page('Directory'), button('Add person'), wait(300)) },
  { name: 'manage-people-delete', go: inTurn(person('Kacper'), button('Delete person…'), wait(300)) },
  {
    name: 'manage-people-token',
    go: inTurn(person('Kacper'), button('Issue a token…'), wait(200), button('Issue token'), wait(300)),
  },
  { name: 'manage-groups', go: page('User groups') },
]
