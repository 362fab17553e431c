import type { Screen } from './index.ts'
import { act, fill, inPanel, inTurn, nothing, onMessage, settingsPage, type, wait, write, type Step } from '../steps.ts'

/** The narrowest window, the widest one, and a window of 1280 by 1024 at 400 %. In CSS pixels. */
const SIZES = {
  320: [320, 640],
  2560: [2_560, 1_440],
  'at-400': [320, 256],
} as const

const AREAS: Readonly<Record<string, Step>> = {
  channel: nothing,
  writing: inTurn(write('A **word** about the tiles, and @Jonas'), wait(200)),
  thread: inTurn(onMessage('t'), wait(500)),
  details: inTurn(act('details'), wait(400)),
  members: inTurn(act('details'), wait(300), inPanel(/^Members/), wait(400)),
  'new-message': inTurn(act('newMessage'), wait(300)),
  switcher: inTurn(act('switcher'), wait(200), type('ma'), wait(300)),
  search: inTurn(act('search'), wait(300), type('banner'), wait(800)),
  'catching-up': inTurn(act('catchUp'), wait(500)),
  threads: inTurn(act('threads'), wait(500)),
  later: inTurn(act('reminders'), wait(500)),
  browse: inTurn(act('browse'), wait(500)),
  settings: inTurn(act('settings'), wait(400)),
  notifications: settingsPage('Notifications'),
  appearance: settingsPage('Appearance'),
  poll: inTurn(act('newPoll'), wait(400)),
  'new-channel': inTurn(act('newChannel'), wait(300), fill('Name', 'Kitchen table')),
  shortcuts: inTurn(act('shortcuts'), wait(300)),
  'message-menu': inTurn(onMessage('Shift+F10'), wait(300)),
}

/** The main areas in windows where text has to reflow. */
export const reflowScreens: readonly Screen[] = Object.entries(AREAS).flatMap(([name, go]) =>
  Object.entries(SIZES).map(([label, size]) => ({ name: `reflow-${name}-${label}`, go, size })),
)
