import type { Cid } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels.ts'
import { updateChannelPartial } from '#shared/wire/channels.ts'
import { uploadImage } from '#shared/wire/uploads.ts'
import * as channels from '#main/cache/tables/channels.ts'
import type { Core } from '../../core.ts'
import { asWire, timeIn } from '../../decode/read.ts'
import { writeChannel } from '../../sync/write.ts'
import { requireLine } from '../line.ts'
import { stagedPath } from '../uploads/staging.ts'

type Wanted = {
  readonly cid: Cid
  readonly name?: string | undefined
  readonly topic?: string | undefined
  readonly frozen?: boolean | undefined
  readonly cooldown?: number | undefined
  readonly typingEvents?: boolean | undefined
  readonly sharedLocations?: boolean | undefined
}

/** What a channel says about itself, key by key; what is not named stays. */
export async function update(core: Core, { cid, topic, ...wanted }: Wanted): Promise<void> {
  const { name, frozen, cooldown } = wanted
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(topic ? { topic } : {}),
    ...(frozen === undefined ? {} : { frozen }),
    ...(cooldown === undefined ? {} : { cooldown }),
    ...rulesOf(core, cid, wanted),
  }
  await patch(core, cid, set, topic === '' ? ['topic', 'description'] : [])
}

/** Own rules of a channel are sent whole: those it has already are kept. Source: wire contract 5.19. */
function rulesOf(core: Core, cid: Cid, { typingEvents, sharedLocations }: Omit<Wanted, 'cid'>) {
  if (typingEvents === undefined && sharedLocations === undefined) return {}
  const had = asWire(channels.byCid(core.cache.reader, cid)?.custom['config_overrides'])
  return {
    config_overrides: {
      ...had,
      ...(typingEvents === undefined ? {} : { typing_events: typingEvents }),
      ...(sharedLocations === undefined ? {} : { shared_locations: sharedLocations }),
    },
  }
}

async function patch(core: Core, cid: Cid, set: Record<string, unknown>, unset: readonly string[]): Promise<void> {
  requireLine(core)
  if (Object.keys(set).length + unset.length === 0) return
  const asOf = core.asOf()
  const reply = await core.api.send(updateChannelPartial, {
    params: splitCid(cid),
    body: { set, ...(unset.length === 0 ? {} : { unset }) },
    signal: core.life,
  })
  core.write((tx) => writeChannel(tx, reply.channel, Math.max(asOf, timeIn(reply.channel, 'updated_at') ?? 0)))
}

type Picture = { readonly base64: string; readonly mimeType: string }

/** The bytes stand in the staging folder only while they are sent: without an answer the picture is as it was. */
export async function setChannelImage(core: Core, cid: Cid, picture: Picture | undefined): Promise<void> {
  requireLine(core)
  if (picture === undefined) return patch(core, cid, {}, ['image'])
  const path = stagedPath(core, core.ports.ids.uuid())
  try {
    await core.ports.files.append(path, Buffer.from(picture.base64, 'base64'))
    const { file } = await core.api.upload(uploadImage, {
      params: splitCid(cid),
      file: {
        path,
        fileName: `channel.${picture.mimeType.slice('image/'.length)}`,
        mimeType: picture.mimeType,
        onProgress: () => undefined,
      },
      signal: core.life,
    })
    await patch(core, cid, { image: file }, [])
  } finally {
    await core.ports.files.remove(path)
  }
}
