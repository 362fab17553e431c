import { memo } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Count } from '../../ui/Mark/Count.tsx'
import { MessageTime, useWhen } from '../../ui/Dates/MessageTime.tsx'
import { Composer } from '../composer/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { Faces, Portrait, useName } from '../people/index.ts'
import { Participants } from './Replies.tsx'
import { usePlaceName, useThreadTitle, useTextOf } from './use-text-of.ts'
import styles from './Inbox.module.css'

type Props = {
  readonly id: string
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onOpen: (message: Message, pressed: boolean) => void
  readonly onRead: (message: Message) => void
  readonly onUnread: (message: Message) => void
  readonly onFollow: (message: Message, follows: boolean) => void
  /** The reply composer is open in this card. */
  readonly replying: boolean
  readonly onReply: (message: Message | undefined) => void
}

/** A thread: channel, participants, parent message and newest reply. */
export const ThreadCard = memo(function ThreadCard({ id, item, replying, ...on }: Props) {
  const { onOpen, onRead, onUnread, onFollow, onReply } = on
  const t = useTexts('thread')
  const message = useAppSelector((state) => selectMessage(state, id))
  const isOpen = useAppSelector(({ ui }) => ui.panel?.kind === 'thread' && ui.panel.parentId === id)
  const name = useCardName(id, message)
  const thread = message?.thread
  if (message === undefined || thread === undefined) return null
  const isNew = thread.unread > 0
  const follows = thread.following === true
  return (
    <li className={cx(styles['card'], isNew && styles['unread'], isOpen && styles['open'])} data-thread={id}>
      <button
        type="button"
        className={styles['press']}
        aria-label={name.label}
        aria-describedby={name.describedBy}
        aria-current={isOpen || undefined}
        {...item}
        onClick={(event) => onOpen(message, event.detail > 0)}
      />
      <Head message={message} />
      <div className={styles['actions']}>
        {isNew ? <Count value={thread.unread} /> : null}
        <IconButton
          size="small"
          icon={isNew ? 'check' : 'eye-off'}
          label={t(isNew ? 'inbox.read' : 'inbox.unread')}
          keys={[isNew ? 'E' : 'U']}
          tabIndex={item.tabIndex}
          onClick={() => (isNew ? onRead(message) : onUnread(message))}
        />
        <IconButton
          size="small"
          icon={follows ? 'bell' : 'bell-off'}
          label={t(follows ? 'head.unfollow' : 'head.follow')}
          tabIndex={item.tabIndex}
          onClick={() => onFollow(message, !follows)}
        />
      </div>
      {thread.title === undefined ? null : (
        <p className={styles['title']} dir="auto">
          {thread.title}
        </p>
      )}
      <Excerpt message={message} />
      <Between message={message} />
      {isNew ? (
        <p className={styles['line']} aria-hidden="true">
          <span>{t('inbox.new', { count: thread.unread })}</span>
        </p>
      ) : null}
      <LastReply id={name.describedBy} thread={thread} />
      {isOpen ? null : <Reply message={message} open={replying} onReply={onReply} tabIndex={item.tabIndex} />}
    </li>
  )
})

type ReplyProps = Pick<Props, 'onReply'> & {
  readonly message: Message
  readonly open: boolean
  readonly tabIndex: 0 | -1
}

/** Reply button that expands into the thread's composer with its draft. */
function Reply({ message, open, onReply, tabIndex }: ReplyProps) {
  const t = useTexts('thread')
  const draft = useAppSelector(({ entities }) => entities.drafts[composerKey(message.cid, message.id)]?.text.trim())
  if (open) {
    return (
      <div
        className={styles['reply']}
        role="presentation"
        data-reply=""
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
          event.preventDefault()
          onReply(undefined)
        }}
      >
        <Composer cid={message.cid} parentId={message.id} />
      </div>
    )
  }
  const isEmpty = draft === undefined || draft === ''
  return (
    <button
      type="button"
      className={styles['replyStart']}
      tabIndex={tabIndex}
      aria-label={t('inbox.replyHere')}
      onClick={() => onReply(message)}
    >
      <span className="ellipsis" dir={isEmpty ? undefined : 'auto'}>
        {isEmpty ? t('inbox.reply') : <EmojiText text={draft} />}
      </span>
      <span className={styles['send']}>
        <Icon name="arrow-up" size={16} />
      </span>
    </button>
  )
}

