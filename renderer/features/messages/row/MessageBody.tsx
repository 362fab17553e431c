import { useMemo, useState } from 'react'
import type { Message, MessageButton, ThreadSummary as Summary, QuotedMessage } from '#shared/domain/message.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { useFormats, useTexts, useErrorText, useLanguage } from '../../../i18n/index.ts'
import { useAppSelector, useSettledChannel, useAppDispatch, useUser } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { cx } from '../../../lib/cx.ts'
import { useLanguageMark } from '../../../lib/text/language-mark.ts'
import { useMinute, useDelayed } from '../../../lib/time/clocks.ts'
import { focusRequested } from '../../../store/composers/composers.ts'
import { panelOpened } from '../../../store/window/ui.ts'
import {
  Attachments,
  contentKeyOf,
  mediaRef,
  oneLine,
  Picture,
  useBlurred,
  useHidesMedia,
} from '../../attachments/index.ts'
import { UntilLoaded } from '../../connection/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { LocationCard } from '../../locations/index.ts'
import { Faces, splitNames, useName, useNames } from '../../people/index.ts'
import { PollCard } from '../../polls/index.ts'
import { ReminderChip } from '../../reminders/index.ts'
import { Reactions } from '../reactions/index.ts'
import { actionsFor, type ActionId } from '../actions/actions.ts'
import { Markdown } from '../markdown/Markdown.tsx'
import { useScope } from '../list/scope.ts'
import { dismissAnswer, pressButton } from '../actions/commands.ts'
import type { RowContent } from './select.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { hueOf } from '../../../ui/Avatar/Avatar.tsx'
import { undoHeld } from '../../../store/composers/unsent.ts'
import styles from './MessageRow.module.css'

type Props = { readonly message: Message }

/** The content of a message: quote, text, attachments, reactions, thread. */
export function MessageBody({ content }: { readonly content: RowContent }) {
  const { message } = content
  const t = useTexts('messages')
  const { parentId } = useScope()
  if (message.type === 'deleted' || message.deletedAt !== undefined) {
    return (
      <>
        <div className={styles['deleted']}>
          <Icon name="trash" size={16} />
          {t('deleted')}
          {message.undoUntil === undefined ? null : <UndoButton message={message} />}
        </div>
        {parentId === undefined ? <Thread message={message} /> : null}
      </>
    )
  }
  return <BodyText content={content} />
}

/** The thread stays reachable even if its parent message is deleted. */
const Thread = ({ message }: Props) =>
  message.thread === undefined || message.thread.replyCount === 0 ? null : (
    <ThreadSummary message={message} thread={message.thread} />
  )

const NO_MENTIONS: readonly [] = []

/** The row, if the text is in its name. */
const NAMED_BY_TEXT = '[data-named-by-text]'

function BodyText({
  content: { message, author, isSaved, isBrief, mentionedNames },
}: {
  readonly content: RowContent
}) {
  const scope = useScope()
  const marked = useLanguageMark<HTMLDivElement>(message.text, author?.language, isBrief ? undefined : NAMED_BY_TEXT)
  const mentioned = useMemo(() => {
    const names = splitNames(mentionedNames)
    return [
      ...(message.reach ?? []).map((broadcast) => ({ id: broadcast, name: broadcast, all: true as const })),
      ...message.mentionedUserIds.map((id, index) => ({ id, name: names[index] ?? id })),
    ]
  }, [message.reach, message.mentionedUserIds, mentionedNames])
  const edited = message.editedAt === undefined ? null : <Edited message={message} at={message.editedAt} />
  return (
    <>
      {message.quoted === undefined ? null : <Quote quoted={message.quoted} from={message.id} />}
      <div ref={marked} className={styles['text']} data-message-text="">
        {message.text === '' ? (
          edited
        ) : (
          <Markdown
            text={message.text}
            blocks={message.blocks}
            mentioned={mentioned}
            viewerId={scope.viewerId}
            after={edited}
          />
        )}
      </div>
      {message.attachments.length + message.uploads.length === 0 ? null : (
        <UntilLoaded small>
          <Attachments messageId={message.id} attachments={message.attachments} uploads={message.uploads} />
        </UntilLoaded>
      )}
      {message.pollId === undefined ? null : (
        <UntilLoaded small>
          <PollCard
            messageId={message.id}
            cid={message.cid}
            pollId={message.pollId}
            renderDescription={(text) => <Markdown text={text} mentioned={NO_MENTIONS} viewerId={scope.viewerId} />}
          />
        </UntilLoaded>
      )}
      {message.location === undefined ? null : (
        <UntilLoaded small meanwhile={<div className={styles['locationPlaceholder']} />}>
          <LocationCard message={message} location={message.location} />
        </UntilLoaded>
      )}
      {isSaved ? <ReminderChip messageId={message.id} /> : null}
      {message.reactions.length === 0 ? null : <ReactionBar message={message} />}
      {message.type === 'ephemeral' || message.type === 'error' ? <Answer message={message} /> : null}
      {message.shadowed ? <Hidden message={message} /> : null}
      {scope.parentId === undefined ? <Thread message={message} /> : null}
    </>
  )
}

