import { useEffect, useState, type ReactNode } from 'react'
import type { Message, MessageRevision } from '#shared/domain/message.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppSelector, useChannel, useEngine, useSession } from '../../../store/hooks.ts'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { EmojiText } from '../../emoji/index.ts'
import { Portrait, useName } from '../../people/index.ts'
import { ReactionGroups } from '../../reactions/index.ts'
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
          <ReactionGroups groups={message.reactions} />
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

/** Every version this device has stored, with the changes from the previous one. */
function Edits({ message, editedAt }: { readonly message: Message; readonly editedAt: number }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const before = useRevisions(message.id)
  if (before === undefined) return null
  const versions = [...before, { at: editedAt, text: message.text }]
  return (
    <Part title={t('details.edits')}>
      {before.length === 0 ? <p className={styles['faint']}>{t('details.unseen')}</p> : null}
      <ol className={styles['edits']}>
        {before.length === 0
          ? null
          : versions.map(({ at, text }, index) => (
              <li key={at}>
                <p className={styles['faint']}>
                  {t(at <= message.createdAt ? 'details.original' : 'details.edited', { time: formats.dayAndTime(at) })}
                </p>
                <Version before={versions[index - 1]?.text} text={text} />
              </li>
            ))}
      </ol>
    </Part>
  )
}

function Version({ before, text }: { readonly before: string | undefined; readonly text: string }) {
  const t = useTexts('messages')
  if (before === undefined) {
    return (
      <p className={styles['text']} dir="auto">
        <EmojiText text={text} />
      </p>
    )
  }
  return (
    <p className={styles['text']} dir="auto">
      {wordDiff(before, text).map((run, index) => {
        if (run.kind === 'same') return <EmojiText key={index} text={run.text} />
        const Tag = run.kind === 'removed' ? 'del' : 'ins'
        return (
          <Tag key={index}>
            <span className="sr-only">{t(`details.${run.kind}`)} </span>
            <EmojiText text={run.text} />
          </Tag>
        )
      })}
    </p>
  )
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

/** A run of unchanged, removed or added words. */
type DiffRun = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }

/** Largest table to compute; longer texts are shown as removed and added as a whole. */
const MAX_CELLS = 400_000

/** The difference between two texts by word; spaces and punctuation are separate tokens. */
export function wordDiff(before: string, after: string): readonly DiffRun[] {
  const [a, b] = [tokensOf(before), tokensOf(after)]
  const head = sharedStart(a, b)
  const tail = sharedStart(a.slice(head).toReversed(), b.slice(head).toReversed())
  const middle = diffOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return joined([
    ...a.slice(0, head).map((text) => ({ kind: 'same', text }) as const),
    ...middle,
    ...a.slice(a.length - tail).map((text) => ({ kind: 'same', text }) as const),
  ])
}

const tokensOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

/** Difference by longest common subsequence, computed from the end. */
function diffOf(a: readonly string[], b: readonly string[]): readonly DiffRun[] {
  if (a.length * b.length > MAX_CELLS) return [removed(a), added(b)].flat()
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const of = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j] ? of(i + 1, j + 1) + 1 : Math.max(of(i + 1, j), of(i, j + 1))
    }
  }
  const runs: DiffRun[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      runs.push({ kind: 'same', text: a[i] ?? '' })
      i += 1
      j += 1
    } else if (of(i + 1, j) >= of(i, j + 1)) runs.push({ kind: 'removed', text: a[i++] ?? '' })
    else runs.push({ kind: 'added', text: b[j++] ?? '' })
  }
  return [...runs, ...removed(a.slice(i)), ...added(b.slice(j))]
}

const removed = (tokens: readonly string[]): readonly DiffRun[] => tokens.map((text) => ({ kind: 'removed', text }))
const added = (tokens: readonly string[]): readonly DiffRun[] => tokens.map((text) => ({ kind: 'added', text }))

/** Joins adjacent runs of the same kind. */
function joined(runs: readonly DiffRun[]): readonly DiffRun[] {
  const out: DiffRun[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last?.kind === run.kind) out[out.length - 1] = { kind: run.kind, text: last.text + run.text }
    else out.push(run)
  }
  return out
}
