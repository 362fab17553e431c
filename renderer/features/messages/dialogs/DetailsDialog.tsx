import { useEffect, useState, type ReactNode } from 'react'
import type { MessageVersion } from '#shared/domain/manage/review.ts'
import type { Message, MessageRevision, ReactionGroup } from '#shared/domain/message.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppSelector, useChannel, useEngine, useSession } from '../../../store/hooks.ts'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { useMayManage } from '../../manage/index.ts'
import { Portrait, useName, useNames } from '../../people/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { glyphOf, ReactionGlyph, useInAll, useWhoText } from '../reactions/Reactions.tsx'
import styles from './DetailsDialog.module.css'
import reactionStyles from '../reactions/Reactions.module.css'

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

type GroupsProps = { readonly messageId: MessageId; readonly groups: readonly ReactionGroup[] }

/** Who reacted with what and when, in the order of the first reaction. */
function ReactionGroups({ messageId, groups }: GroupsProps) {
  const t = useTexts('messages')
  return (
    <ul className={reactionStyles['groups']} aria-label={t('reactions.label')}>
      {groups.map((group) => (
        <Group key={group.type} messageId={messageId} group={group} />
      ))}
    </ul>
  )
}

function Group({ messageId, group }: { readonly messageId: MessageId; readonly group: ReactionGroup }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const more = useReactors(messageId, group)
  const names = useNames(more.userIds)
  const { when } = useWhoText(group)
  const inAll = useInAll(group)
  const glyph = glyphOf(group.type)
  const others = group.count - names.length
  return (
    <li>
      <div className={reactionStyles['groupHead']}>
        <ReactionGlyph type={group.type} emojiClass={reactionStyles['bigEmoji']} textClass={reactionStyles['text']} />
        <b>{formats.tally(group.count)}</b>
        {inAll === undefined ? null : <span>{inAll}</span>}
        <span className={reactionStyles['groupWhen']}>{when}</span>
      </div>
      <ul className={reactionStyles['people']} aria-label={t('reactions.by', { emoji: glyph.text })}>
        {more.userIds.map((id, index) => (
          <li key={id}>
            <Portrait userId={id} size={20} />
            <bdi>{names[index]}</bdi>
          </li>
        ))}
        {others > 0 ? (
          <li className={reactionStyles['groupWhen']}>{t('reactions.others', { count: others })}</li>
        ) : null}
      </ul>
      {others > 0 && !more.complete ? (
        <Button size="small" variant="link" working={more.working} onClick={more.load}>
          {t('reactions.more')}
        </Button>
      ) : null}
      {more.failed ? (
        <p className={reactionStyles['groupWhen']} role="alert">
          {t('reactions.moreFailed')}
        </p>
      ) : null}
    </li>
  )
}

/** Everyone who reacted with one type: the newest are known, the others are loaded from the server page by page. */
function useReactors(messageId: MessageId, { type, userIds }: ReactionGroup) {
  const engine = useEngine()
  const [state, setState] = useState<{ ids: readonly UserId[]; next?: string; complete: boolean }>()
  const [working, setWorking] = useState(false)
  const [failed, setFailed] = useState(false)
  const load = async (): Promise<void> => {
    setWorking(true)
    setFailed(false)
    try {
      const page = await engine.messages.reactors({ messageId, type, next: state?.next })
      setState((before) => ({
        ids: [...new Set([...(before?.ids ?? []), ...page.userIds])],
        next: page.next,
        complete: page.next === undefined,
      }))
    } catch {
      setFailed(true)
    }
    setWorking(false)
  }
  return {
    userIds: [...new Set([...userIds, ...(state?.ids ?? [])])],
    complete: state?.complete === true,
    working,
    failed,
    load: (): void => void load(),
  }
}

/** `byId`: who wrote it, where that is known. */
type Shown = { readonly at: number; readonly text: string; readonly byId?: string }

type VersionsProps = {
  /** Oldest first. */
  readonly versions: readonly Shown[]
  readonly createdAt: number
}

/** The versions of a message, each with what changed since the one before. */
export function Versions({ versions, createdAt }: VersionsProps) {
  return (
    <ol className={styles['edits']}>
      {versions.map((version, index) => (
        <li key={version.at}>
          <VersionHead version={version} isFirst={version.at <= createdAt} />
          <Version before={versions[index - 1]?.text} text={version.text} />
        </li>
      ))}
    </ol>
  )
}

function VersionHead({ version, isFirst }: { readonly version: Shown; readonly isFirst: boolean }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const { at, byId } = version
  return (
    <p className={styles['faint']}>
      {byId === undefined ? null : <Writer userId={byId} />}
      {t(isFirst ? 'details.original' : 'details.edited', { time: formats.dayAndTime(at) })}
    </p>
  )
}

function Writer({ userId }: { readonly userId: string }) {
  const name = useName(userId)
  return (
    <span className={styles['writer']}>
      <Portrait userId={userId} size={20} />
      <bdi className="ellipsis">{name}</bdi>
    </span>
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
