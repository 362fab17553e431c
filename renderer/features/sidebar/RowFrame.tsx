import { memo, type KeyboardEvent } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useAppDispatch, useAppStore } from '../../store/hooks.ts'
import { nudgeConversation, sidebarPositionOf } from './arranging.ts'
import { ChannelRow } from './ChannelRow.tsx'
import { channelTitle } from './selectors.ts'
import type { Dragging } from './use-dragging.ts'
import { useSectionTitles } from './use-section-title.ts'
import styles from './Sidebar.module.css'

type Props = {
  readonly cid: Cid
  readonly section: Section
  readonly tabIndex: 0 | -1
  readonly dragging: Dragging
}

/** A row that can be moved by dragging, or by Ctrl+Shift and the arrow keys. */
export const RowFrame = memo(function RowFrame({ cid, section, tabIndex, dragging }: Props) {
  const onKeyDown = useNudge(cid)
  return (
    <li className={styles['item']} onKeyDown={onKeyDown} {...dragging.row(cid, section)}>
      <ChannelRow cid={cid} tabIndex={tabIndex} />
    </li>
  )
})

function useNudge(cid: Cid): (event: KeyboardEvent<HTMLElement>) => void {
  const t = useTexts('sidebar')
  const titleOf = useSectionTitles()
  const store = useAppStore()
  const dispatch = useAppDispatch()
  return (event) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined || !event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    const notify = async (): Promise<void> => {
      const moved = await dispatch(nudgeConversation(cid, by))
      const state = store.getState()
      const at = moved ? sidebarPositionOf(state, cid) : undefined
      if (at === undefined) return
      // In another section the row is a new element, which must receive the focus.
      document.querySelector<HTMLElement>(`[data-region="sidebar"] [data-channel-item="${CSS.escape(cid)}"]`)?.focus()
      const { place, count } = at
      announce(t('move.done', { name: channelTitle(state, cid), place, count, section: titleOf(at.section) }))
    }
    void notify()
  }
}
