import type { Screen } from './index.ts'
import { act, button, channel, click, cut, press, inTurn, type, wait, write } from '../steps.ts'
import { NARROW } from './sizes.ts'

/** The server can be reached again, but doesn’t answer yet. */
const tryNow: Screen['go'] = (page, { cable }) => {
  cable?.hold()
  cable?.mend()
  return page
    .getByRole('button', { name: /Try now/ })
    .last()
    .click({ timeout: 5_000 })
}
/** Texts may have only a few characters there, until the queue is sent. */
const refuseWhatWaits: Screen['go'] = async (page, { cable, admin }) => {
  await admin?.change('team:every-kind', { config_overrides: { max_message_length: 5 } })
  cable?.mend()
  await page.waitForTimeout(6_000)
  await admin?.change('team:every-kind', { config_overrides: {} })
}

/** Connections, closed channels, empty lists. */
export const stateScreens: readonly Screen[] = [
  {
    name: 'slow-mode',
    stage: 'member',
    go: inTurn(channel('team:rather-slow'), write('One'), press('Enter'), wait(800), write('One more thing')),
  },
  { name: 'read-only', stage: 'member', go: channel('team:read-only') },
  { name: 'frozen', stage: 'member', go: channel('team:deep-freeze') },
  { name: 'frozen-450', stage: 'member', go: channel('team:deep-freeze'), size: NARROW },
  {
    name: 'blocked',
    stage: 'member',
    go: inTurn((page) => page.locator('[data-channel-item]:has-text("Marcus")').click({ timeout: 5_000 }), wait(600)),
  },
  { name: 'member-settings', stage: 'member', go: inTurn(channel('team:every-kind'), act('details'), wait(400)) },
  { name: 'nothing-yet', stage: 'member', go: channel('team:nothing-yet') },
  {
    name: 'offline',
    stage: 'wired',
    go: inTurn(
      channel('team:every-kind'),
      cut,
      write('And the dark variants.'),
      press('Enter'),
      wait(300),
      act('outbox'),
      wait(300),
    ),
  },
  {
    name: 'offline-chip',
    stage: 'wired',
    go: inTurn(channel('team:every-kind'), cut, click('header [aria-live] > button'), wait(200)),
  },
  { name: 'offline-450', stage: 'wired', go: inTurn(channel('team:every-kind'), cut), size: NARROW },
  {
    name: 'offline-writing',
    stage: 'wired',
    go: inTurn(channel('team:every-kind'), cut, write('The Polish one fits')),
  },
  { name: 'offline-search', stage: 'wired', go: inTurn(cut, act('search'), wait(300), type('banner'), wait(800)) },
  { name: 'offline-unknown', stage: 'wired', go: inTurn(cut, channel('team:old-plans')) },
  { name: 'reconnecting', stage: 'wired', go: inTurn(cut, tryNow) },
  {
    name: 'not-sent',
    stage: 'wired',
    go: inTurn(
      channel('team:every-kind'),
      cut,
      write('Pushing the illustrations now.'),
      press('Enter'),
      wait(300),
      refuseWhatWaits,
      act('outbox'),
      wait(300),
    ),
  },
  { name: 'nobody-here', stage: 'empty', go: wait(800) },
  { name: 'nobody-threads', stage: 'empty', go: inTurn(act('threads'), wait(400)) },
  { name: 'nobody-catch-up', stage: 'empty', go: inTurn(act('catchUp'), wait(400)) },
  { name: 'nobody-mentions', stage: 'empty', go: inTurn(act('mentions'), wait(800)) },
  { name: 'nobody-drafts', stage: 'empty', go: inTurn(act('drafts'), wait(400)) },
  { name: 'nobody-message', stage: 'empty', go: inTurn(act('newMessage'), wait(400)) },
  {
    name: 'sign-out',
    go: inTurn(button(/^Workspace /), (page) => page.getByRole('menuitem', { name: 'Sign out…' }).click(), wait(300)),
  },
]
