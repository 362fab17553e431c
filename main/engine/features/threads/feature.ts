import { asMessageId } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { markUnread } from '#shared/wire/channels.ts'
import { updateThreadPartial } from '#shared/wire/messages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import { type Core, type Recovery, requireConnection } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { Appliers } from '../../sync/ingest.ts'
import { receiveMessage } from '../../sync/write.ts'
import { ApiError } from '../../api/errors.ts'
import type { CallContext, ClientId } from '../../context.ts'
import { fetchMessage } from '../channels/fetch.ts'
import { openList, pageList } from '../channels/windows.ts'
import { type ReadMarker, orStoreHere } from '../reads/marker.ts'
import { isReadWithoutTrace, storeLocalUnread } from '../reads/traceless.ts'
import { writeTitle, fetchThreadState, followFromHere } from './inbox.ts'

/** See docs/wire.md 4.7, 4.10 and 8.11. */
const threadEvents: Appliers = {
  /** Only participants receive this: the viewer follows the thread from now on. */
  'notification.thread_message_new': (tx, event, { at, later, threads }) => {
    const row = receiveMessage(tx, event.message, { asOf: at, cid: event.cid, live: false })
    const threadId = row?.parentId ?? event.thread_id
    if (row && threadId !== undefined) {
      later(() => threads().replied(asMessageId(threadId), true))
      reads.follow(tx, { cid: row.cid, threadId: asMessageId(threadId), from: row.createdAt })
    }
  },
  'thread.updated': (tx, event, { at }) => writeTitle(tx, { ...event.thread, channel_cid: event.cid }, at),
}

type Parts = Recovery &
  Pick<Core, 'background' | 'context' | 'log' | 'notify' | 'outbox' | 'readMarker' | 'serverNow' | 'stores' | 'threads'>

export const threadsFeature = defineFeature({
  events: threadEvents,
  create: (core: Parts) => ({
    calls: { threads: threadCalls(core, core.readMarker()) },
    stop: [{ phase: 'timers', order: 20, run: () => core.threads().stop() }],
  }),
})

/** The replies to one message, as a list `thread:<parentId>`. */
function threadCalls(core: Parts, marker: ReadMarker): HandlersOf<'threads', CallContext> {
  const cidOf = (client: ClientId, parentId: string) => core.collector.list(client, `thread:${parentId}`)?.view.cid
  return {
    open: ({ cid, parentId, ...aim }, { client }) => {
      const isNew = core.collector.list(client, `thread:${parentId}`) === undefined
      const opened = openList(core, client, { cid, parentId }, aim)
      if (isNew && core.isHealthy()) {
        core.background('thread-state', async () => {
          // A message without replies is not a thread yet: the server does not know it.
          const { replyCount } = await fetchMessage(core, cid, parentId)
          if (replyCount > 0) await fetchThreadState(core, cid, parentId)
        })
      }
      return opened
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
    markUnread: async ({ cid, parentId, messageId }) => {
      if (isReadWithoutTrace(core, cid) && storeLocalUnread(core, { cid, parentId }, messageId)) return
      requireConnection(core)
      const isOurs = (intent: { readonly parentId?: string }): boolean => intent.parentId === parentId
      const waiting = core.outbox.in(cid).filter((intent) => intent.kind === 'mark-read' && intent.state !== 'inflight')
      core.outbox.remove(waiting.filter(isOurs).map((intent) => intent.id))
      const body = { thread_id: parentId, ...(messageId === undefined ? {} : { message_id: messageId }) }
      const send = () => core.api.send(markUnread, { params: splitCid(cid), body, signal: core.life })
      await orStoreHere(core, { cid, parentId }, messageId, send)
    },
    follow: ({ cid, parentId, follows: isFollowed }) => {
      if (isFollowed && messages.byId(core.cache.reader, parentId) === undefined) throw new AppError('message/gone')
      const at = core.serverNow()
      core.stores.outbox.transaction((tx) => follows.put(tx, { parentId, cid, follows: isFollowed, at }))
      if (isFollowed) core.write((tx) => followFromHere(tx, cid, parentId, at))
    },
    rename: async ({ cid, parentId, title }) => {
      requireConnection(core)
      const asOf = core.asOf()
      const change = title === '' ? { unset: ['title'] } : { set: { title } }
      try {
        const { thread } = await core.api.send(updateThreadPartial, {
          params: { messageId: parentId },
          body: change,
          cid,
          signal: core.life,
        })
        core.write((tx) => writeTitle(tx, { ...thread, channel_cid: cid }, asOf))
      } catch (error) {
        if (error instanceof ApiError && error.class === 'gone') throw new AppError('message/gone', { cause: error })
        throw error
      }
    },
  }
}
