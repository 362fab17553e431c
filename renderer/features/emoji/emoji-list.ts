import { createSelector } from '@reduxjs/toolkit'
import type { CustomEmoji } from '#shared/domain/emoji.ts'
import { emojiCode, emojiNameIn, plainPicture } from '#shared/rules/messages/emoji.ts'
import { fold } from '../../lib/text/fold.ts'
import { loadCode } from '../../lib/page/part.tsx'
import { formatsFor } from '../../i18n/index.ts'
import { selectEmojiByName, selectEmojiList } from '../../store/selectors.ts'
import { selectLanguage } from '../../store/window/host.ts'
import { nameFor } from '../../lib/page/stored.ts'
import { perAccount } from '../../store/objects.ts'
import type { AppStore } from '../../store/store.ts'

/** One entry of the bundled tables (emojibase, MIT): the fields in use. */
type RawEmoji = {
  readonly hexcode: string
  readonly label: string
  readonly unicode: string
  readonly tags?: readonly string[]
  readonly group?: number
  readonly order?: number
  readonly skins?: readonly { readonly unicode: string }[]
}

type RawShortcodes = Readonly<Record<string, string | readonly string[]>>

/** Skin tone: 0 is the default yellow, 1 the lightest, 5 the darkest. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5

export type Emoji = {
  readonly unicode: string
  readonly label: string
  /** `custom`: emoji of the workspace. */
  readonly group: GroupName | 'custom'
  /** Shortcodes without colons, the shortest first: `tada` for 🎉. */
  readonly names: readonly string[]
  /** The emoji in five skin tones, lightest first; empty if it has no skin. */
  readonly tones: readonly string[]
  /** Folded search keywords, in English and the interface language. */
  readonly keywords: readonly string[]
}

