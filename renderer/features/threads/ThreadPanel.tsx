import { useCallback, useEffect, useId, useRef, type KeyboardEvent } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAttachCount, useChannel, useEngine } from '../../store/hooks.ts'
import { panelClosed } from '../../store/ui.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Composer } from '../composer/index.ts'
import { MessagePane } from '../messages/index.ts'
import { openThread, pageThread } from './commands.ts'
import { ThreadLead } from './ThreadLead.tsx'
import { useThreadRead } from './use-thread-read.ts'
import styles from './ThreadPanel.module.css'

type Props = { readonly cid: Cid; readonly parentId: MessageId }

/** A message and its replies in the side panel. */
export function ThreadPanel({ cid, parentId }: Props) {
  return <Thread key={parentId} cid={cid} parentId={parentId} />
}

function Thread({ cid, parentId }: Props) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement?.matches('button:focus-visible') === true) {
      heading.current?.focus({ preventScroll: true })
    }
  }, [])
  const close = useCallback(() => dispatch(panelClosed()), [dispatch])
  const name = channel === undefined ? '' : channel.directUserId === undefined ? `#${channel.name}` : channel.name
  return (
    <section
      className={styles['panel']}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (!isPlainEscape(event)) return
        // One press is one step: the window must not take the next one with it.
        event.preventDefault()
        close()
      }}
    >
      <header className={styles['head']}>
        <h2 ref={heading} id={titleId} tabIndex={-1}>
          {t('title')}
        </h2>
        <bdi className={`${styles['place']} ellipsis`}>{name}</bdi>
        <IconButton icon="x" label={t('close')} keys={['Esc']} onClick={close} />
      </header>
      <Replies cid={cid} parentId={parentId} />
      <Composer cid={cid} parentId={parentId} />
    </section>
  )
}

function Replies({ cid, parentId }: Props) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const pane = useRef<HTMLDivElement>(null)
  const onAtEnd = useThreadRead(cid, parentId)
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
  return (
    <div ref={pane} className={styles['replies']}>
      <MessagePane
        windowKey={`thread:${parentId}`}
        cid={cid}
        parentId={parentId}
        label={t('replies.label')}
        lead={<ThreadLead parentId={parentId} />}
        onPage={onPage}
        onLatest={reopen}
        onAround={onAround}
        onRetry={reopen}
        onAtEnd={onAtEnd}
      />
    </div>
  )
}

/** Opens the thread's window now and after every attach; closes it at the end. */
function useThreadWindow(cid: Cid, parentId: MessageId): void {
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

/** Escape closes the panel unless something inside it used the key first. */
const isPlainEscape = (event: KeyboardEvent): boolean =>
  event.key === 'Escape' &&
  !event.defaultPrevented &&
  !event.nativeEvent.isComposing &&
  event.target instanceof Node &&
  event.currentTarget.contains(event.target)
