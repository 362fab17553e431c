import type { Message, ThreadSummary as Thread } from '#shared/domain/message.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import { focusRequested } from '../../../store/composers/composers.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { panelOpened } from '../../../store/window/ui.ts'
import { Faces } from '../../people/index.ts'
import styles from './ThreadSummary.module.css'

type Props = { readonly message: Message; readonly thread: Thread }

/** Summary of the replies: portraits, count, time of the last one, and a dot for unread ones. */
export function ThreadSummary({ message, thread }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const now = useMinute()
  const dispatch = useAppDispatch()
  const selected = useAppSelector(({ ui }) => ui.panel?.kind === 'thread' && ui.panel.parentId === message.id)
  const isNew = thread.unread > 0
  return (
    <button
      type="button"
      className={cx(styles['thread'], selected && styles['threadOpen'])}
      aria-label={t(isNew ? 'thread.openNew' : 'thread.open', { count: thread.replyCount })}
      aria-expanded={selected}
      onClick={(event) => {
        dispatch(panelOpened({ kind: 'thread', cid: message.cid, parentId: message.id }))
        // Opened by key, the heading takes the focus and is announced; by click, the composer takes it.
        if (event.detail > 0) dispatch(focusRequested({ key: composerKey(message.cid, message.id) }))
      }}
    >
      <Faces userIds={thread.participantIds} size={20} />
      <span className={styles['threadCount']}>{t('thread.replies', { count: thread.replyCount })}</span>
      {thread.lastReplyAt === undefined ? null : (
        <span className="ellipsis">{t('thread.last', { when: formats.relative(thread.lastReplyAt, now) })}</span>
      )}
      {isNew ? <span className={styles['threadNew']} /> : null}
    </button>
  )
}
