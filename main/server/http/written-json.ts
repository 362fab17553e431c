/**
 * A part of a response that is JSON already: bytes instead of objects. `jsonBytes` sends them as they are. Code that
 * reads a response of ours instead of sending it takes {@link plain}.
 */
export class WrittenJson<T> {
  readonly pieces: readonly Uint8Array[]
  /** What reading it gives; never set. */
  declare readonly value?: T

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces
  }

  /** For `JSON.stringify` of an object that has it as a part: right, and slow. */
  toJSON(): T {
    return JSON.parse(Buffer.concat(this.pieces).toString('utf8')) as T
  }
}

/** An object of which some parts are already written. */
export type PartlyWritten<T> = { readonly [Key in keyof T]: T[Key] | WrittenJson<T[Key]> }

/** The objects that a client would read. */
export const plain = <T extends object>(reply: PartlyWritten<T>): T =>
  Object.fromEntries(
    Object.entries(reply).map(([key, part]) => [key, part instanceof WrittenJson ? part.toJSON() : part]),
  ) as T
