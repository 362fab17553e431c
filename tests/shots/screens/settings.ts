import { SETTINGS_PAGES } from '#kit/settings-pages.ts'
import type { Screen } from './index.ts'
import { act, button, click, lastButton, settingsPage, inTurn, toTheList, type, wait } from '../steps.ts'
import { NARROW } from './sizes.ts'

const nameOf = (page: string): string => `settings-${page.toLowerCase().replaceAll(' ', '-')}`

/** Every page of the settings, whole, and in a narrow window. */
export const settingsScreens: readonly Screen[] = [
  ...SETTINGS_PAGES.map((page): Screen => ({
    name: nameOf(page),
    go: inTurn(settingsPage(page), wait(300)),
    size: [1_200, 2_000],
  })),
  ...SETTINGS_PAGES.map((page): Screen => ({
    name: `${nameOf(page)}-450`,
    go: inTurn(settingsPage(page), wait(300)),
    size: [450, 1_700],
  })),
  ...['Notifications', 'Messages', 'Privacy and security', 'App and system'].map((page): Screen => ({
    name: `${nameOf(page)}-more`,
    go: inTurn(settingsPage(page), wait(300), click('main summary'), wait(200)),
    size: [1_200, 2_400],
  })),
  { name: 'settings-usual', go: inTurn(settingsPage('Appearance'), wait(300)) },
  { name: 'settings-list-450', go: inTurn(act('settings'), toTheList), size: NARROW },
  {
    name: 'settings-find',
    go: inTurn(act('settings'), wait(200), click('[data-region="sidebar"] input'), type('no'), wait(400)),
  },
  {
    name: 'settings-key-asked',
    go: inTurn(settingsPage('Keyboard'), wait(200), button(/^Change the shortcut for/), wait(200)),
  },
  {
    name: 'settings-pin',
    go: inTurn(settingsPage('Privacy and security'), wait(200), button('Set a PIN…'), wait(200)),
  },
  {
    name: 'account-file-save',
    go: inTurn(settingsPage('App and system'), wait(200), button('Save…'), wait(500)),
  },
  {
    name: 'account-file-open',
    go: inTurn(settingsPage('App and system'), wait(200), button('Open…'), wait(500)),
  },
  {
    name: 'problem',
    go: inTurn(
      settingsPage('Advanced'),
      button('Record'),
      wait(300),
      act('threads'),
      wait(500),
      button('Stop recording'),
      wait(500),
    ),
  },
  { name: 'settings-reset', go: inTurn(settingsPage('Advanced'), wait(200), lastButton(/^Reset/), wait(300)) },
  { name: 'large-settings', stage: 'large', go: inTurn(settingsPage('Notifications'), wait(300)) },
  { name: 'large-settings-450', stage: 'large', go: inTurn(settingsPage('Notifications'), wait(300)), size: NARROW },
]
