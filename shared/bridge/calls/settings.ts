import * as v from 'valibot'
import { DEFAULT_DESKTOP, LOCK_MINUTES } from '../../domain/desktop/desktop.ts'
import { UPDATE_MODES } from '../../domain/desktop/policies.ts'
import { MAX_SAVED_PLACES, PLACE_NAME_LENGTH } from '../../domain/place.ts'
import { MAX_SAVED_SEARCHES, SEARCH_NAME_LENGTH, SEARCH_ORDERS } from '../../domain/search.ts'
import { ACCENTS, AWAY_MINUTES, DEFAULT_SOUNDS, LANGUAGES, MAX_LEFT_PLACES } from '../../domain/settings.ts'
import { SOUNDS } from '../../domain/notification.ts'
import { asCid } from '../../lib/brand.ts'
import { SOUND_FILE_BYTES } from '../../constants.ts'
import { call } from '../../lib/contract.ts'
import { line, messageId, nothing } from '../schemas.ts'

const name = v.pipe(line, v.maxLength(100))
const cid = v.pipe(v.string(), v.maxLength(129))
/** A key combination as the key bindings write it: `Mod+Shift+D`. */
const chord = v.pipe(v.string(), v.maxLength(40), v.regex(/^(?:(?:Mod|Ctrl|Alt|Shift)\+)*(?:[^+\s]+|\+)$/))
/** Bounds far above normal use; beyond them a setting counts as invalid as a whole. */
export const MOST_CHANNELS = 10_000
export const MOST_DIGESTS = 1_000
export const MOST_ALLOWED = 1_000
export const MOST_CLOSED = 100
/** By account (`sidebarKey`). */
const chosenChannels = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(2_500)), v.pipe(v.array(cid), v.maxLength(MOST_CHANNELS))),
  v.maxEntries(100),
)
const sectionKey = v.pipe(v.string(), v.maxLength(120))

/** Bounds far above normal use; they prevent a faulty program from filling the file. */
const sidebarSchema = v.object({
  folders: v.pipe(v.array(v.object({ id: name, name })), v.maxLength(100)),
  placed: v.pipe(v.record(cid, name), v.maxEntries(5_000)),
  order: v.pipe(v.record(sectionKey, v.pipe(v.array(cid), v.maxLength(5_000))), v.maxEntries(104)),
  sort: v.pipe(v.record(sectionKey, v.picklist(['recent', 'unread', 'name', 'manual'])), v.maxEntries(104)),
  unreadOnly: v.boolean(),
})

const moment = v.pipe(v.number(), v.integer(), v.minValue(0))
const leftPlaceSchema = v.object({
  messageId,
  at: moment,
  offset: v.pipe(v.number(), v.minValue(-100_000), v.maxValue(100_000)),
  leftAt: moment,
})

const level = v.picklist(['all', 'mentions', 'none'])
const minute = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_439))
const digest = v.object({ minute, days: v.picklist(['daily', 'workdays']), mentionsNow: v.boolean() })
const person = v.pipe(v.string(), v.minLength(1), v.maxLength(255))
const sound = v.picklist(SOUNDS)
const soundsSchema = v.object({
  meant: sound,
  message: sound,
  reminder: sound,
  volume: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  file: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
})
const notificationsSchema = v.object({
  level,
  levels: v.pipe(
    v.record(v.pipe(v.string(), v.maxLength(2_500)), v.pipe(v.record(cid, level), v.maxEntries(MOST_CHANNELS))),
    v.maxEntries(100),
  ),
  // Optional, so that older files without digests stay valid.
  digests: v.optional(
    v.pipe(
      v.record(v.pipe(v.string(), v.maxLength(2_500)), v.pipe(v.record(cid, digest), v.maxEntries(MOST_DIGESTS))),
      v.maxEntries(100),
    ),
    {},
  ),
  keywords: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(100))), v.maxLength(100)),
  preview: v.picklist(['full', 'sender', 'nothing']),
  presenting: v.boolean(),
  sound: v.boolean(),
  // Optional, so that older files without sounds stay valid.
  sounds: v.optional(soundsSchema, DEFAULT_SOUNDS),
  flash: v.optional(v.picklist(['never', 'once', 'until-opened']), 'once'),
  badge: v.picklist(['mentions', 'all', 'off']),
  pausedUntil: v.pipe(v.number(), v.minValue(0)),
  quietHours: v.pipe(
    v.array(
      v.object({
        id: name,
        weekdays: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))), v.maxLength(7)),
        from: minute,
        to: minute,
      }),
    ),
    v.maxLength(20),
  ),
  allowed: v.pipe(v.array(person), v.maxLength(MOST_ALLOWED)),
})

