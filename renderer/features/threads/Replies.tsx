import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts, useFormats } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useWindow, useSession } from '../../store/hooks.ts'
import { usePageInView } from '../../lib/page/environment.ts'
import { cx } from '../../lib/cx.ts'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import { type OpenAt, MessagePane, MessageRow, useUnreadLine } from '../messages/index.ts'
import { Faces, useNames } from '../people/index.ts'
import { closeThread, markThreadRead, openThread, pageThread, type ThreadPlace } from './commands.ts'
import styles from './ThreadPanel.module.css'
import participantsStyles from './Inbox.module.css'

/** The parent message and its replies, in the same list as a channel's. Opens at the first unread reply. */
export function Replies({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const { line, moveTo } = useUnreadLine({ windowKey: `thread:${parentId}`, cid, parentId })
  const read = useThreadRead(cid, parentId)
  const isReloading = useWindow(`thread:${parentId}`)?.loading === 'initial'
  const onOpen = useCallback(
    (openAt: OpenAt) => dispatch(openThread({ cid, parentId, ...openAt })),
    [dispatch, cid, parentId],
  )
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

const NO_USERS: readonly string[] = []

/** The parent message, and the number of replies with their authors. */
function ThreadLead({ parentId }: { readonly parentId: MessageId }) {
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
        <div className={styles['line']}>
          <span aria-hidden="true">{t('replies.count', { count })}</span>
          {people.length === 0 ? null : <Repliers userIds={people} />}
          <div className={styles['divider']} role="separator" aria-label={t('replies.count', { count })} />
        </div>
      )}
    </div>
  )
}

/** Portraits of the people who replied; their names are the tooltip and the accessible name. */
function Repliers({ userIds }: { readonly userIds: readonly string[] }) {
  const names = useParticipants(userIds)
  return (
    <Tooltip text={names} side="above">
      <span role="img" aria-label={names}>
        <Faces userIds={userIds} size={18} />
      </span>
    </Tooltip>
  )
}

/** Being in view for a shorter time does not count as reading. */
const DWELL_MS = 500

/**
 * Marks a thread read once its newest reply is in view, the window has the focus, and the reader has stayed a moment.
 * `onAtEnd` is what the list calls when it reaches or leaves its end; `holdBack` suspends this until the thread is left,
 * after it was marked unread by hand.
 */
function useThreadRead(
  cid: Cid,
  parentId: MessageId,
): { readonly onAtEnd: (atEnd: boolean) => void; readonly holdBack: () => void } {
  const dispatch = useAppDispatch()
  const [atEnd, setAtEnd] = useState(false)
  const [byHand, setByHand] = useState(false)
  const watching = usePageInView()
  const newest = useAppSelector(({ windows }) => windows.byKey[`thread:${parentId}`]?.ids.at(-1))
  useEffect(() => {
    if (!atEnd || byHand || !watching || newest === undefined) return undefined
    const timer = setTimeout(() => void dispatch(markThreadRead({ cid, parentId })), DWELL_MS)
    return () => clearTimeout(timer)
  }, [atEnd, byHand, watching, newest, dispatch, cid, parentId])
  const onAtEnd = useCallback((now: boolean) => setAtEnd(now), [])
  const holdBack = useCallback(() => setByHand(true), [])
  return useMemo(() => ({ onAtEnd, holdBack }), [onAtEnd, holdBack])
}

/** Number of people listed by name; others are counted. */
const MAX_NAMED = 3

/** The other participants, newest last: "with Priya, Jonas and 2 others"; empty if there are none. */
function useParticipants(userIds: readonly string[]): string {
  const t = useTexts('thread')
  const { list } = useFormats()
  const viewerId = useSession().userId
  const others = userIds.filter((id) => id !== viewerId)
  const names = useNames(others.length === 0 ? userIds : others)
  const rest = names.length - MAX_NAMED
  if (names.length === 0) return ''
  // Never "and 1 other", which is longer than a name.
  return rest <= 1
    ? t('with', { names: list(names) })
    : t('withOthers', { names: names.slice(0, MAX_NAMED).join(', '), count: rest })
}

/** Other participants of a thread, as far as one line shows them. */
export function Participants({ userIds }: { readonly userIds: readonly string[] }) {
  const text = useParticipants(userIds)
  return text === '' ? null : <span className={cx(participantsStyles['with'], 'ellipsis')}>{text}</span>
}
