import { memo, useRef, useState, useSyncExternalStore, type KeyboardEvent, useMemo } from 'react'
import { shallowEqual } from 'react-redux'
import type { Message } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import type { Attachment } from '#shared/domain/attachment.ts'
import { fold } from '#shared/rules/messages/text.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'
import { useFormats, useLanguage, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useAppSelector, useAppStore, useSettledChannel, useCanParticipate } from '../../../store/hooks.ts'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { hueOf } from '../../../ui/Avatar/Avatar.tsx'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { nameOf, PortraitOf, useName } from '../../people/index.ts'
import { EmojiGlyph, reactionTypeOf, recentIn } from '../../emoji/index.ts'
import { altOf, isPicture, ownName, labelKeyOf } from '../../attachments/index.ts'
import { useScope, type ListScope } from '../list/scope.ts'
import { useToggleReaction } from '../reactions/index.ts'
import { ACTIONS, actionsFor, type ActionId, useKeycaps } from '../actions/actions.ts'
import { useBlocks } from '../markdown/Markdown.tsx'
import { MessageBody, ReadBy, StatusLine } from './MessageBody.tsx'
import { isSentSilently, mentions, selectRowContent, type RowContent } from './select.ts'
import styles from './MessageRow.module.css'

type Props = {
  readonly id: MessageId
  readonly continued: boolean
  /** The row that Tab reaches. */
  readonly focusable: boolean
  /** Its menu or picker is open, so its toolbar stays. */
  readonly held: boolean
  /** People whose last read message this is. */
  readonly readers: readonly string[] | undefined
  /** The viewer's newest message, which shows Sent, Delivered or Seen. */
  readonly newestOwn: boolean
  /** Delivered to at least one device, if the channel reports delivery. */
  readonly delivered: boolean
}

/** One message. Selects its message by id, so that a change to one message renders one row. */
export const MessageRow = memo(function MessageRow({ id, ...rest }: Props) {
  const content = useAppSelector((state) => selectRowContent(state, id), shallowEqual)
  return content === undefined ? null : <Row content={content} {...rest} />
})

function Row({
  content,
  continued,
  focusable,
  held,
  readers,
  newestOwn,
  delivered,
}: Omit<Props, 'id'> & { readonly content: RowContent }) {
  const { message, author: user } = content
  const formats = useFormats()
  const scope = useScope()
  const author = nameOf(user, message.userId)
  const { active, ...hover } = useHover()
  const { selecting, picked } = useSelected(scope, message.id)
  const own = message.userId === scope.viewerId
  const mention = mentions(message, scope.viewerId)
  const t = useTexts('messages')
  const time = message.timeUnsure === true ? t('row.timeUnsure') : formats.time(message.createdAt)
  const { name, hasText } = useRowName({ content, name: author, time, mention, picked })
  const language = useLanguage()
  const isRead = readers !== undefined && readers.length > 0
  const thread = message.thread !== undefined && message.thread.replyCount > 0 && scope.parentId === undefined
  return (
    <article
      className={classOf(message, { continued, mention, held, selecting, picked, thread, isRead, newestOwn })}
      tabIndex={focusable ? 0 : -1}
      aria-label={name}
      // Set where the language of the text is told; what else is in the row is in that of the window.
      lang={hasText ? undefined : language}
      data-named-by-text={hasText ? '' : undefined}
      data-message-id={message.id}
      data-roving-id={message.id}
      {...hover}
      onClickCapture={(event) => {
        // While selecting, a click anywhere on the row toggles it.
        if (!selecting) return
        event.preventDefault()
        event.stopPropagation()
        scope.pick(message.id)
      }}
      onContextMenu={(event) => {
        // The menu key has no coordinates: the row is the anchor. Text fields and links keep the system menu.
        if (event.target instanceof Element && event.target.closest('a, input, textarea') !== null) return
        event.preventDefault()
        const byKey = event.clientX === 0 && event.clientY === 0
        scope.openMenu(message, byKey ? event.currentTarget : new DOMRect(event.clientX, event.clientY, 0, 0))
      }}
    >
      {continued && !selecting ? null : (
        <Side content={content} continued={continued} selecting={selecting} picked={picked} />
      )}
      <div
        className={styles['main']}
        lang={language}
        data-time={message.timeUnsure === true || selecting ? undefined : time}
      >
        {continued ? null : (
          <MessageHead
            message={message}
            author={author}
            isProgram={user?.bot === true}
            time={time}
            tabIndex={focusable ? 0 : -1}
          />
        )}
        <MessageBody content={content} />
        {own && message.status !== 'received' ? <StatusLine message={message} /> : null}
      </div>
      {newestOwn || isRead ? (
        <ReadBy
          readers={readers ?? NO_READERS}
          own={newestOwn && message.status === 'received'}
          delivered={delivered}
        />
      ) : null}
      {(active || held) && !selecting ? <MessageTools message={message} /> : null}
    </article>
  )
}

