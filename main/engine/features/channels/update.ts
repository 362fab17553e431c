import type { SmallPicture } from '#shared/bridge/schemas.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { updateChannelPartial } from '#shared/wire/channels.ts'
import { uploadImage } from '#shared/wire/uploads.ts'
import * as channels from '#main/cache/channels/channels.ts'
import type { Core, Requests } from '../../core.ts'
import { asWire, timeIn } from '../../decode/read.ts'
import { writeChannel } from '../../sync/write.ts'
import { requireConnection } from '../require-connection.ts'
import { sendSmall } from '../uploads/small.ts'

type UpdateInput = {
  readonly cid: Cid
  readonly name?: string
  readonly topic?: string
  readonly frozen?: boolean
  readonly cooldown?: number
  readonly typingEvents?: boolean
  readonly sharedLocations?: boolean
}

type Parts = Requests & Pick<Core, 'cache' | 'ports' | 'stagingFolder'>

/** Updates the given fields of a channel; others stay. */
export async function update(core: Parts, { cid, topic, ...wanted }: UpdateInput): Promise<void> {
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

/** A channel's own rules are sent completely: existing ones are included. See docs/wire.md 5.19. */
function rulesOf(core: Pick<Core, 'cache'>, cid: Cid, { typingEvents, sharedLocations }: Omit<UpdateInput, 'cid'>) {
  if (typingEvents === undefined && sharedLocations === undefined) return {}
  const existing = asWire(channels.byCid(core.cache.reader, cid)?.custom['config_overrides'])
  return {
    config_overrides: {
      ...existing,
      ...(typingEvents === undefined ? {} : { typing_events: typingEvents }),
      ...(sharedLocations === undefined ? {} : { shared_locations: sharedLocations }),
    },
  }
}

async function patch(core: Requests, cid: Cid, set: Record<string, unknown>, unset: readonly string[]): Promise<void> {
  requireConnection(core)
  if (Object.keys(set).length + unset.length === 0) return
  const asOf = core.asOf()
  const reply = await core.api.send(updateChannelPartial, {
    params: splitCid(cid),
    body: { set, unset: unset.length === 0 ? undefined : unset },
    signal: core.life,
  })
  core.write((tx) => writeChannel(tx, reply.channel, Math.max(asOf, timeIn(reply.channel, 'updated_at') ?? 0)))
}

export async function setChannelImage(core: Parts, cid: Cid, picture: SmallPicture | undefined): Promise<void> {
  requireConnection(core)
  if (picture === undefined) return patch(core, cid, {}, ['image'])
  await sendSmall(core, 'channel', picture, async (file) => {
    const { file: image } = await core.api.upload(uploadImage, { params: splitCid(cid), file, signal: core.life })
    await patch(core, cid, { image }, [])
  })
}