const spellingLanguages = v.pipe(v.array(v.pipe(v.string(), v.maxLength(20))), v.maxLength(20))

/** Each field has its own default, so that an older file without a newer field stays valid. */
const desktopSchema = v.object({
  tray: v.optional(v.picklist(['auto', 'on', 'off']), DEFAULT_DESKTOP.tray),
  closing: v.optional(v.picklist(['auto', 'tray', 'quit']), DEFAULT_DESKTOP.closing),
  startAtLogin: v.optional(v.boolean(), DEFAULT_DESKTOP.startAtLogin),
  startHidden: v.optional(v.boolean(), DEFAULT_DESKTOP.startHidden),
  shortcut: v.optional(v.union([v.literal(''), chord]), DEFAULT_DESKTOP.shortcut),
  quietShortcut: v.optional(v.union([v.literal(''), chord]), DEFAULT_DESKTOP.quietShortcut),
  contentProtection: v.optional(v.boolean(), DEFAULT_DESKTOP.contentProtection),
  saveOnBattery: v.optional(v.boolean(), DEFAULT_DESKTOP.saveOnBattery),
  graphics: v.optional(v.boolean(), DEFAULT_DESKTOP.graphics),
  downloadFolder: v.optional(v.pipe(v.string(), v.maxLength(4_096)), DEFAULT_DESKTOP.downloadFolder),
  spelling: v.optional(spellingLanguages, [...DEFAULT_DESKTOP.spelling]),
  spellingIn: v.optional(
    v.pipe(
      v.record(v.pipe(v.string(), v.maxLength(2_500)), v.pipe(v.record(cid, spellingLanguages), v.maxEntries(10_000))),
      v.maxEntries(100),
    ),
    {},
  ),
  updates: v.optional(v.picklist(UPDATE_MODES), DEFAULT_DESKTOP.updates),
})

const linkPreviewsSchema = v.object({
  mode: v.picklist(['ask', 'on', 'off']),
  channels: v.pipe(
    v.record(v.pipe(v.string(), v.maxLength(2_500)), v.pipe(v.record(cid, v.boolean()), v.maxEntries(MOST_CHANNELS))),
    v.maxEntries(100),
  ),
  blocked: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(253))), v.maxLength(1_000)),
})

const savedSearchSchema = v.object({
  name: v.pipe(line, v.maxLength(SEARCH_NAME_LENGTH)),
  text: v.pipe(v.string(), v.maxLength(1_000)),
  chips: v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(1_000))), v.maxLength(40)),
  cid: v.optional(v.pipe(cid, v.transform(asCid))),
  tab: v.picklist(['messages', 'files', 'channels', 'people']),
})

const degrees = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most))
const point = { latitude: degrees(90), longitude: degrees(180) }
const placesSchema = v.object({
  saved: v.pipe(
    v.array(v.object({ ...point, name: v.pipe(v.string(), v.minLength(1), v.maxLength(PLACE_NAME_LENGTH)) })),
    v.maxLength(MAX_SAVED_PLACES),
  ),
  last: v.optional(v.object({ ...point, span: v.pipe(v.number(), v.gtValue(0), v.maxValue(180)) })),
  device: v.pipe(v.string(), v.maxLength(PLACE_NAME_LENGTH)),
})

