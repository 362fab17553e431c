import { fenced, htmlToMarkdown } from './to-markdown.ts'

type Pasted = {
  readonly plain: string
  readonly html: string
  /** What an editor adds about the copied text, as VS Code does: JSON with the language. */
  readonly editor: string
}

/**
 * Text to insert for a paste. `first` is inserted and then replaced by `second`, each a step of the native undo, so that
 * one undo leaves the plain text.
 */
export type PasteTexts = { readonly first: string; readonly second?: string }

/** `undefined` leaves the paste to the browser. */
export function pasteText({ plain, html, editor }: Pasted): PasteTexts | undefined {
  const text = plain.replace(/\r\n?/gu, '\n')
  const language = languageOf(editor)
  if (language !== undefined && text.trimEnd().includes('\n')) return asCode(text, language)
  if (looksLikeCode(text)) return asCode(text)
  if (html === '' || editor !== '') return undefined
  const markdown = htmlToMarkdown(html)
  if (markdown === '' || bare(markdown) === bare(text)) return undefined
  return text === '' ? { first: markdown } : { first: text, second: markdown }
}

const asCode = (text: string, language?: string): PasteTexts => ({
  first: text,
  second: fenced(text.replace(/\n+$/u, ''), language),
})

function languageOf(editor: string): string | undefined {
  const mode = /"mode"\s*:\s*"([\w+#-]+)"/u.exec(editor)?.[1]
  return mode === 'plaintext' || mode === 'markdown' ? undefined : mode
}

/** Text without escapes and extra spaces. If it is equal for both, the Markdown adds nothing. */
const bare = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/\\(?=[*`_~#>+-])|\\(?=\.)/gu, '')
    .trim()

/** Shorter snippets are left as text. */
const MIN_LINES = 3
/** Share of the lines that must look like code. */
const CODE_SHARE = 0.5

const CODE_PATTERNS: readonly RegExp[] = [
  /[;{}]\s*$/u,
  /^\s*(?:import|export|from|const|let|var|function|class|def|return|if|else|elif|for|while|switch|case|try|catch|public|private|static|fn|struct|package|#include|SELECT|INSERT|UPDATE|FROM|WHERE)\b.*[(){}:;='",]/u,
  /^\s*(?:\/\/|\/\*|\*\/)/u,
  /^\s+\S.*[=(){}[\];]/u,
  /^\s*<\/?[a-z][^>]*>\s*$/iu,
  /^\s*[\w.$]+\s*(?:=|:=|\+=|=>)\s*\S/u,
  /^\s*"[^"]+"\s*:/u,
  /^\s*[\w.$]+\([^)]*\)\s*[;{]?\s*$/u,
  /^\s*(?:\$|>>>) \S/u,
]

/** Whether most of several lines look like source code. Lists and quotes do not. */
function looksLikeCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < MIN_LINES || text.includes('```')) return false
  const matching = lines.filter((line) => CODE_PATTERNS.some((pattern) => pattern.test(line))).length
  return matching / lines.length >= CODE_SHARE
}
