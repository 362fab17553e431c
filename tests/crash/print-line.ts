import { writeSync } from 'node:fs'

/** A pipe is written at once, so what was said before a kill is heard. */
export const printLine = (line: string): void => void writeSync(1, `${line}\n`)
