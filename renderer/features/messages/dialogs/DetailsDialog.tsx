import { useEffect, useState, type ReactNode } from 'react'
import type { MessageVersion } from '#shared/domain/manage/review.ts'
import type { Message, MessageRevision } from '#shared/domain/message.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppSelector, useChannel, useEngine, useSession } from '../../../store/hooks.ts'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { useMayManage } from '../../manage/index.ts'
import { Portrait, useName } from '../../people/index.ts'
import { ReactionGroups } from '../reactions/index.ts'
import { Versions } from './Versions.tsx'
import styles from './DetailsDialog.module.css'

type Props = { readonly messageId: MessageId; readonly onClose: () => void }

/** When a message was sent, who received, read and reacted to it, and its earlier versions. */
export function DetailsDialog({ messageId, onClose }: Props) {
  const t = useTexts('messages')
  const message = useAppSelector((state) => state.entities.messages[messageId])
  return (
    <Dialog title={t('details.title')} width={460} onClose={onClose}>
      {message === undefined ? <p>{t('deleted')}</p> : <Details message={message} />}
    </Dialog>
  )
}

function Details({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const formats = useFormats()
  return (
    <div className={styles['parts']}>
      <Part title={t('details.sent')}>
        {message.timeUnsure === true ? (
          <span>{t('row.timeUnsure')}</span>
        ) : (
          <time dateTime={new Date(message.createdAt).toISOString()}>{formats.full(message.createdAt)}</time>
        )}
      </Part>
      <Receipts message={message} />
      {message.reactions.length === 0 ? null : (
        <Part title={t('reactions.label')}>
          <ReactionGroups messageId={message.id} groups={message.reactions} />
        </Part>
      )}
      {message.editedAt === undefined ? null : (
        // Keyed by the edit, so that a new edit loads the versions again.
        <Edits key={message.editedAt} message={message} editedAt={message.editedAt} />
      )}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={styles['title']}>{title}</h3>
      {children}
    </section>
  )
}

/** Who received and read the message, if the channel reports it. Read state of replies belongs to their thread. */
function Receipts({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const viewerId = useSession().userId
  const config = useChannel(message.cid)?.config
  const reads = useAppSelector((state) => state.entities.reads[message.cid]?.reads)
  if (message.parentId !== undefined && !message.showInChannel) return null
  const others = (reads ?? []).filter(({ userId }) => userId !== message.userId && userId !== viewerId)
  const seen = others.filter(({ lastReadAt }) => lastReadAt >= message.createdAt)
  const arrived = others.filter(
    (read) => !seen.includes(read) && read.deliveredAt !== undefined && read.deliveredAt >= message.createdAt,
  )
  return (
    <>
      {config?.readEvents === true ? (
        <Part title={t('details.seen')}>
          <People label={t('details.seen')} people={seen.map(({ userId, lastReadAt }) => [userId, lastReadAt])} />
        </Part>
      ) : null}
      {config?.deliveryEvents === true && arrived.length > 0 ? (
        <Part title={t('details.delivered')}>
          <People label={t('details.delivered')} people={arrived.map(({ userId }) => [userId, undefined])} />
        </Part>
      ) : null}
    </>
  )
}

type PeopleProps = {
  readonly label: string
  /** Users, with the time if it is known. */
  readonly people: readonly (readonly [UserId, number | undefined])[]
}

function People({ label, people }: PeopleProps) {
  const t = useTexts('messages')
  if (people.length === 0) return <p className={styles['faint']}>{t('details.nobody')}</p>
  return (
    <ul className={styles['people']} aria-label={label}>
      {people.map(([userId, at]) => (
        <Person key={userId} userId={userId} at={at} />
      ))}
    </ul>
  )
}

function Person({ userId, at }: { readonly userId: UserId; readonly at: number | undefined }) {
  const formats = useFormats()
  const name = useName(userId)
  return (
    <li>
      <Portrait userId={userId} size={20} />
      <bdi className="ellipsis">{name}</bdi>
      {at === undefined ? null : <span className={styles['faint']}>{formats.dayAndTime(at)}</span>}
    </li>
  )
}

/** Every version: with its writer from the server for those who administer it, else those that this device has stored. */
function Edits({ message, editedAt }: { readonly message: Message; readonly editedAt: number }) {
  const t = useTexts('messages')
  const before = useRevisions(message.id)
  const all = useVersions(message.id)
  if (before === undefined) return null
  const versions = all ?? [...before, { at: editedAt, text: message.text }]
  return (
    <Part title={t('details.edits')}>
      {versions.length < 2 ? (
        <p className={styles['faint']}>{t('details.unseen')}</p>
      ) : (
        <Versions versions={versions} createdAt={message.createdAt} />
      )}
    </Part>
  )
}

/** From the server, oldest first; `undefined` for those who may not ask, and until it has answered. */
function useVersions(messageId: MessageId): readonly MessageVersion[] | undefined {
  const engine = useEngine()
  const mayAsk = useMayManage('people')
  const [versions, setVersions] = useState<readonly MessageVersion[]>()
  useEffect(() => {
    if (!mayAsk) return undefined
    let wanted = true
    engine.history.versions({ messageId }).then(
      (found) => wanted && setVersions(found.toReversed()),
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [engine, mayAsk, messageId])
  return versions
}

/** Earlier versions stored on this device; `undefined` while loading. */
function useRevisions(messageId: MessageId): readonly MessageRevision[] | undefined {
  const engine = useEngine()
  const [revisions, setRevisions] = useState<readonly MessageRevision[]>()
  useEffect(() => {
    let wanted = true
    engine.messages.revisions({ messageId }).then(
      (found) => wanted && setRevisions(found),
      () => wanted && setRevisions([]),
    )
    return () => {
      wanted = false
    }
  }, [engine, messageId])
  return revisions
}
