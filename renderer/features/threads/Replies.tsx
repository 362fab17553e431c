import { useCallback, useEffect } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAttachCount, useEngine, useWindow } from '../../store/hooks.ts'
import { MessagePane } from '../messages/index.ts'
import { openThread, pageThread, type ThreadPlace } from './commands.ts'
import { ThreadLead } from './ThreadLead.tsx'
import { useThreadLine } from './use-thread-line.ts'
import { useThreadRead } from './use-thread-read.ts'
import styles from './ThreadPanel.module.css'

/** The first message and its replies: the same list as a channel's. Opens at the first unread reply. */
export function Replies({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const { line, moveTo } = useThreadLine(parentId)
  const read = useThreadRead(cid, parentId)
  const isReloading = useWindow(`thread:${parentId}`)?.loading === 'initial'
  useThreadWindow(cid, parentId)
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageThread({ parentId, direction })),
    [dispatch, parentId],
  )
  const reopen = useCallback(() => void dispatch(openThread({ cid, parentId })), [dispatch, cid, parentId])
  const onAround = useCallback(
    (around: MessageId) => void dispatch(openThread({ cid, parentId, around })),
    [dispatch, cid, parentId],
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
        onPage={onPage}
        onLatest={reopen}
        onAround={onAround}
        onRetry={reopen}
        onAtEnd={read.onAtEnd}
        onUnreadFrom={onUnreadFrom}
      />
    </div>
  )
}

/** Opens the thread's window now and after every attach; closes it at the end. */
function useThreadWindow(cid: ThreadPlace['cid'], parentId: MessageId): void {
  const dispatch = useAppDispatch()
  const engine = useEngine()
  const attached = useAttachCount()
  useEffect(() => {
    if (attached >= 0) void dispatch(openThread({ cid, parentId }))
  }, [dispatch, cid, parentId, attached])
  useEffect(
    () => () => {
      // Closing is a courtesy: a page that is going away may not be able to say so.
      engine.threads.close({ parentId }).catch(() => undefined)
    },
    [engine, parentId],
  )
}
