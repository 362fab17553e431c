import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { MessageRow } from '../messages/index.ts'
import { Faces } from '../people/index.ts'
import { Participants } from './Participants.tsx'
import styles from './ThreadPanel.module.css'

const NO_USERS: readonly string[] = []

/** The parent message, and the number of replies with their authors. */
export function ThreadLead({ parentId }: { readonly parentId: MessageId }) {
  const t = useTexts('thread')
  const count = useAppSelector(({ entities, windows }) => {
    const known = entities.messages[parentId]?.thread?.replyCount ?? 0
    return Math.max(known, windows.byKey[`thread:${parentId}`]?.ids.length ?? 0)
  })
  const exists = useAppSelector(({ entities }) => entities.messages[parentId] !== undefined)
  const people = useAppSelector(({ entities }) => entities.messages[parentId]?.thread?.participantIds ?? NO_USERS)
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
          delivered={false}
        />
      ) : null}
      {count === 0 ? null : (
        <>
          <div className={styles['divider']} role="separator" aria-label={t('replies.count', { count })}>
            <span>{t('replies.count', { count })}</span>
          </div>
          {people.length === 0 ? null : (
            <p className={styles['people']}>
              <Faces userIds={people} size={18} />
              <Participants userIds={people} />
            </p>
          )}
        </>
      )}
    </div>
  )
}
