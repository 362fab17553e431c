import type { HandlersOf } from '#shared/bridge/index.ts'
import type { CallContext, ClientId } from '../../context.ts'
import type { Core } from '../../core.ts'
import { openAround, openList, pageList } from '../channels/windows.ts'
import type { ReadMarker } from '../reads/marker.ts'

/** The replies to one message, as a window `thread:<parentId>`. */
export function threadCalls(core: Core, marker: ReadMarker): HandlersOf<'threads', CallContext> {
  const cidOf = (client: ClientId, parentId: string) => core.collector.list(client, `thread:${parentId}`)?.view.cid
  return {
    open: async ({ cid, parentId, around }, { client }) => {
      openList(core, client, { cid, parentId })
      if (around !== undefined) await openAround(core, client, { cid, parentId }, around)
    },
    close: ({ parentId }, { client }) => core.collector.close(client, `thread:${parentId}`),
    page: async ({ parentId, direction }, { client }) => {
      const cid = cidOf(client, parentId)
      if (cid !== undefined) await pageList(core, client, { cid, parentId }, direction)
    },
    openInbox: (_input, { client }) => {
      core.collector.openPlain(client, 'threads')
      core.threads().opened()
    },
    closeInbox: (_input, { client }) => core.collector.close(client, 'threads'),
    pageInbox: () => core.threads().nextPage(),
    markRead: ({ cid, parentId }) => marker.mark(cid, parentId),
  }
}
