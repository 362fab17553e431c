import * as v from 'valibot'
import {
  MOST_ALLOWED,
  MOST_CHANNELS,
  MOST_CLOSED,
  MOST_DIGESTS,
  settingsSchema,
} from '#shared/bridge/calls/settings.ts'
import { MAX_SAVED_PLACES } from '#shared/domain/place.ts'
import { MAX_SAVED_SEARCHES } from '#shared/domain/search.ts'
import { DEFAULT_SETTINGS, EMPTY_PLAN, type Settings, type SidebarPlan } from '#shared/domain/settings.ts'
import { isSame } from '#shared/lib/same.ts'
import { folderSection } from '#shared/rules/channels/sidebar.ts'
import { MAX_SNIPPETS } from '#shared/rules/composer/snippets.ts'
import { fold } from '#shared/rules/search/search-fold.ts'

/**
 * Which settings go to another device with an account file (docs/account-file.md): those of the person, and of what is
 * stored by account only the account's own part. Those of the device stay: its windows, disk, network and system, its
 * lock, where the viewer was. A new setting does not compile until this is decided, nor does a new field of the
 * notifications.
 */
const BELONGS_TO = {
  theme: 'person',
  density: 'person',
  accent: 'person',
  messageWidth: 'person',
  textScale: 'person',
  motion: 'person',
  language: 'person',
  clock: 'person',
  weekStart: 'person',
  speech: 'person',
  letterKeys: 'person',
  rowNames: 'person',
  searchOrder: 'person',
  blurMedia: 'person',
  keys: 'person',
  enterSends: 'person',
  upEdits: 'person',
  formattingBar: 'person',
  noticeSeconds: 'person',
  undoSendSeconds: 'person',
  snippets: 'person',
  publishTyping: 'person',
  publishReads: 'person',
  publishDelivery: 'person',
  publishPresence: 'person',
  awayMinutes: 'person',
  syncDrafts: 'person',
  locationTracks: 'person',
  closedSections: 'person',
  autoRead: 'person',
  notifications: 'person',
  linkPreviews: 'person',
  places: 'person',
  sidebars: 'account',
  savedSearches: 'account',
  quietTyping: 'account',
  traceless: 'account',
  hiddenMedia: 'account',
  // Somebody is away at one device, not at the other.
  awayByHand: 'device',
  desktop: 'device',
  lockMinutes: 'device',
  sidebarWidth: 'device',
  panelWidth: 'device',
  splitShare: 'device',
  sidebarCollapsed: 'device',
  activePeople: 'device',
  gettingStarted: 'device',
  lastChannels: 'device',
  leftPlaces: 'device',
  keepMessagesDays: 'device',
  cacheBudgetMb: 'device',
  proxyMode: 'device',
  proxyUrl: 'device',
  proxyUser: 'device',
  proxyBypass: 'device',
} as const satisfies Record<keyof Settings, 'person' | 'account' | 'device'>

/** Those of `notifications`. `levels`, `digests`: by account. */
const NOTIFICATIONS = {
  level: 'person',
  keywords: 'person',
  preview: 'person',
  sound: 'person',
  sounds: 'person',
  flash: 'person',
  badge: 'person',
  quietHours: 'person',
  levels: 'account',
  digests: 'account',
  // People of all accounts: those whom the account knows go along.
  allowed: 'account',
  // While somebody presents here, or wants to be left alone for a while.
  presenting: 'device',
  pausedUntil: 'device',
} as const satisfies Record<keyof Settings['notifications'], 'person' | 'account' | 'device'>
type Notification = keyof typeof NOTIFICATIONS
type OwnNotification = {
  [Name in Notification]: (typeof NOTIFICATIONS)[Name] extends 'person' ? Name : never
}[Notification]
const OWN_NOTIFICATIONS = (Object.keys(NOTIFICATIONS) as Notification[]).filter(
  (name): name is OwnNotification => NOTIFICATIONS[name] === 'person',
)

/** Settings of the person of which a part belongs to accounts or to the device. */
const MIXED = ['notifications', 'linkPreviews', 'places', 'closedSections'] as const
type Mixed = (typeof MIXED)[number]

type Plain = Exclude<
  { [Name in keyof Settings]: (typeof BELONGS_TO)[Name] extends 'person' ? Name : never }[keyof Settings],
  Mixed
>
const PLAIN = (Object.keys(BELONGS_TO) as (keyof Settings)[]).filter(
  (name): name is Plain => BELONGS_TO[name] === 'person' && !MIXED.some((mixed) => mixed === name),
)

