import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { emojiNameFault } from '#shared/rules/messages/emoji.ts'
import { createEmoji, deleteEmoji, updateEmoji } from '#shared/wire/emoji.ts'
import { deleteLooseImage, uploadLooseImage } from '#shared/wire/uploads.ts'
import * as table from '#main/cache/people/emoji.ts'
import { type Core, requireConnection } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { ApiError } from '../../api/errors.ts'
import type { CallContext } from '../../context.ts'
import { sendSmall } from '../uploads/staging.ts'
import { emojiEvents, writeEmoji, fetchEmoji } from './receive.ts'

type Parts = Pick<
  Core,
  'api' | 'background' | 'cache' | 'isHealthy' | 'life' | 'memory' | 'ports' | 'stagingFolder' | 'write'
>

export const emojiFeature = defineFeature({
  events: emojiEvents,
  create: (core: Parts) => ({ calls: { emoji: emojiCalls(core) } }),
})

type Handlers = HandlersOf<'emoji', CallContext>

/** Source: ADR 19. */
function emojiCalls(core: Parts): Handlers {
  return {
    add: (input) => add(core, input),
    change: async ({ name, to, aliases }) => {
      ready(core)
      requireFreeNames(core, [to, ...aliases], name)
      const reply = await withReason(core, [to, ...aliases], name, () =>
        core.api.send(updateEmoji, { params: { name }, body: { name: to, aliases }, signal: core.life }),
      )
      core.write((tx) => {
        if (to !== name) table.remove(tx, name)
        writeEmoji(tx, reply.emoji)
      })
    },
    remove: async ({ name }) => {
      ready(core)
      await withReason(core, [], name, () => core.api.send(deleteEmoji, { params: { name }, signal: core.life }))
      core.write((tx) => table.remove(tx, name))
    },
  }
}

/** If the emoji cannot be created, its uploaded picture is deleted. */
async function add(core: Parts, { name, aliases, ...picture }: Parameters<Handlers['add']>[0]): Promise<void> {
  const terms = ready(core)
  requireFreeNames(core, [name, ...aliases])
  if (table.all(core.cache.reader).length >= terms.maxCount) {
    throw new AppError('emoji/full', { params: { max: terms.maxCount } })
  }
  const { file: url } = await taken(() =>
    sendSmall(core, name, picture, (file) => core.api.upload(uploadLooseImage, { file, signal: core.life })),
  )
  try {
    const reply = await withReason(core, [name, ...aliases], undefined, () =>
      core.api.send(createEmoji, { body: { name, aliases, url }, signal: core.life }),
    )
    core.write((tx) => writeEmoji(tx, reply.emoji))
  } catch (error) {
    core.background('emoji-picture', () => core.api.send(deleteLooseImage, { query: { url }, signal: core.life }))
    throw error
  }
}

function ready(core: Pick<Core, 'cache' | 'isHealthy'>): table.StoredTerms {
  const terms = table.terms(core.cache.reader)
  if (terms === undefined) throw new AppError('emoji/not-here')
  requireConnection(core)
  return terms
}

/** Throws for names that are invalid or taken, as far as is known here. `own`: the emoji that is being changed. */
function requireFreeNames(core: Pick<Core, 'cache'>, names: readonly string[], own?: string): void {
  const others = table.all(core.cache.reader).filter(({ name }) => name !== own)
  const taken = new Set(others.flatMap(({ name, aliases }) => [name, ...aliases]))
  for (const name of names) {
    const fault = emojiNameFault(name, taken)
    if (fault) throw new AppError(`emoji/${fault}`, { params: { name } })
  }
}

/** Reports a picture that the server rejects with a separate error. */
async function taken<T>(upload: () => Promise<T>): Promise<T> {
  try {
    return await upload()
  } catch (error) {
    if (!(error instanceof ApiError) || ![4, 22].includes(error.wireCode ?? 0)) throw error
    throw new AppError('emoji/picture', { cause: error, detail: error.message })
  }
}

/** Another user may have been faster: after fetching the current emoji the rejection can be explained. */
async function withReason<T>(core: Parts, names: readonly string[], own: string | undefined, ask: () => Promise<T>) {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ApiError) || ![4, 16].includes(error.wireCode ?? 0)) throw error
    await fetchEmoji(core)
    if (own !== undefined && table.byName(core.cache.reader, own) === undefined) throw new AppError('emoji/gone')
    requireFreeNames(core, names, own)
    throw error
  }
}