function ReactionBar({ message }: Props) {
  const { parentId, viewerId, act } = useScope()
  const channel = useSettledChannel(message.cid)
  const inThread = parentId !== undefined
  const mayReact = actionsFor(message, { channel, viewerId, inThread }).has('react')
  return (
    <Reactions
      messageId={message.id}
      groups={message.reactions}
      onAdd={mayReact ? (anchor) => act(message, 'react', anchor) : undefined}
    />
  )
}

/** Says that others do not see the message: to moderators, and to the author of one that waits for approval. */
function Hidden({ message: { userId, held } }: Props) {
  const t = useTexts('messages')
  const { viewerId } = useScope()
  const own = userId === viewerId
  // A shadow-banned person is not notified.
  if (own && held === undefined) return null
  return (
    <p className={styles['note']}>
      <Icon name="eye-off" size={13} />
      <span>
        {held === undefined ? t('hidden.fromOthers') : t(own ? 'hidden.ownHeld' : 'hidden.held', { rule: held.rule })}
        {own && held?.text !== undefined ? (
          <>
            {' '}
            <bdi>{held.text}</bdi>
          </>
        ) : null}
      </span>
    </p>
  )
}

/** Opens the earlier versions. */
function Edited({ message, at }: Props & { readonly at: number }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const scope = useScope()
  const time = formats.full(at)
  return (
    <Tooltip text={t('editedAt', { time })} side="above">
      <button
        type="button"
        className={styles['edited']}
        aria-label={t('editedShow', { time })}
        onClick={(event) => scope.act(message, 'details', event.currentTarget)}
      >
        {t('edited')}
      </button>
    </Tooltip>
  )
}

/** A system message: a member joined, the channel was renamed. */
export function SystemLine({ id, focusable }: { readonly id: string; readonly focusable: boolean }) {
  const message = useAppSelector((state) => state.entities.messages[id])
  if (message === undefined) return null
  return (
    <article
      className={styles['system']}
      tabIndex={focusable ? 0 : -1}
      data-message-id={id}
      data-roving-id={id}
      aria-label={message.text}
    >
      <Icon name="info" size={16} />
      <span dir="auto">
        <EmojiText text={message.text} />
      </span>
    </article>
  )
}

/** Where the connection was lost: messages others wrote since are not loaded yet. */
export function LostLine({ at }: { readonly at: number }) {
  const t = useTexts('messages')
  const formats = useFormats()
  return (
    <p className={styles['system']}>
      <Icon name="wifi-off" size={16} />
      <span>{t('lost', { time: formats.time(at) })}</span>
    </p>
  )
}

type AnswerProps = { readonly message: Message }

const NO_BUTTONS: readonly MessageButton[] = []

/**
 * Below the response of a slash command, or the error for one: its buttons, a note that only the viewer sees it, and a
 * button that dismisses it.
 */
function Answer({ message }: AnswerProps) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const [pressed, setPressed] = useState<string>()
  const messageId = message.id
  const press = async ({ name, value }: MessageButton): Promise<void> => {
    setPressed(value)
    await dispatch(pressButton({ messageId, name, value }))
    setPressed(undefined)
  }
  return (
    <div className={styles['answerFoot']} role="group" aria-label={t('answer.buttons')}>
      {(message.buttons ?? NO_BUTTONS).map((button) => (
        <Button
          key={`${button.name} ${button.value}`}
          size="small"
          variant={button.style === 'default' ? 'secondary' : button.style}
          working={pressed === button.value}
          disabled={pressed !== undefined && pressed !== button.value}
          onClick={() => void press(button)}
        >
          {button.text}
        </Button>
      ))}
      <span className={styles['note']}>
        <Icon name="eye" size={13} />
        {t('answer.onlyYou')}
      </span>
      <button type="button" className={styles['dismiss']} onClick={() => void dispatch(dismissAnswer({ messageId }))}>
        {t('answer.dismiss')}
      </button>
    </div>
  )
}

type ThreadSummaryProps = { readonly message: Message; readonly thread: Summary }

/** Summary of the replies: portraits, count, time of the last one, and a dot for unread ones. */
function ThreadSummary({ message, thread }: ThreadSummaryProps) {
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
        <span className="ellipsis">{t('thread.last', { when: formats.ago(thread.lastReplyAt, now) })}</span>
      )}
      {isNew ? <span className={styles['threadNew']} /> : null}
    </button>
  )
}

type QuoteProps = {
  readonly quoted: QuotedMessage
  /** The message that contains the quote, to return to. */
  readonly from: MessageId
}

