import { useCallback } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useWindow } from '../../store/hooks.ts'
import { MessagePane, useUnreadLine, type Aim } from '../messages/index.ts'
import { closeThread, openThread, pageThread, type ThreadPlace } from './commands.ts'
import { ThreadLead } from './ThreadLead.tsx'
import { useThreadRead } from './use-thread-read.ts'
import styles from './ThreadPanel.module.css'

/** The parent message and its replies, in the same list as a channel's. Opens at the first unread reply. */
export function Replies({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const { line, moveTo } = useUnreadLine({ windowKey: `thread:${parentId}`, cid, parentId })
  const read = useThreadRead(cid, parentId)
  const isReloading = useWindow(`thread:${parentId}`)?.loading === 'initial'
  const onOpen = useCallback((aim: Aim) => dispatch(openThread({ cid, parentId, ...aim })), [dispatch, cid, parentId])
  // Best effort: a page that is closing may not be able to send it.
  const onClose = useCallback(() => void dispatch(closeThread({ parentId })), [dispatch, parentId])
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageThread({ parentId, direction })),
    [dispatch, parentId],
  )
  const onUnreadFrom = useCallback(
    (messageId: MessageId) => {
      read.holdBack()
      moveTo(messageId)
    },
    [read, moveTo],
  )
  return (
    <div className={styles['replies']}>
      {isReloading ? <div className={styles['reloading']} /> : null}
      <MessagePane
        windowKey={`thread:${parentId}`}
        cid={cid}
        parentId={parentId}
        label={t('replies.label')}
        lead={<ThreadLead parentId={parentId} />}
        unread={line}
        onOpen={onOpen}
        onClose={onClose}
        onPage={onPage}
        onAtEnd={read.onAtEnd}
        onUnreadFrom={onUnreadFrom}
      />
    </div>
  )
}