/** The schema of the settings, used by the bridge and on disk. */
export const settingsSchema = v.object({
  theme: v.picklist(['system', 'light', 'dark', 'hc-light', 'hc-dark']),
  density: v.picklist(['comfortable', 'compact']),
  accent: v.picklist(ACCENTS),
  messageWidth: v.picklist(['reading', 'wide']),
  textScale: v.pipe(v.number(), v.minValue(90), v.maxValue(150)),
  motion: v.picklist(['system', 'full', 'reduced']),
  language: v.picklist(['system', ...LANGUAGES]),
  clock: v.picklist(['auto', '12h', '24h']),
  weekStart: v.picklist(['auto', 'monday', 'sunday', 'saturday']),
  speech: v.picklist(['full', 'brief', 'text']),
  rowNames: v.picklist(['full', 'brief']),
  letterKeys: v.boolean(),
  keys: v.pipe(v.record(name, v.pipe(v.array(chord), v.maxLength(4))), v.maxEntries(200)),
  enterSends: v.boolean(),
  upEdits: v.boolean(),
  formattingBar: v.boolean(),
  noticeSeconds: v.picklist([0, 3, 8]),
  undoSendSeconds: v.picklist([0, 5, 10]),
  snippets: v.pipe(
    v.array(
      v.object({
        name: v.pipe(v.string(), v.regex(/^[^\s;]{1,40}$/u)),
        text: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000)),
      }),
    ),
    v.maxLength(100),
  ),
  publishTyping: v.boolean(),
  publishReads: v.boolean(),
  publishDelivery: v.boolean(),
  quietTyping: chosenChannels,
  publishPresence: v.boolean(),
  awayMinutes: v.picklist(AWAY_MINUTES),
  awayByHand: v.boolean(),
  traceless: chosenChannels,
  hiddenMedia: chosenChannels,
  blurMedia: v.boolean(),
  lockMinutes: v.picklist(LOCK_MINUTES),
  syncDrafts: v.boolean(),
  locationTracks: v.boolean(),
  linkPreviews: linkPreviewsSchema,
  sidebarWidth: v.pipe(v.number(), v.minValue(220), v.maxValue(360)),
  panelWidth: v.pipe(v.number(), v.minValue(340), v.maxValue(560)),
  splitShare: v.pipe(v.number(), v.minValue(30), v.maxValue(70)),
  sidebarCollapsed: v.boolean(),
  closedSections: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(MOST_CLOSED)),
  sidebars: v.pipe(v.record(v.pipe(v.string(), v.maxLength(2_500)), sidebarSchema), v.maxEntries(100)),
  savedSearches: v.pipe(
    v.record(
      v.pipe(v.string(), v.maxLength(2_500)),
      v.pipe(v.array(savedSearchSchema), v.maxLength(MAX_SAVED_SEARCHES)),
    ),
    v.maxEntries(100),
  ),
  searchOrder: v.picklist(SEARCH_ORDERS),
  autoRead: v.picklist(['automatic', 'on-leave', 'by-hand']),
  notifications: notificationsSchema,
  desktop: desktopSchema,
  proxyMode: v.picklist(['system', 'none', 'manual', 'pac']),
  proxyUrl: v.pipe(v.string(), v.maxLength(2_000)),
  proxyUser: v.pipe(v.string(), v.maxLength(200)),
  proxyBypass: v.pipe(v.string(), v.maxLength(2_000)),
  keepMessagesDays: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3_650)),
  cacheBudgetMb: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
  places: placesSchema,
  activePeople: v.boolean(),
  gettingStarted: v.pipe(
    v.record(
      v.pipe(v.string(), v.maxLength(2_500)),
      v.object({
        closed: v.boolean(),
        skipped: v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(20)),
        kept: v.optional(v.boolean()),
      }),
    ),
    v.maxEntries(100),
  ),
  lastChannels: v.pipe(v.record(name, cid), v.maxEntries(200)),
  leftPlaces: v.pipe(
    v.record(name, v.pipe(v.record(cid, leftPlaceSchema), v.maxEntries(MAX_LEFT_PLACES))),
    v.maxEntries(200),
  ),
})

export const settings = {
  /**
   * Changes some settings; every window is updated. An unusable proxy setting rejects with `network/proxy-url` or
   * `network/pac-url`, and nothing is changed.
   */
  update: call<void>()(v.partial(settingsSchema)),
  /**
   * Imports a settings file, as older versions exported it: all valid fields at once. Returns the fields that were refused. Other
   * text rejects with `settings/not-a-file`, an unusable proxy setting as in `update`, and then nothing is changed.
   */
  takeFile: call<{ readonly refused: readonly string[] }>('dialog')(
    v.object({ text: v.pipe(v.string(), v.maxLength(500_000)) }),
  ),
  /**
   * Stores a sound file (at most `SOUND_FILE_BYTES`) in place of the previous one. The caller has verified that it can
   * be played. Rejects with `settings/sound-not-saved` on a disk error, and nothing is changed.
   */
  saveSound: call<void>('dialog')(
    v.object({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
      base64: v.pipe(v.string(), v.maxLength(Math.ceil(SOUND_FILE_BYTES / 3) * 4 + 4), v.base64()),
    }),
  ),
  /** Deletes it; notifications that used it fall back to the system sound. */
  dropSound: call<void>()(nothing),
  /** The bytes of the sound file; absent if it cannot be read. */
  soundFile: call<{ readonly base64?: string }>()(nothing),
  /** Stores the proxy's password in the secret store; an empty one deletes it. It can never be read back. */
  setProxyPassword: call<void>()(v.object({ password: v.pipe(v.string(), v.maxLength(500)) })),
  /**
   * Requests a URL once through the current proxy settings. Resolves with the HTTP status and the duration if there was
   * any response; rejects with `network/offline`, `network/timeout` or `network/proxy-sign-in`.
   */
  testNetwork: call<{ readonly status: number; readonly tookMs: number }>('dialog')(
    v.object({ url: v.pipe(v.string(), v.maxLength(2_000), v.url()) }),
  ),
}