type Looks = Pick<Props, 'continued' | 'held' | 'newestOwn'> & {
  readonly mention: boolean
  readonly selecting: boolean
  readonly picked: boolean
  readonly thread: boolean
  readonly isRead: boolean
}

const classOf = ({ status, type }: Message, looks: Looks): string =>
  cx(
    styles['row'],
    looks.continued && styles['continued'],
    looks.mention && styles['mention'],
    looks.held && styles['held'],
    looks.selecting && styles['selecting'],
    looks.picked && styles['picked'],
    looks.thread && styles['hasThread'],
    looks.isRead ? styles['read'] : looks.newestOwn && styles['sent'],
    status !== 'received' && styles[status],
    (type === 'ephemeral' || type === 'error') && styles['answer'],
    type === 'error' && styles['refused'],
  )

type SideProps = {
  readonly content: RowContent
  readonly continued: boolean
  readonly selecting: boolean
  readonly picked: boolean
}

/** Left of the text: the selection mark and the author's picture. */
function Side({ content: { message, author }, continued, selecting, picked }: SideProps) {
  const scope = useScope()
  return (
    <div className={styles['side']}>
      {selecting ? (
        <span className={styles['pick']} aria-hidden="true">
          {picked ? <Icon name="check" size={14} /> : null}
        </span>
      ) : null}
      {continued ? null : (
        // For the pointer only; the name beside it opens the same profile.
        <button
          type="button"
          className={styles['face']}
          tabIndex={-1}
          aria-hidden="true"
          onClick={(event) => scope.act(message, 'profile', event.currentTarget)}
        >
          <PortraitOf userId={message.userId} user={author} size={scope.parentId === undefined ? 36 : 32} />
        </button>
      )}
    </div>
  )
}

const NO_READERS: readonly string[] = []

/** Whether messages are being selected in this list, and whether this one is. */
function useSelected({ selection }: ListScope, id: string): { readonly selecting: boolean; readonly picked: boolean } {
  const which = useSyncExternalStore(selection.subscribe, () =>
    selection.ids().size === 0 ? 'none' : selection.has(id) ? 'this' : 'others',
  )
  return { selecting: which !== 'none', picked: which === 'this' }
}

/** The toolbar closes this long after the pointer leaves. */
const LEAVE_MS = 120

/** Whether the pointer or the focus is on the row. */
function useHover() {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  // Not cleared when the row goes: what it sets then is of no effect.
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return {
    active: hovered || focused,
    onPointerEnter: (): void => {
      clearTimeout(timer.current)
      setHovered(true)
    },
    onPointerLeave: (): void => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setHovered(false), LEAVE_MS)
    },
    onFocus: (event: React.FocusEvent): void => {
      // A click focuses the row too; only keyboard focus shows the toolbar, the pointer has hover.
      if (event.target.matches(':focus-visible')) setFocused(true)
    },
    onBlur: (event: React.FocusEvent): void => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
    },
  }
}

type MessageHeadProps = {
  readonly message: Message
  readonly author: string
  readonly isProgram: boolean
  readonly time: string
  readonly tabIndex: 0 | -1
}

