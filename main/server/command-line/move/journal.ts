import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'

/** What a move has done already, so that it goes on where it ended. One line of JSON for each step, on disk at once. */
export type Journal = {
  /** What the step gave, such as the new address of a file; `undefined` if it is not done. */
  done(step: string): string | undefined
  note(step: string, gave?: string): void
}

/**
 * @param target where it moves to: a journal of another move is refused
 */
export function openJournal(path: string, target: string): Journal | { readonly belongsTo: string } {
  const steps = new Map<string, string>()
  const { lines, wholeBytes } = existsSync(path) ? wholeLines(readFileSync(path)) : { lines: [], wholeBytes: 0 }
  for (const line of lines) {
    const [step = '', gave = ''] = JSON.parse(line) as [string?, string?]
    steps.set(step, gave)
  }
  const before = steps.get(TARGET)
  if (before !== undefined && before !== target) return { belongsTo: before }
  // An end in the middle of a line: that step is done again, which doubles nothing.
  if (existsSync(path)) truncateSync(path, wholeBytes)
  const note = (step: string, gave = ''): void => {
    steps.set(step, gave)
    appendFileSync(path, `${JSON.stringify([step, gave])}\n`, { mode: 0o600, flush: true })
  }
  if (before === undefined) note(TARGET, target)
  return { done: (step) => steps.get(step), note }
}

const TARGET = 'target'

function wholeLines(bytes: Buffer): { readonly lines: readonly string[]; readonly wholeBytes: number } {
  const wholeBytes = bytes.lastIndexOf('\n') + 1
  const text = bytes.subarray(0, wholeBytes).toString('utf8')
  return { lines: text.split('\n').filter((line) => line !== ''), wholeBytes }
}
