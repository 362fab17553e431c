import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { setClock, setWeekStart } from '../../renderer/i18n/index.ts'
import { Rail } from '../../renderer/features/accounts/AccountRail.tsx'
import { Attachments } from '../../renderer/features/attachments/index.ts'
import { GettingStarted } from '../../renderer/features/channel/getting-started/guide.tsx'
import { COMPOSER_PARTS } from '../../renderer/features/composer/parts.ts'
import { PaneOverlays } from '../../renderer/features/messages/actions/use-pane-actions.tsx'
import { NoticeCard } from '../../renderer/features/notices/Notices.tsx'
import { PollCard } from '../../renderer/features/polls/index.ts'
import { Chip, RemindMenu } from '../../renderer/features/reminders/parts.tsx'
import { SIDEBAR_PARTS } from '../../renderer/features/sidebar/parts.ts'
import { MATCHING } from '../../renderer/features/composer/suggestions/use-suggestions.ts'
import { dropAnnouncements } from '../../renderer/lib/page/announce.ts'

/**
 * Strict as in the app: a component that changes something while rendering, or does not survive running its effects twice,
 * fails. In one call, because each call resets what it does not name. The time is a limit for hangs, not a measure.
 */
configure({ reactStrictMode: true, asyncUtilTimeout: 30_000 })

/** happy-dom has no popovers: here they are shown where they are in the document. */
Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement): void {
    this.dataset['shown'] = ''
  },
  hidePopover(this: HTMLElement): void {
    delete this.dataset['shown']
  },
})

/** The window of happy-dom. */
const WINDOW = { innerWidth: 1024, innerHeight: 768 }

/**
 * Files share their modules, so each begins with a page as new as it can be. The library sets up its own part only when it
 * is imported, in the first file.
 */
/** As in a window that has been open for a moment: what it loads after its first paint is there. */
const PARTS = [
  Attachments,
  Chip,
  GettingStarted,
  PaneOverlays,
  PollCard,
  Rail,
  RemindMenu,
  NoticeCard,
  ...COMPOSER_PARTS,
  ...SIDEBAR_PARTS,
]

beforeAll(async () => {
  await Promise.all([...PARTS.map(({ ready }) => ready()), MATCHING.load()])
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  document.body.replaceChildren()
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name)
  localStorage.clear()
  Object.assign(window, WINDOW)
  setClock('auto', undefined)
  setWeekStart('auto')
})
afterEach(() => {
  cleanup()
  dropAnnouncements()
})