/** Name, time and badges. */
function MessageHead({ message, author, isProgram, time, tabIndex }: MessageHeadProps) {
  const t = useTexts('messages')
  const formats = useFormats()
  const { viewerId, act } = useScope()
  return (
    <header className={styles['head']}>
      <button
        type="button"
        className={styles['author']}
        data-hue={hueOf(message.userId)}
        // A stop after its row only, so that Tab does not enter the list at an author.
        tabIndex={tabIndex}
        aria-haspopup="dialog"
        onClick={(event) => act(message, 'profile', event.currentTarget)}
      >
        <bdi>{author}</bdi>
      </button>
      {isProgram ? <span className={styles['tag']}>{t('row.app')}</span> : null}
      {message.timeUnsure === true ? (
        <Tooltip text={time} side="above">
          <span className={styles['note']} role="img" aria-label={time}>
            <Icon name="help" size={13} />
          </span>
        </Tooltip>
      ) : (
        <Tooltip text={formats.full(message.createdAt)} side="above">
          <time dateTime={new Date(message.createdAt).toISOString()}>{time}</time>
        </Tooltip>
      )}
      {message.pinned ? <Pinned message={message} /> : null}
      {isSentSilently(message) && message.userId === viewerId ? (
        <Note icon="bell-off" text={t('row.silentMark')} />
      ) : null}
      {message.showInChannel && message.parentId !== undefined ? (
        <Note icon="thread" text={t('row.fromThread')} />
      ) : null}
    </header>
  )
}

/** A small icon with a label. */
function Note({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <span className={styles['note']}>
      <Icon name={icon} size={13} />
      {text}
    </span>
  )
}

