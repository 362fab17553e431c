import type common from '../../resources/locales/en/common.json'
import type accounts from '../../resources/locales/en/accounts.json'
import type sidebar from '../../resources/locales/en/sidebar.json'
import type channel from '../../resources/locales/en/channel.json'
import type session from '../../resources/locales/en/session.json'
import type settings from '../../resources/locales/en/settings.json'
import type notifications from '../../resources/locales/en/notifications.json'
import type notices from '../../resources/locales/en/notices.json'
import type errors from '../../resources/locales/en/errors.json'
import type lock from '../../resources/locales/en/lock.json'
import type locations from '../../resources/locales/en/locations.json'
import type messages from '../../resources/locales/en/messages.json'
import type thread from '../../resources/locales/en/thread.json'
import type typing from '../../resources/locales/en/typing.json'
import type preferences from '../../resources/locales/en/preferences.json'
import type data from '../../resources/locales/en/data.json'
import type drafts from '../../resources/locales/en/drafts.json'
import type emoji from '../../resources/locales/en/emoji.json'
import type composer from '../../resources/locales/en/composer.json'
import type polls from '../../resources/locales/en/polls.json'
import type outbox from '../../resources/locales/en/outbox.json'
import type reminders from '../../resources/locales/en/reminders.json'
import type unread from '../../resources/locales/en/unread.json'
import type search from '../../resources/locales/en/search.json'
import type desktop from '../../resources/locales/en/desktop.json'
import type details from '../../resources/locales/en/details.json'
import type profile from '../../resources/locales/en/profile.json'
import type browse from '../../resources/locales/en/browse.json'
import type windows from '../../resources/locales/en/windows.json'
import type downloads from '../../resources/locales/en/downloads.json'
import type updates from '../../resources/locales/en/updates.json'

/**
 * The texts of the product by area, one file per area and language. A new area is one line here and three files in
 * `resources/locales`, which are found by folder.
 */
type Areas = {
  common: typeof common
  accounts: typeof accounts
  sidebar: typeof sidebar
  channel: typeof channel
  session: typeof session
  settings: typeof settings
  preferences: typeof preferences
  notices: typeof notices
  notifications: typeof notifications
  errors: typeof errors
  lock: typeof lock
  locations: typeof locations
  messages: typeof messages
  thread: typeof thread
  typing: typeof typing
  data: typeof data
  drafts: typeof drafts
  emoji: typeof emoji
  composer: typeof composer
  outbox: typeof outbox
  polls: typeof polls
  reminders: typeof reminders
  search: typeof search
  unread: typeof unread
  desktop: typeof desktop
  details: typeof details
  profile: typeof profile
  browse: typeof browse
  windows: typeof windows
  downloads: typeof downloads
  updates: typeof updates
}

export type AreaName = keyof Areas

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Areas
    returnNull: false
  }
}
