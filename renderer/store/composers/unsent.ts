import { createSelector } from '@reduxjs/toolkit'
import { UPLOAD_PAUSED } from '#shared/domain/attachment.ts'
import { NEW_POLL, type Draft } from '#shared/domain/draft.ts'
import type { OutboxItem } from '#shared/domain/intent.ts'
import type { AppState } from '../store.ts'

const NO_IDS: readonly string[] = []

const selectIds = (state: AppState): readonly string[] => state.windows.byKey['outbox']?.ids ?? NO_IDS
const selectRows = (state: AppState) => state.entities.outbox

/**
 * Unsent items in the order of creation, without scheduled ones and without read marks, which nobody sends, unless one needs
 * attention. From the snapshot until the outbox window is open.
 */
const selectItems = createSelector([selectIds, selectRows], (ids, rows): readonly OutboxItem[] => {
  const listed = ids.flatMap((id) => rows[id] ?? [])
  const all =
    ids.length > 0
      ? listed
      : Object.values(rows).toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  return all.filter(({ sendAt, kind, state }) => sendAt === undefined && (kind !== 'mark-read' || state === 'parked'))
})

/** Scheduled messages, the soonest first: listed with the drafts, not in the outbox. */
export const selectScheduled = createSelector([selectRows], (rows) =>
  Object.values(rows)
    .filter((item): item is OutboxItem & { readonly sendAt: number } => item.sendAt !== undefined)
    .toSorted((a, b) => a.sendAt - b.sendAt || (a.id < b.id ? -1 : 1)),
)

/** The number of unsent items, in the title strip and beside "Outbox" in Later. */
export const selectOutboxCount = (state: AppState): number => selectItems(state).length

/** An upload that the user paused: it waits for them, but nothing is wrong with it. */
export const isPaused = ({ reason }: OutboxItem): boolean => reason?.code === UPLOAD_PAUSED

const needsHelp = (item: OutboxItem): boolean => item.state === 'parked' && !isPaused(item)

export const selectWaiting = createSelector([selectItems], (items) => items.filter((item) => !needsHelp(item)))
export const selectParked = createSelector([selectItems], (items) => items.filter(needsHelp))

const isWorthShowing = ({ text, uploads, quotedId, edit, polls }: Draft): boolean =>
  text.trim() !== '' ||
  uploads.length > 0 ||
  quotedId !== undefined ||
  edit !== undefined ||
  polls?.[NEW_POLL] !== undefined

/** All drafts, the most recently changed first. */
export const selectDrafts = createSelector([(state: AppState) => state.entities.drafts], (drafts): readonly Draft[] =>
  Object.values(drafts)
    .filter(isWorthShowing)
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.key < b.key ? -1 : 1)),
)
