import type { EmojiType } from '#shared/domain/emoji.ts'
import { command } from '../../../store/command.ts'

type NewEmoji = { name: string; aliases: string[]; base64: string; mimeType: EmojiType }

/** Errors of these are shown in their forms. */
export const addEmoji = command('emoji/added', (input: NewEmoji, engine) => engine.emoji.add(input), { quiet: true })
export const changeEmoji = command(
  'emoji/changed',
  (input: { name: string; to: string; aliases: string[] }, engine) => engine.emoji.change(input),
  { quiet: true },
)
export const removeEmoji = command('emoji/removed', (input: { name: string }, engine) => engine.emoji.remove(input), {
  quiet: true,
})