const CARRIED = (Object.keys(BELONGS_TO) as (keyof Settings)[]).filter((name) => BELONGS_TO[name] !== 'device')

const { entries } = settingsSchema
const byAccount = {
  sidebar: entries.sidebars.pipe[0].value,
  savedSearches: entries.savedSearches.pipe[0].value,
  quietTyping: entries.quietTyping.pipe[0].value,
  traceless: entries.traceless.pipe[0].value,
  hiddenMedia: entries.hiddenMedia.pipe[0].value,
  levels: entries.notifications.entries.levels.pipe[0].value,
  digests: entries.notifications.entries.digests.wrapped.pipe[0].value,
  linkChannels: entries.linkPreviews.entries.channels.pipe[0].value,
}

/** The parts in a file, each validated alone: an invalid one does not affect the others. */
export const carriedSchemas = {
  ...v.pick(settingsSchema, PLAIN as [Plain, ...Plain[]]).entries,
  notifications: v.pick(entries.notifications, OWN_NOTIFICATIONS as [OwnNotification, ...OwnNotification[]]),
  allowed: entries.notifications.entries.allowed,
  linkPreviews: v.omit(entries.linkPreviews, ['channels']),
  places: entries.places.entries.saved,
  closedSections: entries.closedSections,
  ...byAccount,
}

type PartName = keyof typeof carriedSchemas
type AccountPart = keyof typeof byAccount
const NAMES = Object.keys(carriedSchemas) as PartName[]
const isOfAccount = (name: PartName): name is AccountPart => name in byAccount

export type CarriedParts = { readonly [Name in PartName]?: v.InferOutput<(typeof carriedSchemas)[Name]> }

/** When parts were last changed by the user: epoch milliseconds, by name, those of an account by name and account. */
export type ChangeTimes = Readonly<Record<string, number>>

/** The settings of one account in a file. `changed` is by the names of the parts. */
export type CarriedSettings = { readonly parts: CarriedParts; readonly changed: ChangeTimes }

const timeName = (name: PartName, account: string): string => (isOfAccount(name) ? `${name} ${account}` : name)

function partsOf(settings: Settings, account: string): CarriedParts {
  const { levels, digests, allowed, sounds } = settings.notifications
  const { channels, ...linkPreviews } = settings.linkPreviews
  const notifications = Object.fromEntries(OWN_NOTIFICATIONS.map((name) => [name, settings.notifications[name]]))
  const plain = Object.fromEntries(PLAIN.map((name) => [name, settings[name]]))
  const parts = {
    ...plain,
    // The sound file itself stays on its device.
    notifications: { ...notifications, sounds: { ...sounds, file: '' } },
    allowed,
    linkPreviews,
    places: settings.places.saved,
    closedSections: settings.closedSections.filter((name) => isSectionOf(name, settings.sidebars[account])),
    sidebar: settings.sidebars[account] ?? EMPTY_PLAN,
    savedSearches: settings.savedSearches[account] ?? [],
    quietTyping: settings.quietTyping[account] ?? [],
    traceless: settings.traceless[account] ?? [],
    hiddenMedia: settings.hiddenMedia[account] ?? [],
    levels: levels[account] ?? {},
    digests: digests[account] ?? {},
    linkChannels: channels[account] ?? {},
  }
  return parts as CarriedParts
}

/** Sections that every sidebar has, and those that the user created in this one. */
const isSectionOf = (name: string, plan: SidebarPlan | undefined): boolean =>
  !name.startsWith('folder:') || plan?.folders.some(({ id }) => folderSection(id) === name) === true

/** Every account that has a part of its own in these settings. */
function accountsIn(settings: Settings): readonly string[] {
  const { sidebars, savedSearches, quietTyping, traceless, hiddenMedia, notifications, linkPreviews } = settings
  const maps = [sidebars, savedSearches, quietTyping, traceless, hiddenMedia]
  return [...maps, notifications.levels, notifications.digests, linkPreviews.channels].flatMap((map) =>
    Object.keys(map),
  )
}

/** The times after a change: the present one for every part that differs. */
export function changeTimes(times: ChangeTimes, before: Settings, after: Settings, now: number): ChangeTimes {
  // Most changes are of the device: where the viewer is.
  if (CARRIED.every((name) => before[name] === after[name])) return times
  const next: Record<string, number> = { ...times }
  for (const account of new Set(['', ...accountsIn(before), ...accountsIn(after)])) {
    const [one, other] = [partsOf(before, account), partsOf(after, account)]
    for (const name of NAMES) if (!isSame(one[name], other[name])) next[timeName(name, account)] = now
  }
  return isSame(next, times) ? times : next
}

