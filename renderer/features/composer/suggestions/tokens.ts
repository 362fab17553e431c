import { isInsideFence } from '../field/shortcuts.ts'

/** The token before the caret. Taking a suggestion replaces the text from `from` to the caret. */
export type Token = {
  readonly kind: 'mention' | 'channel' | 'emoji' | 'command' | 'snippet' | 'language'
  readonly from: number
  readonly query: string
}

/** `@` at a word's start, then letters, and optionally one space and a second word (`@John D`). docs/wire.md 7.18. */
const MENTION = /(?<=^|[\s([{"'„«“])@([^\s@]+(?: [^\s@]+)?)$/u
/** `:` at a word's start and at least two letters of a name, so that `10:30` and `:)` are not tokens. */
const EMOJI = /(?<=^|[\s([{"'„«“]):([\p{L}\p{N}_+-]{2,})$/u

/** `#` at a word's start and the start of a channel's name. */
const CHANNEL = /(?<=^|[\s([{"'„«“])#([\p{L}\p{N}][\p{L}\p{N}_-]*)$/u

/** `;;` at a word's start and the start of a snippet's name. */
const SNIPPET = /(?<=^|[\s([{"'„«“]);;([^\s;]*)$/u
/** A slash at the start of the text and the name after it. docs/wire.md 7.18. */
const COMMAND = /^\/(\S*)$/u

/** A code fence and at least one letter of its language. */
const LANGUAGE = /(?<=^|\n)```([a-z+#]{1,12})$/iu

/** Finds the token that ends at the caret, if any. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const command = caret > 80 ? null : COMMAND.exec(text.slice(0, caret))
  if (command) return { kind: 'command', from: 0, query: command[1] ?? '' }
  const before = text.slice(Math.max(0, caret - 80), caret)
  const start = caret - before.length
  const mention = MENTION.exec(before)
  if (mention) return { kind: 'mention', from: start + mention.index, query: mention[1] ?? '' }
  const channel = CHANNEL.exec(before)
  if (channel) return { kind: 'channel', from: start + channel.index, query: channel[1] ?? '' }
  const language = LANGUAGE.exec(before)
  if (language && isInsideFence(text, caret)) {
    return { kind: 'language', from: start + language.index, query: language[1] ?? '' }
  }
  const snippet = SNIPPET.exec(before)
  if (snippet) return { kind: 'snippet', from: start + snippet.index, query: snippet[1] ?? '' }
  const emoji = EMOJI.exec(before)
  if (emoji) return { kind: 'emoji', from: start + emoji.index, query: emoji[1] ?? '' }
  return undefined
}