function Pinned({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const name = useName(message.pinnedBy ?? '')
  return (
    <span className={`${styles['note']} ${styles['pin']}`}>
      <Icon name="pin" size={13} />
      {message.pinnedBy === undefined || name === ''
        ? t('row.pinnedMark')
        : t('row.pinnedBy', { name: name.split(' ')[0] ?? name })}
      {message.pinExpires === undefined ? null : (
        <span>{t('row.pinnedUntil', { time: formats.dayAndTime(message.pinExpires) })}</span>
      )}
    </span>
  )
}

const SHOWN: readonly ActionId[] = ['quote', 'thread', 'remind']

/** The most used actions, over the row's top edge on hover and focus. One tab stop with arrow navigation. */
function MessageTools({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const language = useLanguage()
  const toggle = useToggleReaction()
  const store = useAppStore()
  const scope = useScope()
  const keycapsOf = useKeycaps()
  const channel = useSettledChannel(message.cid)
  const readsOnly = !useCanParticipate()
  const inThread = scope.parentId !== undefined
  const allowed = actionsFor(message, { channel, viewerId: scope.viewerId, inThread, readsOnly })
  if (allowed.size === 0) return null
  return (
    <div
      className={styles['tools']}
      lang={language}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('actions.toolbar')}
      onKeyDown={onToolbarKey}
    >
      {allowed.has('react')
        ? recentIn(store)
            .slice(0, 3)
            .map((emoji, index) => (
              <Tooltip key={emoji} text={t('actions.reactWith', { emoji })} keys={[String(index + 1)]} side="above">
                <button
                  type="button"
                  className={styles['quick']}
                  tabIndex={-1}
                  aria-label={t('actions.reactWith', { emoji })}
                  onClick={() => void toggle(message.id, reactionTypeOf(emoji))}
                >
                  <EmojiGlyph text={emoji} />
                </button>
              </Tooltip>
            ))
        : null}
      {allowed.has('react') ? (
        <IconButton
          icon="smile-plus"
          label={t('actions.react')}
          keys={keycapsOf('react')}
          tooltipSide="above"
          tabIndex={-1}
          aria-haspopup="dialog"
          onClick={(event) => scope.act(message, 'react', event.currentTarget)}
        />
      ) : null}
      {allowed.has('react') ? <span className={styles['toolGap']} /> : null}
      {SHOWN.filter((action) => allowed.has(action)).map((action) => (
        <IconButton
          key={action}
          icon={ACTIONS[action].icon}
          label={t(`actions.${action}`)}
          keys={keycapsOf(action)}
          tooltipSide="above"
          tabIndex={-1}
          onClick={(event) => scope.act(message, action, event.currentTarget)}
        />
      ))}
      <IconButton
        icon="more"
        label={t('actions.more')}
        tooltipSide="above"
        aria-haspopup="menu"
        onClick={(event) => scope.openMenu(message, event.currentTarget)}
      />
    </div>
  )
}

function onToolbarKey(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const rightToLeft = document.documentElement.dir === 'rtl' ? -1 : 1
  event.preventDefault()
  event.stopPropagation()
  // In a narrow pane some are not displayed, and cannot be focused.
  for (let away = 1; away < buttons.length; away += 1) {
    const next = buttons.at((at + away * step * rightToLeft) % buttons.length)
    next?.focus()
    if (document.activeElement === next) return
  }
}

type Texts = ReturnType<typeof useTexts<'messages'>>

type Options = {
  readonly content: RowContent
  /** The author's name. */
  readonly name: string
  readonly time: string
  /** The message mentions the viewer. */
  readonly mention: boolean
  readonly picked: boolean
}

type RowName = {
  readonly name: string
  /** It has the text of the message in it, so it is said in the language of that. */
  readonly hasText: boolean
}

/**
 * Accessible name of a row: author and text first, then attachments and states, the time last. Brief, if the user chose
 * so: without what the row itself says.
 */
function useRowName({ content, name, time, mention, picked }: Options): RowName {
  const { message, isBrief } = content
  const t = useTexts('messages')
  const text = useText(message, t)
  // A program may have the name of a person: what shows the tag in the row is said, too.
  const author = content.author?.bot === true ? `${name}, ${t('row.app')}` : name
  if (isBrief) {
    const state = [picked ? t('select.picked') : '', mention ? t('row.mentionsYou') : '', statusOf(message, t)]
    return { name: sentence([author, ...state, time]), hasText: false }
  }
  const full = sentence([
    text === '' ? author : t('row.says', { author, text }),
    picked ? t('select.picked') : '',
    mention ? t('row.mentionsYou') : '',
    ...detailsOf(content, t),
    time,
  ])
  return { name: full, hasText: true }
}

/** The text without formatting; code blocks are only counted, and long texts cut where the row cuts them. */
function useText(message: Message, t: Texts): string {
  const deleted = message.type === 'deleted' || message.deletedAt !== undefined
  const text = useMemo(() => (deleted ? '' : fold(message.text).text), [deleted, message.text])
  const blocks = useBlocks(text, deleted ? undefined : message.blocks)
  return useMemo(
    () => (deleted ? t('deleted') : plainText(blocks, (lines) => t('code.label', { count: lines }))),
    [deleted, blocks, t],
  )
}

function detailsOf({ message, isSaved, quotedName }: RowContent, t: Texts): readonly string[] {
  const reactions = message.reactions.reduce((sum, group) => sum + group.count, 0)
  const files = message.attachments.length + message.uploads.length
  const [first] = message.attachments
  const states = [
    message.editedAt === undefined ? '' : t('row.edited'),
    message.pinned ? t('row.pinned') : '',
    isSaved ? t('row.saved') : '',
    isSentSilently(message) ? t('row.silent') : '',
  ]
  const { thread } = message
  return [
    message.quoted === undefined ? '' : t('row.quotes', { name: quotedName }),
    files === 1 && first !== undefined ? whatIs(first, t) : files > 0 ? t('row.attachments', { count: files }) : '',
    message.pollId === undefined ? '' : t('row.poll'),
    message.location === undefined ? '' : t('row.location'),
    thread === undefined || thread.replyCount === 0 ? '' : t('row.replies', { count: thread.replyCount }),
    reactions > 0 ? t('row.reactions', { count: reactions }) : '',
    states.filter((state) => state !== '').join(', '),
    message.type === 'ephemeral' || message.type === 'error' ? t('row.onlyYou') : '',
    statusOf(message, t),
  ]
}

/** A picture by its description, any other file by its name; a picture's file name is not useful. */
function whatIs(attachment: Attachment, t: Texts): string {
  const what = t(labelKeyOf(attachment))
  const name = isPicture(attachment) ? altOf(attachment) : ownName(attachment)
  return name === '' ? what : t('row.named', { what, name })
}

function statusOf({ status }: Message, t: Texts): string {
  if (status === 'failed') return t('row.failed')
  return status === 'queued' ? t('row.queued') : ''
}

/** Joins parts as sentences; a part that ends with punctuation gets no second period. */
const sentence = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .map((part, index, all) => (index === all.length - 1 || /[.!?…:]$/.test(part) ? part : `${part}.`))
    .join(' ')
