import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { replaceFile } from '../node/secrets-file.ts'

/** A stored session, so that its window reconnects after a restart. The token itself is only in its tab. */
const pageSession = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  hash: v.pipe(v.string(), v.base64(), v.maxLength(64)),
  word: v.pipe(v.string(), v.minLength(16), v.maxLength(64)),
  /** Epoch milliseconds when the session expires. */
  until: v.number(),
  asUserId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
})
export type StoredPageSession = v.InferOutput<typeof pageSession>

const storedPages = v.object({
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  sessions: v.pipe(v.array(pageSession), v.maxLength(1_000)),
})
type StoredPages = v.InferOutput<typeof storedPages>

/** `pages.json` of the profile, mode 0600: the port of the last run, and the pages that were open in it. */
export class PagesFile {
  readonly #path: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** A damaged file or one of another version counts as empty. */
  async read(): Promise<StoredPages | undefined> {
    try {
      const found = v.safeParse(storedPages, JSON.parse(await readFile(this.#path, 'utf8')))
      return found.success ? found.output : undefined
    } catch {
      return undefined
    }
  }

  /** Writes run one after the other; the file is replaced, never half written. */
  write(pages: StoredPages): Promise<void> {
    const next = this.#last.then(() => replaceFile(this.#path, JSON.stringify(pages)))
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Resolves when every write has finished. */
  async settled(): Promise<void> {
    await this.#last
  }
}