export const GROUPS = [
  'smileys',
  'people',
  'animals',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const
export type GroupName = (typeof GROUPS)[number]

/** Group numbers of the tables; 2 has hair and skin components, which are not offered. */
const GROUP_OF: Readonly<Record<number, GroupName>> = {
  0: 'smileys',
  1: 'people',
  3: 'animals',
  4: 'food',
  5: 'travel',
  6: 'activities',
  7: 'objects',
  8: 'symbols',
  9: 'flags',
}

const TONES = ['\u{1F3FB}', '\u{1F3FC}', '\u{1F3FD}', '\u{1F3FE}', '\u{1F3FF}']

/**
 * Joins the tables into the list of the picker, in Unicode order.
 *
 * @param local table of the interface language: its labels are shown, and its keywords searched beside the English ones
 */
function createEmojiList(
  english: readonly RawEmoji[],
  shortcodes: RawShortcodes,
  local: readonly RawEmoji[] = [],
): readonly Emoji[] {
  const localByCode = new Map(local.map((raw) => [raw.hexcode, raw]))
  return english
    .filter((raw) => raw.group !== undefined && GROUP_OF[raw.group] !== undefined)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map((raw) => createEmoji(raw, namesOf(shortcodes[raw.hexcode]), localByCode.get(raw.hexcode)))
}

function createEmoji(raw: RawEmoji, names: readonly string[], local: RawEmoji | undefined): Emoji {
  const keywords = [raw.label, ...(raw.tags ?? []), ...(local ? [local.label, ...(local.tags ?? [])] : [])]
  return {
    unicode: plainPicture(raw.unicode),
    label: local?.label ?? raw.label,
    group: GROUP_OF[raw.group ?? -1] ?? 'symbols',
    names,
    tones: TONES.flatMap((tone) => toneOf(raw, tone)),
    keywords: [...new Set(keywords.flatMap((word) => fold(word).split(/[\s:,-]+/)))].filter((word) => word !== ''),
  }
}

/** Couples also have variants of mixed tones; a single choice means the same tone for both. */
function toneOf(raw: RawEmoji, tone: string): readonly string[] {
  const others = TONES.filter((other) => other !== tone)
  const skin = raw.skins?.find(
    ({ unicode }) => unicode.includes(tone) && !others.some((other) => unicode.includes(other)),
  )
  return skin ? [skin.unicode] : []
}

/** Shortest first: `tada` before `party_popper`. */
function namesOf(names: string | readonly string[] | undefined): readonly string[] {
  if (names === undefined) return []
  return typeof names === 'string' ? [names] : names.toSorted((a, b) => a.length - b.length)
}

export function withTone(emoji: Emoji, tone: Tone): string {
  return tone === 0 ? emoji.unicode : (emoji.tones[tone - 1] ?? emoji.unicode)
}

/** Searches emoji, best first. Every word must match; a shortcode ranks highest. */
export function searchEmoji(list: readonly Emoji[], query: string, limit: number): readonly Emoji[] {
  const terms = fold(query)
    .split(/[\s_]+/)
    .filter((word) => word !== '')
  if (terms.length === 0) return []
  const whole = terms.join('_')
  return list
    .map((emoji, order) => ({ emoji, order, rank: rankOf(emoji, terms, whole) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank || a.order - b.order)
    .slice(0, limit)
    .map(({ emoji }) => emoji)
}

const NO_MATCH = 9
/** Longer than any shortcode. */
const LONGEST_NAME = 100

function rankOf(emoji: Emoji, terms: readonly string[], whole: string): number {
  if (emoji.names.includes(whole)) return 0
  // The displayed name ranks above the others, and shorter completions rank higher.
  const [shown = ''] = emoji.names
  if (shown.startsWith(whole)) return 1 + shown.length / LONGEST_NAME
  if (emoji.names.some((name) => name.startsWith(whole))) return 2
  const own = fold(emoji.label)
  if (terms.every((word) => own.split(' ').includes(word))) return 3
  if (terms.every((word) => emoji.keywords.some((known) => known.startsWith(word)))) return 4
  return emoji.names.some((name) => name.includes(whole)) ? 5 : NO_MATCH
}

const lists = new Map<string, Promise<readonly Emoji[]>>()

/** The emoji list with labels of a language. Half a megabyte: loaded from the bundle on first use, then cached. */
export function loadEmoji(language: string): Promise<readonly Emoji[]> {
  const known = lists.get(language)
  if (known) return known
  const list = loadCode(() => readList(language))
  lists.set(language, list)
  list.catch(() => lists.delete(language))
  return list
}

async function readList(language: string): Promise<readonly Emoji[]> {
  const [english, shortcodes, local] = await Promise.all([
    import('emojibase-data/en/compact.json'),
    import('emojibase-data/en/shortcodes/emojibase.json'),
    readLabels(language),
  ])
  return createEmojiList(tableOf(english), namesTable(shortcodes), local)
}

async function readLabels(language: string): Promise<readonly RawEmoji[]> {
  if (language === 'pl') return tableOf(await import('emojibase-data/pl/compact.json'))
  if (language === 'ru') return tableOf(await import('emojibase-data/ru/compact.json'))
  return []
}

const tableOf = (module: { readonly default: unknown }): readonly RawEmoji[] => module.default as readonly RawEmoji[]
const namesTable = (module: { readonly default: unknown }): RawShortcodes => module.default as RawShortcodes

/** Custom emoji as entries of the picker, sorted by name: `unicode` is `:name:`. */
export const selectCustomEntries = createSelector(
  [selectEmojiList, selectLanguage],
  (list, language): readonly Emoji[] => emojiByName(list, formatsFor(language).compare).map(lineOf),
)

/** Sorts custom emoji by name. */
export const emojiByName = (
  list: readonly CustomEmoji[],
  compare: (a: string, b: string) => number,
): readonly CustomEmoji[] => list.toSorted((a, b) => compare(a.name, b.name))

function lineOf({ name, aliases }: CustomEmoji): Emoji {
  const names = [name, ...aliases]
  return {
    unicode: emojiCode(name),
    label: name.replaceAll(/[_-]+/g, ' ').trim() || name,
    group: 'custom',
    names,
    tones: [],
    keywords: [...new Set(names.flatMap((each) => fold(each).split(/[_-]+/)))].filter((word) => word !== ''),
  }
}

/** Whether a recent emoji can be shown: a custom one may have been removed, or belong to another workspace. */
const isDrawn = (emoji: string, byName: ReturnType<typeof selectEmojiByName>): boolean => {
  const name = emojiNameIn(emoji)
  return name === undefined || byName.has(name)
}

/** The reaction type of a picked emoji: the character, or the name of a custom emoji. */
export const reactionTypeOf = (emoji: string): string => emojiNameIn(emoji) ?? emoji

/** What the picker stores between sessions: on this device, and only emoji. The skin tone applies to all accounts. */
const RECENT_KEY = 'parlor.emoji.recent'
const TONE_KEY = 'parlor.emoji.tone'
const RECENT_MAX = 24
/** Shown until there are recent ones. */
const FIRST = ['👍', '❤️', '😂', '🎉', '👀', '🙏', '🚀', '✅']

/** The recent emoji of one account on this device, newest first. */
class RecentEmoji {
  readonly #key: string

  constructor(account: string) {
    this.#key = nameFor(RECENT_KEY, account)
  }

  list(): readonly string[] {
    const own = this.#stored()
    return [...new Set([...own, ...FIRST])].slice(0, Math.max(FIRST.length, Math.min(own.length, RECENT_MAX)))
  }

  add(unicode: string): void {
    writeJson(this.#key, [unicode, ...this.#stored().filter((item) => item !== unicode)].slice(0, RECENT_MAX))
  }

  /** Until an account has its own they are those that were stored for the whole profile. */
  #stored(): readonly string[] {
    const stored = readJson(this.#key) ?? readJson(RECENT_KEY)
    return Array.isArray(stored) ? stored.filter((item): item is string => typeof item === 'string') : []
  }
}

export const RECENT_EMOJI = perAccount(({ account }) => new RecentEmoji(account))

/** Recent emoji that this workspace can show, newest first. */
export function recentIn({ objects, getState }: Pick<AppStore, 'objects' | 'getState'>): readonly string[] {
  const byName = selectEmojiByName(getState())
  return objects
    .of(RECENT_EMOJI)
    .list()
    .filter((emoji) => isDrawn(emoji, byName))
}

export function readTone(): Tone {
  const tone = readJson(TONE_KEY)
  return typeof tone === 'number' && Number.isInteger(tone) && tone >= 0 && tone <= 5 ? (tone as Tone) : 0
}

export function rememberTone(tone: Tone): void {
  writeJson(TONE_KEY, tone)
}

/** Local storage may be disabled or full; then nothing is remembered. */
function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function writeJson(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch (reason) {
    console.debug('emoji memory not written', reason)
  }
}
