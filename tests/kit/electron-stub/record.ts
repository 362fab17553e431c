/** What the tested code called in Electron, in order. */
type Entry = { readonly what: string; readonly args: readonly unknown[] }

const log: Entry[] = []
/** Results that tests prepare, by name; for example `dialog.showMessageBox` → `{ response: 1 }`. */
const answers: Record<string, unknown> = {}

export function record(what: string, ...args: unknown[]): void {
  log.push({ what, args })
}

export function answerOf<T>(what: string, fallback: T): T {
  return what in answers ? (answers[what] as T) : fallback
}

/** What was called under this name since `forgetAll`, each with its arguments. */
export const callsTo = (what: string): (readonly unknown[])[] =>
  log.filter((entry) => entry.what === what).map(({ args }) => args)

export function forgetAll(): void {
  log.length = 0
  for (const what of Object.keys(answers)) delete answers[what]
}

export function answer(what: string, value: unknown): void {
  answers[what] = value
}
