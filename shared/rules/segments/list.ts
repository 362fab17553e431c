/** A pasted list, or a file of them, as the names and ids in it. */
type ReadList = {
  /** Each once, in the order of the list. */
  readonly lines: readonly string[]
  /** How many times something was listed that was there already. */
  readonly twice: number
  /** Entries that are too long to name anybody. */
  readonly tooLong: readonly string[]
}

/** No id, name or e-mail address is longer. */
const MAX_ENTRY = 255

/** One entry a line. */
export const readLines = (text: string): ReadList => listOf(text.split(/\r\n|\r|\n/))

const listOf = (entries: readonly string[]): ReadList => {
  const trimmed = entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
  const short = trimmed.filter((entry) => entry.length <= MAX_ENTRY)
  const lines = [...new Set(short)]
  return { lines, twice: short.length - lines.length, tooLong: trimmed.filter((entry) => entry.length > MAX_ENTRY) }
}

/** Columns that say who is meant, the best first. */
const COLUMNS = ['id', 'user_id', 'userid', 'user id', 'cid', 'channel_cid', 'email', 'e-mail', 'mail', 'name']

/** A CSV file: the column that names people best, or the first one. `undefined`: it is not closed properly. */
export function readCsv(text: string): (ReadList & { readonly column?: string }) | undefined {
  const rows = csvRows(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (rows === undefined) return undefined
  const [head = [], ...rest] = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const titles = head.map((cell) => cell.trim().toLowerCase())
  const column = COLUMNS.find((name) => titles.includes(name))
  if (column === undefined) return listOf([head, ...rest].map((row) => row[0] ?? ''))
  const at = titles.indexOf(column)
  return { ...listOf(rest.map((row) => row[at] ?? '')), column: head[at]?.trim() ?? column }
}

/** Rows of cells, separated as the first line is: by commas, semicolons or tabs. */
function csvRows(text: string): readonly (readonly string[])[] | undefined {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (letter === '"' && cell.trim() === '') {
      cell = ''
      quoted = true
    } else if (letter === separator || letter === '\n' || letter === '\r') {
      row.push(cell)
      cell = ''
      if (letter === separator) continue
      rows.push(row)
      row = []
    } else cell += letter
  }
  if (quoted) return undefined
  return [...rows, [...row, cell]]
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ','
}