function useCardName(id: string, message: Message | undefined) {
  const t = useTexts('thread')
  const title = useThreadTitle(id)
  const place = usePlaceName(message?.cid ?? '')
  const author = useName(message?.userId ?? '')
  const { replyCount = 0, unread = 0 } = message?.thread ?? {}
  const parts = { place, title, author, replies: t('replies.count', { count: replyCount }) }
  const label =
    unread === 0
      ? t('inbox.name', parts)
      : t('inbox.nameUnread', { ...parts, unread: t('inbox.new', { count: unread }) })
  return { label, describedBy: `thread-${id}-last` }
}

function Head({ message }: { readonly message: Message }) {
  const t = useTexts('thread')
  const channel = useChannel(message.cid)
  const place = usePlaceName(message.cid)
  const isDirect = (channel?.directUserIds.length ?? 0) > 0
  const hasDraft = useAppSelector(({ entities }) => {
    const draft = entities.drafts[composerKey(message.cid, message.id)]
    return draft !== undefined && (draft.text.trim() !== '' || draft.uploads.length > 0)
  })
  return (
    <div className={styles['head']}>
      <Icon name={isDirect ? 'chat' : channel?.isPrivate === true ? 'lock' : 'hash'} size={16} />
      <bdi className={cx(styles['place'], 'ellipsis')}>{isDirect ? place : (channel?.name ?? '')}</bdi>
      <Participants userIds={message.thread?.participantIds ?? []} />
      {hasDraft ? (
        <span className={styles['mark']}>
          <Icon name="draft" size={14} />
          {t('inbox.draft')}
        </span>
      ) : null}
      {message.thread?.following === true ? null : <span className={styles['mark']}>{t('inbox.notFollowed')}</span>}
    </div>
  )
}

/** Author, time and start of a message. */
function Excerpt({ message }: { readonly message: Message }) {
  const textOf = useTextOf()
  const name = useName(message.userId)
  const { listTime } = useFormats()
  const now = useMinute()
  return (
    <div className={styles['saying']}>
      <Portrait userId={message.userId} size={32} />
      <p>
        <bdi className={styles['author']}>{name}</bdi>
        <MessageTime className={styles['when']} message={message} format={(at) => listTime(at, now)} />
        <span className={cx(styles['text'], message.type === 'deleted' && styles['gone'])} dir="auto">
          <EmojiText text={textOf(message)} />
        </span>
      </p>
    </div>
  )
}

/** Number of replies between the parent message and the newest reply. */
function Between({ message }: { readonly message: Message }) {
  const t = useTexts('thread')
  const { thread } = message
  const count = (thread?.replyCount ?? 0) - 1
  if (thread === undefined || count <= 0) return null
  return (
    <p className={styles['between']}>
      <Faces userIds={thread.participantIds} size={18} />
      {t('inbox.earlier', { count })}
    </p>
  )
}

type LastProps = { readonly id: string; readonly thread: NonNullable<Message['thread']> }

function LastReply({ id, thread }: LastProps) {
  const t = useTexts('thread')
  const textOf = useTextOf()
  const { listTime } = useFormats()
  const now = useMinute()
  const reply = useAppSelector((state) => selectMessage(state, thread.lastReplyId ?? ''))
  const author = useName(reply?.userId ?? '')
  const when = useWhen()
  if (reply === undefined) return null
  const text = { author, when: when(reply, (at) => listTime(at, now)), text: textOf(reply) }
  return (
    <>
      <Excerpt message={reply} />
      <span id={id} hidden>
        {t('inbox.last', text)}
      </span>
    </>
  )
}
