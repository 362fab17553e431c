/** Characters that start a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/

/** CSV for spreadsheets: UTF-8 with BOM, every cell quoted, other people's text never a formula. Source: RFC 4180. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`

const cellOf = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
