import { composerKey, type PollForms } from '#shared/domain/draft.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { EMPTY_COMPOSITION } from '#shared/rules/composer/composer.ts'
import type { DraftRow } from '#main/cache/rows.ts'
import * as table from '#main/cache/outbox/drafts.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { decodeServerDraft } from '../../decode/channel.ts'
import type { Appliers } from '../../sync/ingest.ts'
import type { CallContext } from '../../context.ts'
import { forgetUploads } from '../uploads/staging.ts'
import { dropDraft, sendDraft } from './sync.ts'

/** Drafts are in the other database, so they are written after this batch. See docs/wire.md 4.10. */
const draftEvents: Appliers = {
  'draft.updated': (tx, event, { at, later, drafts }) => {
    const draft = decodeServerDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().received({ ...draft, at }))
  },
  'draft.deleted': (tx, event, { at, later, drafts }) => {
    const draft = decodeServerDraft(event.draft, { viewerId: tx.viewerId, asOf: at, isAnswer: false })
    if (draft) later(() => drafts().removed(draft.key, at))
  },
}

type Parts = Pick<
  Core,
  | 'background'
  | 'draftRevisions'
  | 'drafts'
  | 'life'
  | 'memory'
  | 'outbox'
  | 'ports'
  | 'runner'
  | 'stagingFolder'
  | 'stores'
>

export const draftsFeature = defineFeature({
  events: draftEvents,
  kinds: { 'create-draft': { perform: sendDraft }, 'delete-draft': { perform: dropDraft } },
  create: (core: Parts) => ({
    calls: { drafts: draftCalls(core) },
    stop: [{ phase: 'flush', order: 20, run: () => core.drafts().flush() }],
    onSettings: [
      {
        order: 30,
        run(before) {
          if (before.syncDrafts !== core.memory.settings.syncDrafts) core.drafts().settingsChanged()
        },
      },
    ],
  }),
})

type Content = Omit<DraftRow, 'key' | 'updatedAt' | 'synced' | 'lost' | 'polls'>

/** Drafts are always stored on disk, beside the outbox; {@link DraftSync} sends them to the server. */
function draftCalls(core: Parts): HandlersOf<'drafts', CallContext> {
  const { draftRevisions } = core

  /** @returns false if the draft stays as another window wrote it */
  function write(content: Content, isUnseen = false): boolean {
    const key = composerKey(content.cid, content.parentId)
    const updatedAt = core.ports.clock.now()
    const isWritten = core.stores.outbox.transaction((tx) => {
      const known = table.byKey(tx, key)
      const { synced, lost, polls } = known ?? {}
      const own: DraftRow = { ...content, key, updatedAt, synced, lost, polls }
      // Emptying a composer, by sending or by hand, does not remove text that it never showed.
      if (known && isUnseen && isBlank({ ...own, polls: undefined })) return false
      const row = known && isUnseen ? withUnseen(own, known) : own
      if (!isBlank(row)) table.put(tx, row)
      else if (row.lost === undefined) table.remove(tx, key)
      else table.put(tx, { ...row, synced: undefined })
      table.noteVersion(tx, row, updatedAt)
      return true
    })
    for (const id of content.uploadIds) core.memory.discarded.delete(id)
    return isWritten
  }

  return {
    save: ({ basedOn, ...content }, { client }) => {
      const key = composerKey(content.cid, content.parentId)
      if (!write(content, draftRevisions.isUnseen(key, client, basedOn))) return { revision: basedOn ?? 0 }
      draftRevisions.setWriter(key, client)
      return { revision: draftRevisions.revision(key) }
    },
    add: ({ cid, parentId, text: more }) => {
      const held = table.byKey(core.stores.outbox.reader, composerKey(cid, parentId))
      const { text: before = '', uploadIds = [], quotedId, edit, showInChannel = false } = held ?? {}
      const text = before.trim() === '' ? more : `${before}\n\n${more}`
      write({ cid, parentId, text, uploadIds, quotedId, edit, showInChannel, caret: text.length })
    },
    savePoll: ({ cid, of, form }) => {
      core.stores.outbox.transaction((tx) => {
        const held = table.byKey(tx, cid)
        const { [of]: _before, ...others } = held?.polls ?? {}
        const polls = form === undefined ? others : { ...others, [of]: form }
        const row = { ...(held ?? emptyDraft(cid)), updatedAt: core.ports.clock.now(), polls: someOf(polls) }
        if (isBlank(row) && row.lost === undefined) table.remove(tx, cid)
        else table.put(tx, row)
      })
    },
    discard: ({ key }) => {
      const row = core.stores.outbox.transaction((tx) => table.remove(tx, key))
      if (row) forgetLater(core, row.uploadIds)
    },
    dismissConflict: ({ key }) => {
      core.stores.outbox.transaction((tx) => {
        const row = table.byKey(tx, key)
        if (!row) return
        const { lost: _lost, ...rest } = row
        if (isBlank(rest)) table.remove(tx, key)
        else table.put(tx, rest)
      })
    },
    history: ({ key }) => table.versions(core.stores.outbox.reader, core.ports.clock.now(), key),
    forgetHistory: () => core.stores.outbox.transaction(table.forgetVersions),
  }
}

/** How long a discarded draft can be restored with its files. After a crash the next start cleans up. */
const DISCARD_UNDO_MS = 10 * 60_000

function forgetLater(core: Parts, uploadIds: readonly string[]): void {
  if (uploadIds.length === 0) return
  const { discarded } = core.memory
  for (const id of uploadIds) discarded.add(id)
  const stop = core.ports.clock.after(DISCARD_UNDO_MS, () => {
    for (const id of uploadIds) discarded.delete(id)
    const wanted = new Set(table.all(core.stores.outbox.reader).flatMap((row) => row.uploadIds))
    const files = uploads.byIds(core.stores.outbox.reader, uploadIds)
    const left = files.filter(({ id, messageId }) => !wanted.has(id) && messageId === undefined)
    forgetUploads(
      core,
      left.map(({ id }) => id),
    )
  })
  core.life.addEventListener('abort', stop, { once: true })
}

const emptyDraft = (cid: Cid): Omit<DraftRow, 'updatedAt'> => ({ ...EMPTY_COMPOSITION, key: cid, cid })

const someOf = (polls: PollForms): PollForms | undefined => (Object.keys(polls).length === 0 ? undefined : polls)

/**
 * Text of another window that this one never showed is stored beside its own until the user decides; its files stay.
 */
function withUnseen(row: DraftRow, known: DraftRow): DraftRow {
  const uploadIds = [...new Set([...known.uploadIds, ...row.uploadIds])]
  if (known.text.trim() === '' || row.text.includes(known.text)) return { ...row, uploadIds }
  const older = known.lost === undefined ? '' : `${known.lost.text}\n`
  return { ...row, uploadIds, lost: { text: `${older}${known.text}`, at: known.updatedAt } }
}

const isBlank = ({ text, uploadIds, quotedId, edit, polls }: DraftRow): boolean =>
  text.trim() === '' && uploadIds.length === 0 && quotedId === undefined && edit === undefined && polls === undefined
