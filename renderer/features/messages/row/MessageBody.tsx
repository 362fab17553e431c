import { useMemo } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppSelector, useChannel } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { Attachments } from '../../attachments/index.ts'
import { HostSuspense } from '../../connection/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { LocationCard } from '../../locations/index.ts'
import { useNames } from '../../people/index.ts'
import { PollCard } from '../../polls/index.ts'
import { Reactions } from '../../reactions/index.ts'
import { ReminderChip } from '../../reminders/index.ts'
import { actionsFor } from '../actions/actions.ts'
import { Answer } from './Answer.tsx'
import { Markdown } from '../markdown/Markdown.tsx'
import { Quote } from './Quote.tsx'
import { ThreadSummary } from './ThreadSummary.tsx'
import { UndoButton } from './UndoButton.tsx'
import { useScope } from '../list/scope.ts'
import styles from './MessageRow.module.css'

type Props = { readonly message: Message }

/** The content of a message: quote, text, attachments, reactions, thread. */
export function MessageBody({ message }: Props) {
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
  return <BodyText message={message} />
}

/** The thread stays reachable even if its parent message is deleted. */
const Thread = ({ message }: Props) =>
  message.thread === undefined || message.thread.replyCount === 0 ? null : (
    <ThreadSummary message={message} thread={message.thread} />
  )

const NO_MENTIONS: readonly [] = []

function BodyText({ message }: Props) {
  const scope = useScope()
  const channel = useChannel(message.cid)
  const names = useNames(message.mentionedUserIds)
  const mentioned = useMemo(
    () => [
      ...(message.reach ?? []).map((broadcast) => ({ id: broadcast, name: broadcast, all: true as const })),
      ...message.mentionedUserIds.map((id, index) => ({ id, name: names[index] ?? id })),
    ],
    [message.reach, message.mentionedUserIds, names],
  )
  const inThread = scope.parentId !== undefined
  const mayReact = actionsFor(message, { channel, viewerId: scope.viewerId, inThread }).has('react')
  const edited = message.editedAt === undefined ? null : <Edited message={message} at={message.editedAt} />
  return (
    <>
      {message.quoted === undefined ? null : <Quote quoted={message.quoted} from={message.id} />}
      <div className={styles['text']} data-message-text="">
        {message.text === '' ? (
          edited
        ) : (
          <Markdown text={message.text} mentioned={mentioned} viewerId={scope.viewerId} after={edited} />
        )}
      </div>
      <Attachments messageId={message.id} attachments={message.attachments} uploads={message.uploads} />
      {message.pollId === undefined ? null : (
        <PollCard
          messageId={message.id}
          cid={message.cid}
          pollId={message.pollId}
          renderDescription={(text) => <Markdown text={text} mentioned={NO_MENTIONS} viewerId={scope.viewerId} />}
        />
      )}
      {message.location === undefined ? null : (
        <HostSuspense small meanwhile={<div className={styles['locationPlaceholder']} />}>
          <LocationCard message={message} location={message.location} />
        </HostSuspense>
      )}
      <ReminderChip messageId={message.id} />
      {message.reactions.length === 0 ? null : (
        <Reactions
          messageId={message.id}
          groups={message.reactions}
          onAdd={mayReact ? (anchor) => scope.act(message, 'react', anchor) : undefined}
        />
      )}
      {message.type === 'ephemeral' || message.type === 'error' ? <Answer message={message} /> : null}
      {inThread ? null : <Thread message={message} />}
    </>
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
