import { selectEmojiByName } from '../../store/selectors.ts'
import { nameFor } from '../../lib/page/stored.ts'
import { perAccount } from '../../store/objects.ts'
import type { AppStore } from '../../store/store.ts'
import { isDrawn, type Tone } from './emoji-list.ts'

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
