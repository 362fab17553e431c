import { randomUUID } from 'node:crypto'

/** New ids and chances. Tests give a seeded one. */
export type Ids = {
  /** A version 4 UUID. */
  uuid(): string
  /** 0 up to, not including, 1. */
  random(): number
}

export const systemIds: Ids = { uuid: () => randomUUID(), random: () => Math.random() }
