import { randomUUID } from 'node:crypto'

/** Ids and random numbers. Tests use a seeded source. */
export type Ids = {
  /** A version 4 UUID. */
  uuid(): string
  /** 0 up to, not including, 1. */
  random(): number
}

export const systemIds: Ids = { uuid: () => randomUUID(), random: () => Math.random() }