/** The quoted message: author, one line, a thumbnail. A click jumps to it. */
function Quote({ quoted, from }: QuoteProps) {
  const t = useTexts('messages')
  const scope = useScope()
  const name = useName(quoted.userId)
  const author = useUser(quoted.userId)
  const hidesMedia = useHidesMedia(scope.cid)
  const { isBlurred } = useBlurred(mediaRef(quoted.id, quoted.thumb?.index ?? 0))
  const text = quoted.deleted ? t('deleted') : oneLine(quoted.text)
  const shown = text === '' ? t(contentKeyOf(quoted.content ?? (quoted.thumb === undefined ? 'file' : 'image'))) : text
  const marked = useLanguageMark<HTMLElement>(quoted.deleted ? '' : quoted.text, author?.language)
  return (
    <button
      type="button"
      className={styles['quote']}
      data-hue={hueOf(quoted.userId)}
      aria-label={t('quote.label', { name, text: shown })}
      onClick={() => scope.jump(quoted.id, from)}
    >
      <bdi className={styles['quoteName']}>{name}</bdi>
      <bdi ref={marked} className={styles['quoteText']}>
        <EmojiText text={shown} />
      </bdi>
      {quoted.thumb === undefined || quoted.deleted || hidesMedia ? null : (
        <span className={styles['quoteThumb']}>
          <Picture
            mediaKey={mediaRef(quoted.id, quoted.thumb.index)}
            variant={quoted.thumb.hasThumb ? 'thumb' : 'full'}
            alt=""
            blurred={isBlurred}
            moves
          />
        </span>
      )}
    </button>
  )
}

/** "Sending" is shown only after this time. */
const SHOW_SENDING_AFTER_MS = 600

/** Status of an own message that the server does not have yet, with actions. */
export function StatusLine({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const errorText = useErrorText()
  const slow = useDelayed(message.status === 'sending', SHOW_SENDING_AFTER_MS)
  if (message.undoUntil !== undefined) {
    return (
      <div className={styles['status']} data-status={message.status}>
        <Icon name="clock" size={15} />
        <span>{t('status.held')}</span>
        <UndoButton message={message} />
      </div>
    )
  }
  if (message.status === 'sending') {
    return slow ? (
      <div className={styles['status']} data-status={message.status}>
        <Icon name="clock" size={15} />
        <span>{t('status.sending')}</span>
      </div>
    ) : null
  }
  if (message.status === 'queued') {
    return (
      <div className={styles['status']} data-status={message.status}>
        <Icon name="cloud-off" size={15} />
        <span>{t('status.queued')}</span>
        <Act message={message} action="edit" label={t('status.edit')} />
        <Act message={message} action="delete" label={t('status.remove')} />
      </div>
    )
  }
  const reason = message.failure === undefined ? '' : errorText(message.failure)
  const retryable = message.failure?.retryable !== false
  return (
    <div className={styles['status']} data-status={message.status}>
      <Icon name="alert-circle" size={15} />
      <span>{t('status.failed', { reason })}</span>
      {retryable ? (
        <Act message={message} action="retry" label={t('status.retry')} />
      ) : (
        <Act message={message} action="edit" label={t('status.edit')} />
      )}
      <Act message={message} action="delete" label={t('status.delete')} />
    </div>
  )
}

type ActProps = { readonly message: Message; readonly action: ActionId; readonly label: string }

function Act({ message, action, label }: ActProps) {
  const scope = useScope()
  return (
    <button type="button" onClick={(event) => scope.act(message, action, event.currentTarget)}>
      {label}
    </button>
  )
}

/** Undoes a held message or deletion: the text returns to the composer, or the message stays. */
function UndoButton({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  return (
    <button type="button" data-undo={message.id} onClick={() => void dispatch(undoHeld(message))}>
      {t('status.undo')}
    </button>
  )
}

type ReadByProps = {
  readonly readers: readonly string[]
  /** The viewer's newest message: says Sent, Delivered or Seen. */
  readonly own: boolean
  readonly delivered: boolean
}

const MAX_NAMES = 4

/** Small portraits of people who have read up to here, and the status of the viewer's newest message. */
export function ReadBy({ readers, own, delivered }: ReadByProps) {
  const t = useTexts('messages')
  const formats = useFormats()
  const language = useLanguage()
  const names = useNames(readers.slice(0, MAX_NAMES))
  const others = readers.length - names.length
  const text =
    readers.length === 0
      ? t(delivered ? 'status.delivered' : 'status.sent')
      : others > 0
        ? t('status.seenByMore', { names: names.join(', '), count: others })
        : t('status.seenBy', { names: formats.list(names) })
  if (readers.length === 0 && !own) return null
  return (
    <Tooltip text={text} side="above">
      <div className={styles['readBy']} lang={language} role="img" aria-label={text}>
        {own ? <Icon name={readers.length === 0 && !delivered ? 'check' : 'check-double'} size={15} /> : null}
        {readers.length === 0 ? null : <Faces userIds={readers} size={16} />}
      </div>
    </Tooltip>
  )
}