type CarryOptions = {
  readonly account: string
  /** Whether the account knows a person: settings name those of every account. */
  readonly knows: (userId: string) => boolean
}

/** What of the settings goes into the file of an account: only what differs from a new profile. */
export function carriedSettings(
  settings: Settings,
  times: ChangeTimes,
  { account, knows }: CarryOptions,
): CarriedSettings {
  const [all, usual] = [partsOf(settings, account), partsOf(DEFAULT_SETTINGS, account)]
  const parts: CarriedParts = { ...all, allowed: all.allowed?.filter(knows) }
  const names = NAMES.filter(
    (name) => times[timeName(name, account)] !== undefined || !isSame(parts[name], usual[name]),
  )
  return {
    parts: Object.fromEntries(names.map((name) => [name, parts[name]])),
    changed: Object.fromEntries(names.map((name) => [name, times[timeName(name, account)] ?? 0])),
  }
}

/** What opening a file does to one part: nothing, as both are equal; it changes; or the newer one here stays. */
type PartFate = 'same' | 'taken' | 'kept'

export type SettingsMerge = {
  readonly changes: Partial<Settings>
  /** To store with them. */
  readonly times: ChangeTimes
  readonly fates: Readonly<Partial<Record<PartName, PartFate>>>
  /** Parts that would be different if those of the file were preferred. */
  readonly newerHere: number
}

type MergeOptions = {
  readonly account: string
  readonly now: number
  /** The user wants those of the file, even where these are newer. */
  readonly prefersFile?: boolean
}

/**
 * Settings of a file joined with those here. Lists are united, and where both have an entry of one name, the newer list
 * has it; no entry here goes to make room for one of the file. Of everything else the newer one wins. A time in the future counts as now. Without times, as in profiles of older
 * versions, what was changed wins over what is as in a new profile.
 */
export function mergeSettings(
  here: Settings,
  times: ChangeTimes,
  { parts, changed }: CarriedSettings,
  { account, now, prefersFile = false }: MergeOptions,
): SettingsMerge {
  const [own, usual] = [partsOf(here, account), partsOf(DEFAULT_SETTINGS, account)]
  const merged: Record<string, unknown> = { ...own }
  const next: Record<string, number> = { ...times }
  const fates: Partial<Record<PartName, PartFate>> = {}
  let newerHere = 0
  for (const name of NAMES) {
    const theirs = parts[name]
    if (theirs === undefined) continue
    const at = timeName(name, account)
    const [atTheirs, atOwn] = [Math.min(changed[name] ?? 0, now), times[at] ?? 0]
    const isLater = atTheirs === atOwn ? isSame(own[name], usual[name]) : atTheirs > atOwn
    const isNewer = prefersFile || isLater
    const sides = { own: own[name], theirs }
    merged[name] = joined(name, { ...sides, isNewer })
    if (!isSame(merged[name], joined(name, { ...sides, isNewer: true }))) newerHere += 1
    const isChanged = !isSame(merged[name], own[name])
    fates[name] = isChanged ? 'taken' : isSame(theirs, own[name]) ? 'same' : 'kept'
    if (isChanged && isNewer) next[at] = isLater ? atTheirs : now
  }
  return { changes: changesOf(here, merged as Required<CarriedParts>, account), times: next, fates, newerHere }
}

type Sides = { readonly own: unknown; readonly theirs: unknown; readonly isNewer: boolean }

/** Lists with named entries, and how many they have at most. */
const NAMED: { readonly [Name in PartName]?: number } = {
  snippets: MAX_SNIPPETS,
  savedSearches: MAX_SAVED_SEARCHES,
  places: MAX_SAVED_PLACES,
}
/** Sets of channels or people, and choices by channel, with the most that the settings hold. */
const SETS: { readonly [Name in PartName]?: number } = {
  quietTyping: MOST_CHANNELS,
  traceless: MOST_CHANNELS,
  hiddenMedia: MOST_CHANNELS,
  allowed: MOST_ALLOWED,
}
const BY_CHANNEL: { readonly [Name in PartName]?: number } = {
  levels: MOST_CHANNELS,
  linkChannels: MOST_CHANNELS,
  digests: MOST_DIGESTS,
}

