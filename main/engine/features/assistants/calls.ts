import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { sendEvent } from '#shared/wire/channels.ts'
import type { Core } from '../../core.ts'
import { requireConnection } from '../require-connection.ts'

type Place = { readonly cid: Cid; readonly parentId?: MessageId }

/** Requests that the assistants in a place stop; their state is no longer shown. */
export async function stopAssistant(
  core: Pick<Core, 'api' | 'assistants' | 'isHealthy' | 'life'>,
  { cid, parentId }: Place,
): Promise<void> {
  requireConnection(core)
  const event = { type: 'ai_indicator.stop', ...(parentId === undefined ? {} : { parent_id: parentId }) }
  await core.api.send(sendEvent, { params: splitCid(cid), body: { event }, signal: core.life })
  core.assistants.forget(composerKey(cid, parentId))
}
