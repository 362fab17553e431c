import { writeSync } from 'node:fs'

/** A pipe is written synchronously, so what was printed before a kill is read. */
export const printLine = (line: string): void => void writeSync(1, `${line}\n`)
