import * as v from 'valibot'
import type { MoveProgress } from '#shared/domain/moving.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Host } from '#main/hosts/host.ts'
import { aboutSchema, cameFromSchema } from '#main/server/store/moving/container.ts'

/**
 * Work on a workspace file, in a process of its own: it takes as long as the disk does, and reads what may come from
 * anyone.
 */
export type FileTask = {
  readonly args: readonly string[]
  /** See `PARLOR_MOVE` of the server program. */
  readonly order?: Readonly<Record<string, unknown>>
  readonly secret?: string
  readonly signal: AbortSignal
  readonly onProgress?: (progress: MoveProgress) => void
}

const lineSchema = v.variant('event', [
  v.object({
    event: v.literal('progress'),
    step: v.picklist(['writing', 'checking']),
    done: v.number(),
    total: v.number(),
  }),
  v.object({
    event: v.literal('about'),
    about: v.object({ ...aboutSchema.entries, keys: v.boolean(), came: v.boolean() }),
    sealed: v.boolean(),
  }),
  v.object({ event: v.literal('keys'), keys: aboutSchema.entries.keys, came: v.optional(cameFromSchema) }),
  v.object({ event: v.literal('done') }),
  v.object({ event: v.literal('failed'), code: v.string() }),
])
type Line = v.InferOutput<typeof lineSchema>

export type TaskResult = {
  readonly about?: Extract<Line, { event: 'about' }>['about']
  readonly keys?: Extract<Line, { event: 'keys' }>['keys']
  readonly came?: Extract<Line, { event: 'keys' }>['came']
}

/** Rejects with the reason for which it failed; `undefined` when it was canceled. */
export async function runFileTask(
  host: Pick<Host, 'server'>,
  { args, order = {}, secret, signal, onProgress }: FileTask,
): Promise<TaskResult | undefined> {
  let result: TaskResult = {}
  let end: Extract<Line, { event: 'done' | 'failed' }> | undefined
  await host.server.run({
    args: [...args, '--progress'],
    environment: { PARLOR_MOVE: JSON.stringify(order), ...(secret === undefined ? {} : { PARLOR_SECRET: secret }) },
    signal,
    onLine(given) {
      const parsed = v.safeParse(lineSchema, given)
      if (!parsed.success) return
      const line = parsed.output
      if (line.event === 'progress') onProgress?.({ step: line.step, done: line.done, total: line.total })
      else if (line.event === 'about') result = { ...result, about: line.about }
      else if (line.event === 'keys') result = { ...result, keys: line.keys, came: line.came }
      else end = line
    },
  })
  if (end?.event === 'done') return result
  if (signal.aborted) return undefined
  throw new AppError(end?.code ?? 'data/not-written')
}
