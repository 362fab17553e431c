/** Websocket text frames built by hand, so that one frame serves every socket. Server frames carry no mask. */

const TEXT_FINAL = 0x81

export function frameHeader(bytes: number): Buffer {
  if (bytes < 126) return Buffer.from([TEXT_FINAL, bytes])
  if (bytes < 0x1_0000) {
    const header = Buffer.alloc(4)
    header[0] = TEXT_FINAL
    header[1] = 126
    header.writeUInt16BE(bytes, 2)
    return header
  }
  const header = Buffer.alloc(10)
  header[0] = TEXT_FINAL
  header[1] = 127
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

export function textFrame(text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([frameHeader(body.length), body])
}

/**
 * One event, encoded once. Fields that differ per recipient are spliced in before the closing brace: the message inside
 * is never encoded again.
 */
export class Encoded {
  readonly json: string
  /** Typing and presence: dropped first when a reader is slow. */
  readonly droppable: boolean
  #open: Buffer | undefined
  #frame: Buffer | undefined
  readonly #frames = new Map<string, Buffer>()

  constructor(json: string, droppable = false) {
    this.json = json
    this.droppable = droppable
  }

  frame(): Buffer {
    this.#frame ??= textFrame(this.json)
    return this.#frame
  }

  /**
   * The frame with `extra` in it; recipients with the same counters share one.
   * @param extra JSON members: `"unread_count":3`
   */
  frameWith(extra: string): Buffer {
    const known = this.#frames.get(extra)
    if (known) return known
    this.#open ??= Buffer.from(this.json.slice(0, -1))
    const tail = Buffer.from(`,${extra}}`)
    const made = Buffer.concat([frameHeader(this.#open.length + tail.length), this.#open, tail])
    this.#frames.set(extra, made)
    return made
  }

  jsonWith(extra: string | undefined): string {
    return extra === undefined ? this.json : `${this.json.slice(0, -1)},${extra}}`
  }
}
