import { useCallback, useEffect } from 'react'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useChannel } from '../../../store/hooks.ts'
import { timelineMoved } from '../../../store/window/ui.ts'
import { leaveTimeline, openTimeline, pageTimeline } from '../actions/commands.ts'
import { MessagePane } from './MessagePane.tsx'
import type { OpenAt } from './use-navigation.ts'
import { useUnreadLine } from './unread-line.tsx'

/** The messages of a channel. Its window in the engine is open while they are shown. */
export function MessageList({ cid }: { readonly cid: Cid }) {
  // Keyed by channel, so that no state of the previous one remains.
  return <Timeline key={cid} cid={cid} />
}

function Timeline({ cid }: { readonly cid: Cid }) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const windowKey: WindowKey = `timeline:${cid}`
  const unread = useUnreadLine({ windowKey, cid })
  const onOpen = useCallback((openAt: OpenAt) => dispatch(openTimeline({ cid, ...openAt })), [dispatch, cid])
  // Best effort: a page that is closing may not be able to send it.
  const onClose = useCallback(() => void dispatch(leaveTimeline({ cid })), [dispatch, cid])
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageTimeline({ cid, direction })),
    [dispatch, cid],
  )
  const onAtEnd = useCallback((atBottom: boolean) => dispatch(timelineMoved({ cid, atBottom })), [dispatch, cid])
  useEffect(() => () => void dispatch(timelineMoved({ cid, atBottom: false })), [dispatch, cid])
  const name = channel === undefined ? '' : channel.name
  return (
    <MessagePane
      windowKey={windowKey}
      cid={cid}
      label={t('list.label', { name })}
      unread={unread.line}
      remembers
      onOpen={onOpen}
      onClose={onClose}
      onPage={onPage}
      onAtEnd={onAtEnd}
      onUnreadFrom={unread.moveTo}
    />
  )
}
