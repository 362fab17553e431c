import type { HistoryFilter, MessageVersion } from '#shared/domain/manage/review.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { asUserId, type MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { csvOf } from '#shared/rules/server/csv.ts'
import { getMessage, queryMessageHistory, undeleteMessage } from '#shared/wire/messages.ts'
import * as users from '#main/cache/people/users.ts'
import { defineFeature } from '../../../registry/feature.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import { asList, asWire, idOf, textOf, timeOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { connectedApi, topicChanged } from '../authority.ts'
import { endBan } from '../bans/calls.ts'
import { readPage } from './read.ts'

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** The history of actions as a table for spreadsheets. */
    historyTable(filter: HistoryFilter): ReturnType<typeof historyTable>
  }
}

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>

export const historyFeature = defineFeature({
  create: (core: Parts) => ({
    calls: { history: historyCalls(core) },
    offers: { historyTable: (filter: HistoryFilter) => historyTable(core, filter) },
  }),
})

const PAGE = 50

/** See docs/wire.md 3.14. */
function historyCalls(core: Parts): HandlersOf<'history', CallContext> {
  return {
    async list({ filter, next }) {
      return readPage(core, await connectedApi(core, 'history'), { filter, next, limit: PAGE })
    },
    async undo(input) {
      if (input.undo === 'unban') {
        await endBan(core, input)
        topicChanged(core, 'bans')
      } else {
        // Only a server token restores messages.
        const api = await connectedApi(core, 'people')
        await api.send(undeleteMessage, { params: { id: input.messageId }, body: {}, signal: core.life })
      }
      topicChanged(core, 'history')
    },
    async versions({ messageId }) {
      return readVersions(core, await connectedApi(core, 'people'), messageId)
    },
  }
}

const MAX_VERSIONS = 100
/** The server logs an edit a moment before the time that the message gets. */
const SAME_EDIT_MS = 2_000

async function readVersions(core: Parts, api: EngineApi, id: MessageId): Promise<readonly MessageVersion[]> {
  const { life: signal } = core
  const asOf = core.asOf()
  const [{ message }, { message_history: earlier }, { entries }] = await Promise.all([
    api.send(getMessage, { params: { id }, query: { show_deleted_message: true }, signal }),
    api.send(queryMessageHistory, { body: { filter: { message_id: id }, limit: MAX_VERSIONS }, signal }),
    readPage(core, api, { filter: { actions: ['message.edit'], messageId: id }, limit: 1 }),
  ])
  const now = asWire(message)
  const author = idOf(asWire(now?.['user'])?.['id']) ?? ''
  core.write((tx) => void writeUser(tx, now?.['user'], asOf))
  const at = timeOf(now?.['message_text_updated_at']) ?? timeOf(now?.['created_at']) ?? 0
  const [edit] = entries
  const byOther = edit?.byId !== undefined && Math.abs(edit.at - at) < SAME_EDIT_MS ? edit.byId : undefined
  const current = { at, byId: byOther ?? asUserId(author), text: textOf(now?.['text']) ?? '' }
  const before = asList(earlier).flatMap((each): MessageVersion[] => {
    const wire = asWire(each)
    const [by, when] = [idOf(wire?.['message_updated_by_id']), timeOf(wire?.['message_updated_at'])]
    if (by === undefined || when === undefined) return []
    return [{ at: when, byId: asUserId(by), text: textOf(wire?.['text']) ?? '' }]
  })
  return [current, ...before]
}

/** Entries of one file at most. */
const MAX_EXPORTED = 20_000
const EXPORT_PAGE = 100

type HistoryTable = {
  readonly text: string
  readonly count: number
  /** Times of its oldest and its newest entry. */
  readonly from?: number
  readonly to?: number
  /** There are older entries that match, which did not fit. */
  readonly cut: boolean
}

/** The newest entries of the history as a table for spreadsheets. */
async function historyTable(core: Parts, filter: HistoryFilter, most = MAX_EXPORTED): Promise<HistoryTable> {
  const api = await connectedApi(core, 'history')
  const rows: (readonly string[])[] = []
  let [from, to]: (number | undefined)[] = []
  let next: string | undefined
  do {
    const page = await readPage(core, api, { filter, next, limit: EXPORT_PAGE })
    for (const entry of page.entries) rows.push(rowOf(core, entry))
    to ??= page.entries[0]?.at
    from = page.entries.at(-1)?.at ?? from
    next = page.next
  } while (next !== undefined && rows.length < most)
  return { text: csvOf([COLUMNS, ...rows]), count: rows.length, from, to, cut: next !== undefined }
}

const COLUMNS = [
  'time',
  'action',
  'by',
  'by_name',
  'person',
  'person_name',
  'channel',
  'channel_name',
  'message',
  'subject',
  'reason',
  'how',
  'seconds',
  'changes',
] as const

type Entry = Awaited<ReturnType<typeof readPage>>['entries'][number]

function rowOf({ cache }: Pick<Core, 'cache'>, entry: Entry): readonly string[] {
  const name = (id: string | undefined): string =>
    id === undefined ? '' : (users.byIds(cache.reader, [asUserId(id)])[0]?.name ?? '')
  return [
    formatTime(entry.at),
    entry.action,
    entry.byId ?? '',
    name(entry.byId),
    entry.targetId ?? '',
    name(entry.targetId),
    entry.cid ?? '',
    entry.channelName ?? '',
    entry.messageId ?? '',
    entry.subject ?? '',
    entry.reason ?? '',
    entry.how ?? '',
    String(entry.seconds ?? ''),
    entry.changes.map(({ field, from = '', to = '' }) => `${field}: ${from} -> ${to}`).join('; '),
  ]
}
