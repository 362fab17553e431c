import type { Screen } from './index.ts'
import {
  act,
  button,
  channel,
  click,
  hover,
  inPanel,
  item,
  lastButton,
  nothing,
  ofMessage,
  onMessage,
  overMessage,
  press,
  rightClick,
  switched,
  inTurn,
  wait,
  MESSAGE,
} from '../steps.ts'
import { NARROW, MIDDLE, TALL, TINY, WIDE } from './sizes.ts'
import { EVERY_KIND } from '../sample-data.ts'

const OWN = 'Lovely light'
const PHOTOS = 'First shots'
const PARENT = 'RC2 is on both'

/** The details with their counts. */
const opened = inTurn(act('details'), wait(400))

/** A channel whose pictures are hidden, one of them shown, beside the switch that hides them. */
const withoutPictures = inTurn(
  channel(EVERY_KIND),
  opened,
  inPanel(/^Channel settings/),
  switched('Hide media and previews'),
  (page) => page.locator(`${MESSAGE} button[aria-expanded="false"]`).first().click(),
  wait(400),
)

/** Messages: rows, their actions, the viewer, panels about them. */
export const readingScreens: readonly Screen[] = [
  { name: 'main', go: nothing },
  { name: 'main-1600', go: nothing, size: WIDE },
  { name: 'main-1024', go: nothing, size: [1024, 700] },
  { name: 'main-720', go: nothing, size: MIDDLE },
  { name: 'main-450', go: nothing, size: NARROW },
  { name: 'main-tiny', go: nothing, size: TINY },
  { name: 'channel-polish', go: channel('team:biuro-krakow') },
  { name: 'channel-russian', go: channel('team:komanda-almaty') },
  { name: 'channel-pictures', go: channel('team:design-crit') },
  { name: 'message-toolbar', go: overMessage(PARENT) },
  { name: 'message-focus', go: inTurn(onMessage('End'), press('ArrowUp', 'ArrowUp')) },
  { name: 'message-menu', go: inTurn(rightClick(`${MESSAGE} p`), wait(200)) },
  { name: 'message-menu-own', go: onMessage('Shift+F10', OWN) },
  { name: 'reaction-people', go: inTurn(hover(`${MESSAGE} [aria-pressed]`), wait(900)) },
  { name: 'reaction-picker', go: inTurn(onMessage('r'), wait(500)) },
  { name: 'remind-menu', go: onMessage('m') },
  { name: 'message-details', go: inTurn(onMessage('i', OWN), wait(300)) },
  { name: 'why-notified', go: inTurn(onMessage('w', '@Ola'), wait(300)) },
  { name: 'forward', go: inTurn(onMessage('f'), wait(300)) },
  { name: 'selection', go: inTurn(onMessage('x'), onMessage('x', PHOTOS)) },
  // In one column the photos are so far up that they are not in the page.
  { name: 'selection-450', go: inTurn(onMessage('x'), press('ArrowUp', 'x')), size: NARROW },
  { name: 'delete-message', go: onMessage('Delete', OWN) },
  { name: 'delete-undo', go: inTurn(onMessage('Delete', OWN), press('Tab'), button('Delete message'), wait(300)) },
  { name: 'report-message', go: inTurn(ofMessage('', 'More'), item('Report to moderators…')) },
  {
    name: 'jump-to-day',
    go: inTurn(onMessage('Home'), click('button[aria-haspopup="menu"][aria-label*="Jump"], button:has-text("days")')),
  },
  { name: 'viewer', go: inTurn(onMessage('v', PHOTOS), wait(500)) },
  { name: 'viewer-450', go: inTurn(onMessage('v', PHOTOS), wait(500)), size: NARROW },
  { name: 'viewer-zoomed', go: inTurn(onMessage('v', PHOTOS), wait(400), press('+')) },
  { name: 'thread', go: inTurn(onMessage('t', PARENT), wait(500)) },
  { name: 'thread-450', go: inTurn(onMessage('t', PARENT), wait(500)), size: NARROW },
  { name: 'thread-new', go: inTurn(onMessage('t', PHOTOS), wait(500)) },
  { name: 'thread-menu', go: inTurn(onMessage('t', PARENT), wait(300), inPanel('More actions')) },
  {
    name: 'thread-full',
    go: inTurn(onMessage('t', PARENT), wait(300), inPanel('More actions'), item('Open in full width'), wait(500)),
  },
  { name: 'profile', go: inTurn(onMessage('s'), wait(400)) },
  { name: 'profile-menu', go: inTurn(onMessage('s'), wait(400), button('More')) },
  { name: 'mute-person', go: inTurn(onMessage('s'), wait(300), button('More'), item('Mute…')) },
  { name: 'ban', go: inTurn(onMessage('s'), wait(300), button('More'), item('Ban from this channel…')) },
  { name: 'report-person', go: inTurn(onMessage('s'), wait(300), button('More'), item('Report…')) },
  { name: 'details', go: opened },
  { name: 'details-450', go: opened, size: NARROW },
  { name: 'details-tall', go: opened, size: TALL },
  { name: 'details-more', go: inTurn(act('details'), inPanel('More')) },
  { name: 'members', go: inTurn(act('details'), inPanel(/^Members/), wait(400)) },
  { name: 'member-menu', go: inTurn(act('details'), inPanel(/^Members/), wait(300), inPanel(/^Actions for/)) },
  { name: 'pinned', go: inTurn(act('details'), inPanel(/^Pinned/), wait(400)) },
  { name: 'media', go: inTurn(act('details'), inPanel(/^Photos/), wait(500)) },
  { name: 'files', go: inTurn(act('details'), inPanel(/^Files/), wait(500)) },
  { name: 'links', go: inTurn(act('details'), inPanel(/^Links/), wait(500)) },
  { name: 'polls-panel', go: inTurn(channel('team:field-trips'), act('details'), inPanel(/^Polls/), wait(500)) },
  { name: 'channel-settings', go: inTurn(act('details'), inPanel(/^Channel settings/), wait(400)), size: TALL },
  { name: 'direct', go: inTurn(click('[data-channel-item]:has-text("Priya")'), wait(500), act('details')) },
  { name: 'quote-in-composer', go: onMessage('q') },
  { name: 'every-kind', stage: 'joined', go: channel(EVERY_KIND), size: [1440, 4600] },
  { name: 'every-kind-450', stage: 'joined', go: channel(EVERY_KIND), size: [450, 5600] },
  { name: 'every-kind-newest', stage: 'joined', go: channel(EVERY_KIND) },
  { name: 'receipts', stage: 'joined', go: inTurn(channel(EVERY_KIND), onMessage('i', 'Mine, with'), wait(300)) },
  { name: 'reactions-all', stage: 'joined', go: inTurn(channel(EVERY_KIND), overMessage('Mine, with')) },
  // In a separate run: what it hides would be hidden in the pictures after it.
  { name: 'hidden-media', stage: 'joined', scene: 'hidden', go: withoutPictures, size: [1440, 2000] },
  {
    name: 'long-code',
    stage: 'joined',
    go: inTurn(channel(EVERY_KIND), lastButton(/^Show all 24 lines/), wait(300)),
    size: [1_440, 2_600],
  },
  {
    name: 'banned-members',
    stage: 'joined',
    go: inTurn(channel(EVERY_KIND), act('details'), inPanel(/^Members/), wait(600)),
    size: TALL,
  },
  { name: 'compact', stage: 'compact', go: nothing },
  { name: 'compact-details', stage: 'compact', go: opened },
  { name: 'compact-thread', stage: 'compact', go: inTurn(onMessage('t', PARENT), wait(500)) },
  { name: 'compact-threads', stage: 'compact', go: act('threads') },
  { name: 'large', stage: 'large', go: nothing },
  { name: 'large-details', stage: 'large', go: opened },
  { name: 'large-thread', stage: 'large', go: inTurn(onMessage('t', PARENT), wait(500)) },
  { name: 'large-threads', stage: 'large', go: inTurn(act('threads'), wait(300)) },
  { name: 'large-450', stage: 'large', go: nothing, size: NARROW },
]
