import type { Screen } from './index.ts'
import { act, button, click, item, onMessage, press, inTurn, type, wait } from '../steps.ts'
import { NARROW } from './sizes.ts'

/** Reminders, outbox, notices. */
export const placeScreens: readonly Screen[] = [
  { name: 'reminder-toast', stage: 'joined', go: wait(1_000) },
  { name: 'reminders', stage: 'joined', go: inTurn(act('reminders'), wait(500)) },
  { name: 'reminders-450', stage: 'joined', go: inTurn(act('reminders'), wait(500)), size: NARROW },
  { name: 'reminders-1024', stage: 'joined', go: inTurn(act('reminders'), wait(500)), size: [1_024, 700] },
  {
    name: 'reminder-menu',
    stage: 'joined',
    go: inTurn(act('reminders'), wait(300), press('Tab'), click('[data-later] button[aria-haspopup]'), wait(200)),
  },
  {
    name: 'reminder-time',
    stage: 'joined',
    go: inTurn(onMessage('m'), wait(200), press('End', 'ArrowUp', 'Enter'), wait(300)),
  },
  {
    name: 'reminder-dialog',
    go: inTurn(
      onMessage('m'),
      (page) => page.getByRole('menuitem', { name: 'Pick date and time…' }).click(),
      wait(300),
    ),
  },
  {
    name: 'reminder-dialog-wrong',
    go: inTurn(
      onMessage('m'),
      (page) => page.getByRole('menuitem', { name: 'Pick date and time…' }).click(),
      wait(200),
      type('yesterday at 9'),
      press('Enter'),
      wait(300),
    ),
  },
  { name: 'reminders-saved', stage: 'joined', go: inTurn(act('reminders'), wait(300), button(/^Saved/), wait(400)) },
  {
    name: 'reminders-done',
    stage: 'joined',
    go: inTurn(act('reminders'), wait(300), button('More'), item('Completed reminders'), wait(400)),
  },
  { name: 'reminders-none', go: inTurn(act('reminders'), wait(400)) },
  { name: 'reminder-new', go: inTurn(act('reminders'), wait(300), button('New reminder'), wait(300)) },
  {
    name: 'recent-actions',
    go: inTurn(onMessage('p'), wait(300), act('recentActions'), wait(300)),
  },
  { name: 'outbox-empty', go: act('outbox') },
  { name: 'notices', stage: 'joined', go: inTurn(act('notices'), wait(300)) },
  { name: 'notices-none', go: act('notices') },
]
