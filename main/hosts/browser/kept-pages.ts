import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { replaceFile } from '../node/secrets-file.ts'

/** A page that was let in, so that its window comes back by itself after a restart. The token itself is nowhere but in its tab. */
const keptSession = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  hash: v.pipe(v.string(), v.base64(), v.maxLength(64)),
  word: v.pipe(v.string(), v.minLength(16), v.maxLength(64)),
  /** Epoch milliseconds after which it has to be opened again. */
  until: v.number(),
  asUserId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
})
export type KeptSession = v.InferOutput<typeof keptSession>

const keptPages = v.object({
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  sessions: v.pipe(v.array(keptSession), v.maxLength(1_000)),
})
type KeptPages = v.InferOutput<typeof keptPages>

/** `pages.json` of the profile, mode 0600: the port of the last run, and the pages that were open in it. */
export class PagesFile {
  readonly #path: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** What is damaged or of another version is none: the pages are opened again then. */
  async read(): Promise<KeptPages | undefined> {
    try {
      const found = v.safeParse(keptPages, JSON.parse(await readFile(this.#path, 'utf8')))
      return found.success ? found.output : undefined
    } catch {
      return undefined
    }
  }

  /** One after the other; the file is replaced, never half written. */
  write(pages: KeptPages): Promise<void> {
    const next = this.#last.then(() => replaceFile(this.#path, JSON.stringify(pages)))
    this.#last = next.catch(() => undefined)
    return next
  }

  /** What was to be written is. */
  async settled(): Promise<void> {
    await this.#last
  }
}
