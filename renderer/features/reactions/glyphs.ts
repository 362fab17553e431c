/** Short codes other clients of the contract use, and the emoji they mean. */
const CODES: Readonly<Record<string, string>> = {
  like: '👍',
  thumbsup: '👍',
  love: '❤️',
  heart: '❤️',
  haha: '😂',
  laugh: '😂',
  wow: '😮',
  sad: '😢',
  angry: '😠',
  fire: '🔥',
  clap: '👏',
  tada: '🎉',
  eyes: '👀',
  hiking_boot: '🥾',
  rocket: '🚀',
  joy: '😂',
  smile: '😄',
  pray: '🙏',
  raised_hands: '🙌',
  brain: '🧠',
  mountain: '⛰️',
  mountain_snow: '🏔️',
  snow_capped_mountain: '🏔️',
  mountain_snowy: '🏔️',
  white_check_mark: '✅',
  check: '✅',
  '+1': '👍',
  '-1': '👎',
  thumbsdown: '👎',
  thumbs_up: '👍',
  thumbs_down: '👎',
  red_heart: '❤️',
  party: '🎉',
  party_popper: '🎉',
  hundred: '💯',
  '100': '💯',
  cry: '😢',
  thinking: '🤔',
  coffee: '☕',
  bulb: '💡',
  star: '⭐',
}

/** Most groups that are drawn; the rest is "+n". Source: reliability paper, E5. */
export const MAX_GROUPS = 50

/** What a reaction's type looks like: an emoji, the emoji of a known code, or its own words. */
export function glyphOf(type: string): { readonly text: string; readonly emoji: boolean } {
  const code = CODES[type.toLowerCase()]
  if (code !== undefined) return { text: code, emoji: true }
  return { text: type.slice(0, 30), emoji: /^\p{RGI_Emoji}$/v.test(type) || /^\p{Extended_Pictographic}/u.test(type) }
}