function joined(name: PartName, sides: Sides): unknown {
  const { own, theirs, isNewer } = sides
  const [named, set, byChannel] = [NAMED[name], SETS[name], BY_CHANNEL[name]]
  if (named !== undefined) return unitedByName(sides, named)
  if (set !== undefined)
    return [...new Set([...(own as readonly string[]), ...(theirs as readonly string[])])].slice(0, set)
  return byChannel === undefined ? (isNewer ? theirs : own) : unitedByChannel(sides, byChannel)
}

type Named = { readonly name: string }

/** In the order of the newer list. Everything here stays; what only the file has is added as far as there is room. */
function unitedByName({ own, theirs, isNewer }: Sides, most: number): readonly Named[] {
  const [here, given] = [own, theirs] as (readonly Named[])[]
  const room = most - (here?.length ?? 0)
  const known = namesOf(here)
  const added = new Set((given ?? []).filter(({ name }) => !known.has(fold(name))).slice(0, Math.max(0, room)))
  const fitting = (given ?? []).filter((each) => known.has(fold(each.name)) || added.has(each))
  const [first, second] = isNewer ? [fitting, here ?? []] : [here ?? [], fitting]
  const names = namesOf(first)
  return [...first, ...second.filter(({ name }) => !names.has(fold(name)))]
}

const namesOf = (list: readonly Named[] | undefined): ReadonlySet<string> =>
  new Set(list?.map(({ name }) => fold(name)))

/** Every channel here stays; those that only the file has are added as far as there is room. */
function unitedByChannel({ own, theirs, isNewer }: Sides, most: number): object {
  const [here, given] = [new Map(Object.entries(own as object)), Object.entries(theirs as object)]
  const room = Math.max(0, most - here.size)
  const known = given.filter(([cid]) => here.has(cid))
  const added = given.filter(([cid]) => !here.has(cid)).slice(0, room)
  return Object.fromEntries([...here, ...(isNewer ? known : []), ...added])
}

/** The settings in which these parts differ from those here; what belongs to other accounts and to the device stays. */
function changesOf(here: Settings, parts: Required<CarriedParts>, account: string): Partial<Settings> {
  const { levels, digests, allowed, linkChannels, notifications, linkPreviews, places, closedSections } = parts
  const { file } = here.notifications.sounds
  const own = <Value>(map: Readonly<Record<string, Value>>, value: Value, none: Value) =>
    map[account] === undefined && isSame(value, none) ? map : { ...map, [account]: value }
  const next: Partial<Settings> = {
    ...Object.fromEntries(PLAIN.map((name) => [name, parts[name]])),
    notifications: {
      ...here.notifications,
      ...notifications,
      sounds: withFile(notifications.sounds, file),
      allowed,
      levels: own(here.notifications.levels, levels, {}),
      digests: own(here.notifications.digests, digests, {}),
    },
    linkPreviews: { ...linkPreviews, channels: own(here.linkPreviews.channels, linkChannels, {}) },
    places: { ...here.places, saved: places },
    closedSections: withOthers(here, closedSections, account),
    sidebars: own(here.sidebars, parts.sidebar, EMPTY_PLAN),
    savedSearches: own(here.savedSearches, parts.savedSearches, []),
    quietTyping: own(here.quietTyping, parts.quietTyping, []),
    traceless: own(here.traceless, parts.traceless, []),
    hiddenMedia: own(here.hiddenMedia, parts.hiddenMedia, []),
  }
  const names = Object.keys(next) as (keyof Settings)[]
  return Object.fromEntries(names.filter((name) => !isSame(next[name], here[name])).map((name) => [name, next[name]]))
}

/** The sections that are closed in other accounts stay closed. */
function withOthers(here: Settings, closed: readonly string[], account: string): readonly string[] {
  const isOwn = (name: string): boolean => isSectionOf(name, here.sidebars[account])
  if (isSame(here.closedSections.filter(isOwn), closed)) return here.closedSections
  return [...here.closedSections.filter((name) => !isOwn(name)), ...closed].slice(0, MOST_CLOSED)
}

/** A sound of the user's own is played only where its file is. */
function withFile(sounds: Settings['notifications']['sounds'], file: string): Settings['notifications']['sounds'] {
  const kept = (['meant', 'message', 'reminder'] as const).map((kind) => [
    kind,
    sounds[kind] === 'file' && file === '' ? 'system' : sounds[kind],
  ])
  return { ...sounds, ...Object.fromEntries(kept), file }
}
