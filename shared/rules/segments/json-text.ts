/** A JSON text read with the line of each part, so that a mistake can be shown where it is. */
export type JsonPart = { readonly line: number } & (
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly of: readonly JsonPart[] }
  | { readonly kind: 'object'; readonly of: readonly JsonEntry[] }
)
export type JsonEntry = { readonly name: string; readonly line: number; readonly part: JsonPart }

/** What is wrong: text that is no JSON, an object that names something twice, or too many levels. */
export type JsonProblem = { readonly code: 'syntax' | 'twice' | 'deep'; readonly line: number; readonly name?: string }

type JsonRead = { readonly ok: true; readonly part: JsonPart } | { readonly ok: false; readonly problem: JsonProblem }

class Mistake extends Error {
  readonly problem: JsonProblem

  constructor(problem: JsonProblem) {
    super(problem.code)
    this.problem = problem
  }
}

const MAX_LEVELS = 40
/** One token: a punctuation mark, a string, or a word such as a number. */
const TOKEN = /\s*(?:([{}[\]:,])|("(?:[^"\\\n]|\\.)*")|([^\s{}[\]:,"]+)|$)/y

type Token = { readonly text: string; readonly line: number }

export function readJson(text: string): JsonRead {
  try {
    const tokens = tokensOf(text)
    const reader = new TokenReader(tokens)
    const part = readPart(reader, 0)
    const rest = reader.next()
    if (rest.text !== '') throw new Mistake({ code: 'syntax', line: rest.line })
    return { ok: true, part }
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, problem: error.problem }
    throw error
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let line = 1
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null) {
      const start = text.slice(from).search(/\S/)
      throw new Mistake({ code: 'syntax', line: line + linesIn(text.slice(from, from + Math.max(0, start))) })
    }
    const token = match[1] ?? match[2] ?? match[3] ?? ''
    line += linesIn(match[0])
    if (token !== '') tokens.push({ text: token, line })
    else break
  }
  return [...tokens, { text: '', line }]
}

const linesIn = (text: string): number => text.split('\n').length - 1

class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? { text: '', line: 1 }
  }

  next(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  expect(...wanted: readonly string[]): string {
    const token = this.next()
    if (!wanted.includes(token.text)) throw new Mistake({ code: 'syntax', line: token.line })
    return token.text
  }
}

function readPart(reader: TokenReader, level: number): JsonPart {
  const token = reader.next()
  const { line } = token
  if (level > MAX_LEVELS) throw new Mistake({ code: 'deep', line })
  if (token.text === '{') return { kind: 'object', line, of: readEntries(reader, level) }
  if (token.text === '[') return { kind: 'list', line, of: readItems(reader, level) }
  const value = plainValue(token)
  if (typeof value === 'object' && value !== null) throw new Mistake({ code: 'syntax', line })
  return { kind: 'value', line, value: value as string | number | boolean | null }
}

function plainValue({ text, line }: Token): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Mistake({ code: 'syntax', line })
  }
}

function readEntries(reader: TokenReader, level: number): readonly JsonEntry[] {
  const entries: JsonEntry[] = []
  if (reader.peek().text === '}') {
    reader.next()
    return entries
  }
  do {
    const token = reader.next()
    const name = token.text.startsWith('"') ? plainValue(token) : undefined
    if (typeof name !== 'string') throw new Mistake({ code: 'syntax', line: token.line })
    // JavaScript would keep only the last one.
    if (entries.some((entry) => entry.name === name)) throw new Mistake({ code: 'twice', line: token.line, name })
    reader.expect(':')
    entries.push({ name, line: token.line, part: readPart(reader, level + 1) })
  } while (reader.expect(',', '}') === ',')
  return entries
}

function readItems(reader: TokenReader, level: number): readonly JsonPart[] {
  const items: JsonPart[] = []
  if (reader.peek().text === ']') {
    reader.next()
    return items
  }
  do items.push(readPart(reader, level + 1))
  while (reader.expect(',', ']') === ',')
  return items
}
