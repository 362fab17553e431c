/** What a spreadsheet would take for a formula at the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Rows as a table for spreadsheets: UTF-8 with its mark, every cell in quotes, a word of someone else never a formula.
 * Source: RFC 4180.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`

const cellOf = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
