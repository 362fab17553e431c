import type { Page } from 'playwright'
import type { Step } from '../steps.ts'
import { act, button, fill, inTurn, lastButton, settingsPage, toTheList, wait } from '../steps.ts'
import type { Screen } from './index.ts'
import { NARROW } from './sizes.ts'

const opened =
  (name: string): Step =>
  (page: Page) =>
    page.getByRole('link', { name, exact: true }).click({ timeout: 5_000 })
const page = (name: string): Step => inTurn(act('manage'), wait(300), opened(name), wait(500))
const person = (name: RegExp): Step =>
  inTurn(page('Directory'), (on) => on.getByRole('row', { name }).click({ timeout: 5_000 }), wait(400))
/** In a single column the list of pages is one step back. */
const narrow = (name: string): Step => inTurn(act('manage'), wait(300), toTheList, wait(200), opened(name), wait(500))

const narrowPerson = (name: RegExp): Step =>
  inTurn(narrow('Directory'), (on) => on.getByRole('row', { name }).click({ timeout: 5_000 }), wait(400))

/** Administration of people, in a workspace of this device. */
export const managePeopleScreens: readonly Screen[] = [
  { name: 'manage-people', go: page('Directory') },
  { name: 'manage-people-person', go: person(/Hana/) },
  { name: 'manage-people-450', go: narrow('Directory'), size: NARROW },
  { name: 'manage-people-add', go: inTurn(page('Directory'), button('Add person'), wait(300)) },
  { name: 'manage-people-deactivate', go: inTurn(person(/Hana/), button(/^Deactivate…/), wait(300)) },
  { name: 'manage-people-delete', go: inTurn(person(/Hana/), button('Delete person…'), wait(300)) },
  {
    name: 'manage-people-token',
    go: inTurn(person(/Hana/), button('Issue a token…'), wait(200), lastButton('Issue token'), wait(400)),
  },
  { name: 'manage-person-450', go: narrowPerson(/Hana/), size: NARROW },
  { name: 'manage-groups-none', go: page('User groups') },
  {
    name: 'manage-groups',
    go: inTurn(
      page('User groups'),
      button('Create group'),
      wait(300),
      fill('Name', 'Przewodnicy górscy'),
      lastButton('Create group'),
      wait(800),
    ),
  },
  { name: 'manage-groups-450', go: narrow('User groups'), size: NARROW },
  { name: 'manage-secret', stage: 'joined', go: inTurn(settingsPage('Account'), wait(300)) },
]
