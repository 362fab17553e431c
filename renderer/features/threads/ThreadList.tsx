import { useEffect, useRef, useState, type KeyboardEvent, memo } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
import { useTexts, useFormats } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { focusRequested } from '../../store/composers/composers.ts'
import { useAppDispatch, useAppStore, useAppSelector, useChannel, useUser } from '../../store/hooks.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { cx } from '../../lib/cx.ts'
import { useLanguageMark } from '../../lib/text/language-mark.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { Count } from '../../ui/Mark/Mark.tsx'
import { MessageTime, useWhen } from '../../ui/Dates/MessageTime.tsx'
import { Composer } from '../composer/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { useLineOf } from '../attachments/index.ts'
import { Faces, Portrait, useName } from '../people/index.ts'
import {
  followThread,
  markThreadRead,
  markThreadUnread,
  showBeside,
  type ThreadPlace,
  usePlaceName,
  useThreadTitle,
} from './commands.ts'
import type { InboxList } from './ThreadsView.tsx'
import { Participants } from './ThreadPanel.tsx'
import styles from './Inbox.module.css'

type Props = { readonly list: InboxList; readonly offline: boolean }

/** One tab stop: arrows or J and K move, Enter opens, R replies here, E marks read, U marks unread. */
export function ThreadList({ list, offline }: Props) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { ids } = list
  const roving = useRoving({ ids })
  const { ref, onKeyDown, onFocus } = roving.containerProps

  const [replyTo, setReplyTo] = useState<string>()
  const reply = (message: Message | undefined): void => {
    if (message === undefined && replyTo !== undefined) roving.focus(replyTo)
    setReplyTo(message?.id)
    if (message !== undefined) dispatch(focusRequested({ key: composerKey(message.cid, message.id) }))
  }
  const { open, read, unread } = useThreadActions()
  const step = (from: Message['id'], by: 1 | -1): void => {
    const at = Math.max(0, Math.min(ids.length - 1, ids.indexOf(from) + by))
    roving.focus(ids[at] ?? from)
  }
  const onLetter = (event: KeyboardEvent): void => {
    const message = store.getState().entities.messages[threadOfKey(event) ?? '']
    if (message === undefined) return
    const run = {
      j: () => step(message.id, 1),
      k: () => step(message.id, -1),
      e: () => void read(message),
      u: () => void unread(message),
      r: () => reply(message),
    }[keyOf(event)]
    if (run === undefined) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  return (
    <>
      <div className={styles['freshPlace']} role="status">
        {list.fresh === 0 ? null : (
          <button type="button" className={styles['fresh']} onClick={list.showFresh}>
            <Icon name="arrow-up" size={16} />
            {t('inbox.fresh', { count: list.fresh })}
          </button>
        )}
      </div>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        aria-label={t('inbox.list')}
        className={styles['list']}
        onFocus={onFocus}
        onKeyDown={(event) => {
          onLetter(event)
          onKeyDown(event)
        }}
      >
        {ids.map((id) => (
          <ThreadCard
            key={id}
            id={id}
            item={roving.itemProps(id)}
            onOpen={open}
            onRead={(message) => void read(message)}
            onUnread={(message) => void unread(message)}
            replying={replyTo === id}
            onReply={reply}
            onFollow={(message, follows) => void dispatch(followThread({ ...placeOf(message), follows }))}
          />
        ))}
      </ul>
      {list.hasMore ? <More list={list} offline={offline} /> : null}
    </>
  )
}

/** Opening a thread beside the list, and marking it read or unread. */
function useThreadActions() {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  /** The viewer's own reply cannot be marked unread; then the whole thread is. */
  function firstOfOthers(reply: Message | undefined): { readonly messageId?: Message['id'] } {
    const me = store.getState().entities.session['self']?.userId
    return reply === undefined || reply.userId === me ? {} : { messageId: reply.id }
  }
  return {
    open: ({ cid, id }: Message, pressed: boolean): void => {
      dispatch(showBeside({ cid, parentId: id }))
      // Opened by key, the heading takes the focus and is announced; by click, the composer takes it.
      if (pressed) dispatch(focusRequested({ key: composerKey(cid, id) }))
    },
    read: async (message: Message): Promise<void> => {
      const done = await dispatch(markThreadRead(placeOf(message)))
      if (done.ok) announce(t('inbox.saidRead'))
    },
    unread: async (message: Message): Promise<void> => {
      const { lastReplyId } = message.thread ?? {}
      const from = lastReplyId === undefined ? {} : firstOfOthers(store.getState().entities.messages[lastReplyId])
      const done = await dispatch(markThreadUnread({ ...placeOf(message), ...from }))
      if (done.ok) announce(t('inbox.saidUnread'))
    },
  }
}

/** The thread whose row a plain key is for; `undefined` in a reply, where keys are text. */
function threadOfKey({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): string | undefined {
  if (altKey || ctrlKey || metaKey) return undefined
  if (!(target instanceof Element) || target.closest('[data-reply]') !== null) return undefined
  return target.closest('[data-thread]')?.getAttribute('data-thread') ?? undefined
}

const placeOf = ({ cid, id }: Message): ThreadPlace => ({ cid, parentId: id })

/** Loads the next page automatically when the end comes into view, or on click. */
function More({ list, offline }: Props) {
  const t = useTexts('thread')
  const ref = useRef<HTMLDivElement>(null)
  const more = useRef(list.more)
  const mayAsk = !list.loading && !list.pageFailed && !offline
  useEffect(() => {
    more.current = list.more
  })
  useEffect(() => {
    const element = ref.current
    if (element === null || !mayAsk || typeof IntersectionObserver === 'undefined') return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more.current()
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [mayAsk])
  return (
    <div ref={ref} className={styles['more']}>
      {list.pageFailed ? <span role="alert">{t('inbox.failedMore')}</span> : null}
      <Button variant="quiet" working={list.loading} onClick={list.more}>
        {t(list.pageFailed ? 'inbox.again' : 'inbox.more')}
      </Button>
    </div>
  )
}

type ThreadCardProps = {
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
const ThreadCard = memo(function ThreadCard({ id, item, replying, ...on }: ThreadCardProps) {
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

type ReplyProps = Pick<ThreadCardProps, 'onReply'> & {
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
  const lineOf = useLineOf()
  const name = useName(message.userId)
  const author = useUser(message.userId)
  const marked = useLanguageMark<HTMLSpanElement>(message.type === 'deleted' ? '' : message.text, author?.language)
  const { listTime } = useFormats()
  const now = useMinute()
  return (
    <div className={styles['saying']}>
      <Portrait userId={message.userId} size={32} />
      <p>
        <bdi className={styles['author']}>{name}</bdi>
        <MessageTime className={styles['when']} message={message} format={(at) => listTime(at, now)} />
        <span ref={marked} className={cx(styles['text'], message.type === 'deleted' && styles['gone'])} dir="auto">
          <EmojiText text={lineOf(message)} />
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
  const lineOf = useLineOf()
  const { listTime } = useFormats()
  const now = useMinute()
  const reply = useAppSelector((state) => selectMessage(state, thread.lastReplyId ?? ''))
  const author = useName(reply?.userId ?? '')
  const when = useWhen()
  if (reply === undefined) return null
  const text = { author, when: when(reply, (at) => listTime(at, now)), text: lineOf(reply) }
  return (
    <>
      <Excerpt message={reply} />
      <span id={id} hidden>
        {t('inbox.last', text)}
      </span>
    </>
  )
}
