import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { signedFeed } from '../../../.ci/sign-feed.ts'

type Answer = (response: ServerResponse) => void

/** Where installed copies look for newer versions: lists and packages, on this machine. */
export class Feed {
  /** Paths of all requests, oldest first. */
  readonly asked: string[] = []
  readonly #server: Server
  readonly #privateKey: string
  #answers = new Map<string, Answer>()

  private constructor(privateKey: string) {
    this.#privateKey = privateKey
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      this.asked.push(path)
      const answer = this.#answers.get(path)
      if (answer) answer(response)
      else response.writeHead(404).end()
    })
  }

  static async serve({ port, privateKey }: { port: number; privateKey: string }): Promise<Feed> {
    const feed = new Feed(privateKey)
    await new Promise<void>((resolve) => feed.#server.listen(port, '127.0.0.1', resolve))
    return feed
  }

  /** From now on only these paths exist. */
  publish(answers: Readonly<Record<string, Answer>>): void {
    this.#answers = new Map(Object.entries(answers))
  }

  signed(list: string): string {
    return signedFeed(list, this.#privateKey)
  }

  /** A package as `npm run package` lists it. */
  async publishPackage(version: string, path: string): Promise<void> {
    const hash = createHash('sha512')
    await pipeline(createReadStream(path), hash)
    const { size } = await stat(path)
    const name = basename(path)
    this.publish({
      [LIST]: text(this.signed(listOf(version, name, hash.digest('base64'), size))),
      [`/${name}`]: (response) => {
        response.writeHead(200, { 'content-length': size })
        createReadStream(path).pipe(response)
      },
    })
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export const LIST = '/latest-linux.yml'

export const text =
  (body: string): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body)

/** A list of one package, in the form of the packager. */
export const listOf = (version: string, name: string, sha512: string, size: number): string =>
  `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${size}\npath: ${name}\nsha512: ${sha512}\nreleaseDate: '2026-11-27T00:00:00.000Z'\n`

/** The list of a package that is not a real one: these bytes. */
export const listOfBytes = (version: string, name: string, bytes: string, size = Buffer.byteLength(bytes)): string =>
  listOf(version, name, createHash('sha512').update(bytes).digest('base64'), size)
