import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Words of each language, by the first letters of its file. No two of one language begin with the same byte. */
export type Words = Readonly<Record<string, readonly string[]>>

/** A server of dictionaries on this device, instead of the public one that Chromium loads them from. */
export class Dictionaries {
  /** Languages that were loaded, in lower case. */
  readonly asked: string[] = []
  readonly #server: Server

  private constructor(words: Words) {
    this.#server = createServer((request, response) => {
      const language = /^\/([a-z]+)[-.]/i.exec(request.url ?? '')?.[1]?.toLowerCase() ?? ''
      this.asked.push(language)
      const found = words[language]
      if (found) response.end(dictionaryOf(found))
      else response.writeHead(404).end()
    })
  }

  static async serve(words: Words): Promise<Dictionaries> {
    const dictionaries = new Dictionaries(words)
    await new Promise<void>((resolve) => dictionaries.#server.listen(0, '127.0.0.1', resolve))
    return dictionaries
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  stop(): void {
    this.#server.close()
  }
}

/**
 * Chromium's own format of a Hunspell dictionary (BDict 2.0): a header with a checksum, empty tables of affixes, and the
 * words as a tree, here of one level: a list of first bytes, each with the rest of its only word.
 */
function dictionaryOf(words: readonly string[]): Buffer {
  const header = Buffer.alloc(32)
  const tables = Buffer.alloc(16)
  const contents = ['\n\n', 'AF 1\0A\0\0', '\0', '\0', '\0'].map((text) => Buffer.from(text, 'latin1'))
  let at = header.length + tables.length
  for (const [index, { length }] of contents.entries()) {
    if (index > 0) tables.writeUInt32LE(at, 4 * (index - 1))
    at += length
  }
  const leaves = words.map((word) => Buffer.from(`@\0${word.slice(1)}\0`, 'utf8'))
  const list = Buffer.alloc(1 + 2 * words.length)
  list.writeUInt8(0xe0 | words.length)
  let offset = 0
  for (const [index, word] of words.entries()) {
    list.write(word, 1 + 2 * index, 1, 'latin1')
    list.writeUInt8(offset, 2 + 2 * index)
    offset += leaves[index]?.length ?? 0
  }
  const body = Buffer.concat([tables, ...contents, list, ...leaves])
  header.write('BDic', 'latin1')
  header.writeUInt16LE(2, 4)
  header.writeUInt32LE(header.length, 8)
  header.writeUInt32LE(at, 12)
  createHash('md5').update(body).digest().copy(header, 16)
  return Buffer.concat([header, body])
}
