import { looksLikeCode } from './looks-like-code.ts'
import { fenced, htmlToMarkdown } from './to-markdown.ts'

type Pasted = {
  readonly plain: string
  readonly html: string
  /** What an editor says about what it copied, as VS Code does: JSON with the language. */
  readonly editor: string
}

/**
 * What is to stand in the field for what was copied.
 *
 * `first` is put in and then `made` in its place, each a step of the field's own undo: one undo leaves the plain words.
 */
export type PasteTexts = { readonly first: string; readonly made?: string }

/** `undefined` leaves the paste to the browser. */
export function pasteText({ plain, html, editor }: Pasted): PasteTexts | undefined {
  const text = plain.replace(/\r\n?/gu, '\n')
  const language = languageOf(editor)
  if (language !== undefined && text.trimEnd().includes('\n')) return asCode(text, language)
  if (looksLikeCode(text)) return asCode(text)
  if (html === '' || editor !== '') return undefined
  const markdown = htmlToMarkdown(html)
  if (markdown === '' || bare(markdown) === bare(text)) return undefined
  return text === '' ? { first: markdown } : { first: text, made: markdown }
}

const asCode = (text: string, language?: string): PasteTexts => ({
  first: text,
  made: fenced(text.replace(/\n+$/u, ''), language),
})

function languageOf(editor: string): string | undefined {
  const mode = /"mode"\s*:\s*"([\w+#-]+)"/u.exec(editor)?.[1]
  return mode === 'plaintext' || mode === 'markdown' ? undefined : mode
}

/** Nothing but the letters: when these are the same and nothing was marked, nothing is gained. */
const bare = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/\\(?=[*`_~#>+-])|\\(?=\.)/gu, '')
    .trim()
