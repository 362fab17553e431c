import { createSelector } from '@reduxjs/toolkit'
import { useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'
import { isLoud } from './selectors.ts'

/**
 * Rows of a section before more are asked for, and how many more come then. Each costs 0.1 ms at a start, and whoever
 * sends a campaign has a conversation with everyone it reached.
 */
const ROWS = 200

/** A section with the conversations that are listed of it. */
export type ListedSection = Section & { readonly listed: readonly string[] }

const needsRow = (channel: Channel): boolean => isLoud(channel) || channel.hasDraft || channel.queuedCount > 0

/** Conversations with something new, something unsent, or open: listed wherever they stand. As one string, so that equal ones are one. */
const selectNeeded = createSelector([({ entities }: AppState) => entities.channels, selectOpenCid], (channels, open) =>
  Object.values(channels)
    .filter((channel) => needsRow(channel) || channel.cid === open)
    .map(({ cid }) => cid)
    .join(' '),
)

/** What a list of conversations shows of its sections; `more` lists further ones of a section. */
export function useListed(sections: readonly Section[]): {
  readonly listed: readonly ListedSection[]
  readonly more: (name: string) => void
} {
  const [rows, setRows] = useState<Readonly<Record<string, number>>>({})
  const mostOf = (name: string): number => rows[name] ?? ROWS
  const isLong = sections.some(({ name, cids }) => cids.length > mostOf(name))
  const needed = new Set(useAppSelector((state) => (isLong ? selectNeeded(state) : '')).split(' '))
  return {
    listed: sections.map((section) => {
      const { name, cids } = section
      const most = mostOf(name)
      return { ...section, listed: cids.length > most ? cids.filter((cid, at) => at < most || needed.has(cid)) : cids }
    }),
    more: (name) => setRows((before) => ({ ...before, [name]: (before[name] ?? ROWS) + ROWS })),
  }
}

/** Its place among the rows that arrow keys walk. */
export const moreId = (name: string): string => `more ${name}`
