import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { MessageRow } from '../messages/index.ts'
import styles from './ThreadPanel.module.css'

/** The message that was answered, and the line that counts the answers. */
export function ThreadLead({ parentId }: { readonly parentId: MessageId }) {
  const t = useTexts('thread')
  const count = useAppSelector(({ entities, windows }) => {
    const known = entities.messages[parentId]?.thread?.replyCount ?? 0
    return Math.max(known, windows.byKey[`thread:${parentId}`]?.ids.length ?? 0)
  })
  const exists = useAppSelector(({ entities }) => entities.messages[parentId] !== undefined)
  return (
    <div className={styles['lead']}>
      {exists ? (
        <MessageRow
          id={parentId}
          continued={false}
          focusable={false}
          held={false}
          readers={undefined}
          newestOwn={false}
        />
      ) : null}
      {count === 0 ? null : (
        <div className={styles['divider']} role="separator" aria-label={t('replies.count', { count })}>
          <span>{t('replies.count', { count })}</span>
        </div>
      )}
    </div>
  )
}
