/** What the app asked of the system, in order, for tests to look at: `app.evaluate(() => globalThis.standinLog)`. */
export type Entry = { readonly what: string; readonly args: readonly unknown[] }

const log: Entry[] = []
/** Answers that tests prepare, by name; for example `dialog.showMessageBox` → `{ response: 1 }`. */
const answers: Record<string, unknown> = {}
Object.assign(globalThis, { standinLog: log, standinAnswers: answers })

export function record(what: string, ...args: unknown[]): void {
  log.push({ what, args })
}

export function answerOf<T>(what: string, fallback: T): T {
  return what in answers ? (answers[what] as T) : fallback
}
