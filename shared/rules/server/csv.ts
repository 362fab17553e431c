/** What starts a formula in spreadsheets, also behind spaces, and in the full-width forms that some of them accept. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/

/** The first character of a table: without it, spreadsheets guess the encoding. */
export const CSV_BOM = '\uFEFF'

/** CSV for spreadsheets: UTF-8 with BOM, every cell quoted, other people's text never a formula. Source: RFC 4180. */
export const csvOf = (rows: readonly (readonly string[])[]): string => `${CSV_BOM}${rows.map(csvRow).join('')}`

/** One row of such a table. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

const cellOf = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
