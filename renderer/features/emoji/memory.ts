import type { Tone } from './emoji-list.ts'

/** What the picker stores between sessions: on this device, for this profile, and only emoji. */
const RECENT_KEY = 'parlor.emoji.recent'
const TONE_KEY = 'parlor.emoji.tone'
const RECENT_MAX = 24
/** Shown until there are recent ones. */
const FIRST = ['👍', '❤️', '😂', '🎉', '👀', '🙏', '🚀', '✅']

export function readRecent(): readonly string[] {
  const stored = readJson(RECENT_KEY)
  const own = Array.isArray(stored) ? stored.filter((item): item is string => typeof item === 'string') : []
  return [...new Set([...own, ...FIRST])].slice(0, Math.max(FIRST.length, Math.min(own.length, RECENT_MAX)))
}

export function rememberEmoji(unicode: string): void {
  const stored = readJson(RECENT_KEY)
  const own: readonly unknown[] = Array.isArray(stored) ? stored : []
  writeJson(RECENT_KEY, [unicode, ...own.filter((item) => item !== unicode)].slice(0, RECENT_MAX))
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
