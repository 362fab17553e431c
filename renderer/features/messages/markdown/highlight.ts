/** A run of code with one color. `plain` is the text color. */
type CodeRun = {
  readonly kind: 'plain' | 'keyword' | 'string' | 'number' | 'fn' | 'comment'
  readonly text: string
}

const KEYWORDS = new Set(
  (
    'abstract as async await base bool boolean break case catch char class const continue def default defer del delete do ' +
    'double elif else end enum except export extends extern false final finally float fn for foreach from func function ' +
    'global go if impl implements import in instanceof int interface internal is lambda let long loop match mod module mut ' +
    'namespace new nil none not null object of override package pass private protected pub public raise readonly record ' +
    'return self short static string struct super switch then this throw throws trait true try type typedef typeof union ' +
    'unsafe unsigned use using val var virtual void volatile when where while with yield'
  ).split(' '),
)
const SQL = new Set(
  (
    'add all alter and as asc begin between by case commit constraint create default delete desc distinct drop else end ' +
    'exists foreign from group having in index inner insert into is join key left like limit not null on or order outer ' +
    'primary references right rollback select set table then union unique update using values view when where with'
  ).split(' '),
)
/** Languages whose comments start with `#`. */
const HASH_COMMENTS = new Set([
  'py',
  'python',
  'sh',
  'bash',
  'shell',
  'zsh',
  'rb',
  'ruby',
  'yaml',
  'yml',
  'toml',
  'r',
  'perl',
])
const PLAIN = new Set(['', 'text', 'txt', 'plain', 'log', 'diff', 'console', 'output', 'md', 'markdown'])

/** Longer blocks are not highlighted: they are usually logs. */
const MAX_LENGTH = 20_000

/** Highlights comments, strings, numbers, keywords and calls by pattern, without a grammar. Keeps every character. */
export function highlight(code: string, language: string): readonly CodeRun[] {
  const name = language.toLowerCase()
  if (PLAIN.has(name) || code.length > MAX_LENGTH) return [{ kind: 'plain', text: code }]
  const keywords = name === 'sql' ? SQL : KEYWORDS
  const comment = HASH_COMMENTS.has(name)
    ? '#[^\\n]*'
    : name === 'sql'
      ? '--[^\\n]*'
      : '\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/'
  const pattern = new RegExp(
    `(?<comment>${comment})|(?<string>"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)` +
      `|(?<number>\\b\\d[\\d_.]*(?:e[+-]?\\d+)?\\b)|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)`,
    'giu',
  )
  const runs: CodeRun[] = []
  let from = 0
  for (const hit of code.matchAll(pattern)) {
    const kind = kindOf(hit, keywords, name === 'sql', code.slice(hit.index + hit[0].length))
    if (kind === 'plain') continue
    if (hit.index > from) runs.push({ kind: 'plain', text: code.slice(from, hit.index) })
    runs.push({ kind, text: hit[0] })
    from = hit.index + hit[0].length
  }
  if (from < code.length) runs.push({ kind: 'plain', text: code.slice(from) })
  return runs
}

function kindOf(hit: RegExpExecArray, keywords: ReadonlySet<string>, anyCase: boolean, after: string): CodeRun['kind'] {
  const { comment, string, number, word } = hit.groups ?? {}
  if (comment !== undefined) return 'comment'
  if (string !== undefined) return 'string'
  if (number !== undefined) return 'number'
  if (word === undefined) return 'plain'
  if (keywords.has(anyCase ? word.toLowerCase() : word)) return 'keyword'
  if (after.startsWith('(')) return 'fn'
  return /^[A-Z][A-Z0-9_]{2,}$/.test(word) ? 'number' : 'plain'
}

const NAMES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  typescript: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  javascript: 'JavaScript',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  ruby: 'Ruby',
  rs: 'Rust',
  rust: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  swift: 'Swift',
  cs: 'C#',
  c: 'C',
  cpp: 'C++',
  sql: 'SQL',
  sh: 'Shell',
  bash: 'Shell',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  html: 'HTML',
  css: 'CSS',
  md: 'Markdown',
  php: 'PHP',
  dart: 'Dart',
  toml: 'TOML',
  xml: 'XML',
  diff: 'Diff',
}

/** Display name of a language; the same in every locale. */
export const languageName = (language: string): string => NAMES[language.toLowerCase()] ?? language
