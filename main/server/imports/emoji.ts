import { plainPicture, REACTION_CODES } from '#shared/rules/messages/emoji.ts'

/** A reaction's type has at most 30 characters. */
const LONGEST_REACTION = 30

export type EmojiNames = {
  /** A text with its `:names:` as emoji; those of the workspace's own stay. */
  readonly inText: (text: string) => string
  /** The type of a reaction; `undefined` for what cannot be one. */
  readonly reaction: (emoji: string) => string | undefined
}

type CompactEmoji = { readonly hexcode: string; readonly unicode: string }

/** The names that Slack, Mattermost and GitHub have for emoji. Loaded only for an import: they are large. */
export async function loadEmojiNames(): Promise<EmojiNames> {
  const [compact, iamcal, github] = await Promise.all([
    import('emojibase-data/en/compact.json', { with: { type: 'json' } }),
    import('emojibase-data/en/shortcodes/iamcal.json', { with: { type: 'json' } }),
    import('emojibase-data/en/shortcodes/github.json', { with: { type: 'json' } }),
  ])
  const byCode = new Map(
    (compact.default as readonly CompactEmoji[]).map(({ hexcode, unicode }) => [hexcode, plainPicture(unicode)]),
  )
  const names = new Map(Object.entries(REACTION_CODES))
  for (const table of [github.default, iamcal.default] as readonly Record<string, string | readonly string[]>[]) {
    for (const [hexcode, given] of Object.entries(table)) {
      const unicode = byCode.get(hexcode)
      if (unicode === undefined) continue
      for (const name of typeof given === 'string' ? [given] : given) names.set(name, unicode)
    }
  }
  const named = (code: string): string | undefined => names.get(code.replace(/::skin-tone-\d$/, ''))
  return {
    inText: (text) =>
      text.includes(':')
        ? text.replaceAll(/:([a-z\d_+-]{1,60})(?:::skin-tone-\d)?:/g, (whole, code: string) => names.get(code) ?? whole)
        : text,
    reaction(emoji) {
      const code = /^:(.{1,80}):$/.exec(emoji)?.[1]
      const type = code === undefined ? emoji : (named(code) ?? code.toLowerCase().replaceAll(/[^a-z\d_-]/g, '_'))
      return type === '' || type.length > LONGEST_REACTION ? undefined : type
    },
  }
}
