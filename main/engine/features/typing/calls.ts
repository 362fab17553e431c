import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { mayPublishTyping, mayResendTyping, sharesTyping } from '#shared/rules/channels/typing.ts'
import { sendEvent } from '#shared/wire/channels.ts'
import * as channels from '#main/cache/channels/channels.ts'
import type { Core } from '../../core.ts'

type Place = { readonly cid: Cid; readonly parentId?: MessageId; readonly typing: boolean }

type Parts = Pick<Core, 'api' | 'background' | 'cache' | 'isHealthy' | 'life' | 'memory' | 'ports'>

/** Publishes the viewer's typing: start at most every 2 s, stop once. Never queued: it would be outdated. */
export function typingCall(core: Parts): (place: Place) => void {
  const sentAt = new Map<string, number>()

  function publish({ cid, parentId }: Place, type: 'typing.start' | 'typing.stop'): void {
    core.background('typing', () =>
      core.api.send(sendEvent, {
        params: splitCid(cid),
        body: { event: { type, ...(parentId === undefined ? {} : { parent_id: parentId }) } },
        signal: core.life,
      }),
    )
  }

  return (place) => {
    const key = composerKey(place.cid, place.parentId)
    const channel = channels.byCid(core.cache.reader, place.cid)
    if (!channel?.config || !isAllowed(core, place.cid, channel.config, channel.capabilities)) return
    const now = core.ports.clock.monotonic()
    if (!place.typing) {
      if (sentAt.delete(key)) publish(place, 'typing.stop')
    } else if (mayResendTyping(sentAt.get(key), now)) {
      sentAt.set(key, now)
      publish(place, 'typing.start')
    }
  }
}

const isAllowed = (
  core: Pick<Core, 'isHealthy' | 'memory'>,
  cid: Cid,
  config: { readonly typingEvents: boolean },
  capabilities: readonly string[] | undefined,
): boolean =>
  mayPublishTyping({
    config,
    capabilities: capabilities ?? [],
    healthy: core.isHealthy(),
    publishTyping: sharesTyping(core.memory.settings, core.memory.session, cid),
  })
