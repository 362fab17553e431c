import { useRef, useEffect, useSyncExternalStore, useCallback, useState } from 'react'
import type { ReactedMessage } from '#shared/domain/search.ts'
import { emojiCode } from '#shared/rules/messages/emoji.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { useTexts, useFormats } from '../../i18n/index.ts'
import {
  useAppDispatch,
  useAppSelector,
  useChannel,
  useMe,
  useWindow,
  useConnection,
  useObject,
} from '../../store/hooks.ts'
import { MENTION_LISTS, mentionsFiltered, type MentionList } from '../../store/window/views.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { Segments } from '../../ui/Choice/Choice.tsx'
import { FindField } from '../../ui/Field/TextField.tsx'
import { View } from '../../ui/View/View.tsx'
import { useLanguageMark } from '../../lib/text/language-mark.ts'
import { useDelayed, useMinute } from '../../lib/time/clocks.ts'
import { perAccount } from '../../store/objects.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { useRoving } from '../../lib/page/roving.ts'
import { command } from '../../store/command.ts'
import { selectEmojiByName } from '../../store/selectors.ts'
import { Invites } from '../browse/index.ts'
import { PlaceTabs, useInvites } from '../sidebar/index.ts'
import { Unanswered, LoadingText, SKELETON_DELAY_MS } from '../connection/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { nameOf, Portrait } from '../people/index.ts'
import { glyphOf } from '../messages/reactions/index.ts'
import { HitList } from './results/HitList.tsx'
import { Results } from './results/results.ts'
import { openInChannel } from './commands.ts'
import { placeName } from './question.ts'
import styles from './Search.module.css'
import hit from './results/Hit.module.css'

type Props = {
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
}

/** Mentions, replies, reactions and invitations of the viewer. Cached ones at once, then those from the server. */
export function MentionsView({ onBack }: Props) {
  const t = useTexts('unread')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { kind, text } = useAppSelector(({ views }) => views.mentions)
  const invites = useInvites().length
  const unanswered = useWindow('channels')?.unanswered === true
  const field = useRef<HTMLInputElement>(null)
  const toField = (): void => field.current?.focus()
  return (
    <View
      icon="at"
      title={t('mentions.title')}
      subtitle={t('mentions.subtitle')}
      back={onBack === undefined ? undefined : { label: common('back'), onPress: onBack }}
      banner={
        <>
          <PlaceTabs of="catch-up" />
          <div className={styles['kinds']}>
            <Segments
              label={t('mentions.show')}
              value={kind}
              onChange={(next) => dispatch(mentionsFiltered({ kind: next }))}
              choices={[
                ...MENTION_LISTS.map((value) => ({ value, label: t(`mentions.${value}`) })),
                {
                  value: 'invites',
                  label: t('mentions.invites'),
                  count: { value: invites, name: t('mentions.invitesOf', { count: invites }) },
                },
              ]}
            />
            {kind === 'invites' ? null : (
              <FindField
                ref={field}
                label={t('mentions.find')}
                value={text}
                onChange={(next) => dispatch(mentionsFiltered({ text: next }))}
                list="[data-mentions]"
                maxLength={400}
              />
            )}
          </div>
        </>
      }
    >
      <div className={styles['below']}>
        {kind === 'invites' ? (
          invites === 0 && unanswered ? (
            <Unanswered part="channels" />
          ) : invites === 0 ? (
            <Empty scene="chat" title={t('mentions.noInvites')}>
              {t('mentions.noInvitesText')}
            </Empty>
          ) : (
            <div className={styles['view']}>
              <Invites />
            </div>
          )
        ) : kind === 'reactions' && text.trim() === '' ? (
          <ReactedList />
        ) : (
          <MentionHits key={kind} kind={kind} text={text} onUp={toField} />
        )}
      </div>
    </View>
  )
}

/** Queries in filter syntax, which is valid in every language. */
const QUESTIONS: Readonly<Record<MentionList, string>> = {
  mentions: 'mentions:me',
  replies: 'is:reply',
  reactions: 'is:mine has:reaction',
}
const NONE = {
  mentions: { title: 'mentions.none', text: 'mentions.noneText' },
  replies: { title: 'mentions.noReplies', text: 'mentions.noRepliesText' },
  reactions: { title: 'mentions.noReactions', text: 'mentions.noReactionsText' },
} as const

/** Stored outside the view, so that the list and its position are restored on return. */
const LISTS = perAccount(({ engine }) => ({
  mentions: new Results((input) => engine.search.messages(input)),
  replies: new Results((input) => engine.search.messages(input)),
  reactions: new Results((input) => engine.search.messages(input)),
}))

type MentionHitsProps = {
  readonly kind: MentionList
  /** Filters the list; empty shows all. */
  readonly text: string
  /** Arrow Up in the first row moves the focus to the field. */
  readonly onUp: () => void
}

/** The list of mentions, replies or reactions. */
function MentionHits({ kind, text: label, onUp }: MentionHitsProps) {
  const t = useTexts('unread')
  const results = useObject(LISTS)[kind]
  const found = useSyncExternalStore(results.subscribe, results.found)
  const { offline } = useConnection()
  const text = `${QUESTIONS[kind]} ${label.trimStart()}`.trim()
  const waiting = useDelayed(found.busy !== 'none' && found.hits.length === 0, SKELETON_DELAY_MS)
  useEffect(() => {
    const isNew = results.text() !== text
    results.ask({ text })
    // Loads what is new since the last visit, and results of the server once connected.
    if (!isNew && !offline) results.again()
  }, [results, text, offline])
  const isUnanswered = found.hits.length === 0 && found.busy === 'none' && (offline || found.server === 'unreachable')
  if (isUnanswered && offline) return <Unanswered part="messages" />
  if (found.error !== undefined || isUnanswered) {
    return (
      <Empty
        scene="offline"
        title={t('mentions.failed')}
        action={
          <Button variant="primary" onClick={() => results.again()}>
            {t('mentions.again')}
          </Button>
        }
      >
        {null}
      </Empty>
    )
  }
  if (found.hits.length > 0) {
    return (
      <div className={styles['panel']} data-mentions="">
        <HitList results={results} found={found} onUp={onUp} />
      </div>
    )
  }
  if (found.busy !== 'none')
    return waiting ? <LoadingText what={t('mentions.looking')} onRetry={() => results.again()} /> : null
  const isNarrowed = label.trim() !== ''
  return (
    <Empty
      scene={isNarrowed ? 'search' : 'chat'}
      title={isNarrowed ? t('mentions.noneFound', { query: label.trim() }) : t(NONE[kind].title)}
    >
      {isNarrowed ? t('mentions.noneFoundText') : t(NONE[kind].text)}
    </Empty>
  )
}

const PAGE = 20

const askReactions = command(
  'search/reactionsAsked',
  (input: { readonly before?: number }, engine) => engine.search.reactions({ ...input, limit: PAGE }),
  { quiet: true },
)

type Loaded = { readonly rows: readonly ReactedMessage[]; readonly hasMore: boolean; readonly failed: boolean }

function useReacted(): {
  readonly loaded: Loaded | undefined
  readonly load: (from: readonly ReactedMessage[]) => void
} {
  const dispatch = useAppDispatch()
  const [loaded, setLoaded] = useState<Loaded>()
  const load = useCallback(
    async (from: readonly ReactedMessage[]): Promise<void> => {
      const last = from.at(-1)
      const answer = await dispatch(askReactions(last === undefined ? {} : { before: last.at }))
      if (answer.ok)
        setLoaded({ rows: [...from, ...answer.value], hasMore: answer.value.length === PAGE, failed: false })
      else setLoaded({ rows: from, hasMore: false, failed: true })
    },
    [dispatch],
  )
  useEffect(() => void begin(load), [load])
  return { loaded, load: (from) => void load(from) }
}

const begin = async (load: (from: readonly ReactedMessage[]) => Promise<void>): Promise<void> => load([])

/** The viewer's messages that others reacted to, the newest reaction first. */
function ReactedList() {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const { loaded, load } = useReacted()
  const rows = loaded?.rows ?? []
  const { containerProps, itemProps } = useRoving({ ids: rows.map(({ messageId }) => messageId), pageSize: 8 })
  const { ref, ...listeners } = containerProps
  if (loaded === undefined) return null
  if (loaded.failed && rows.length === 0) {
    return (
      <Empty
        scene="offline"
        title={t('mentions.failed')}
        action={
          <Button variant="primary" onClick={() => load([])}>
            {t('mentions.again')}
          </Button>
        }
      >
        {null}
      </Empty>
    )
  }
  if (rows.length === 0) {
    return (
      <Empty scene="chat" title={t('mentions.noReactions')}>
        {t('mentions.noReactionsText')}
      </Empty>
    )
  }
  return (
    <div className={styles['view']}>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['list']}
        aria-label={t('mentions.list')}
        {...listeners}
      >
        {rows.map((row) => (
          <ReactedRow
            key={row.messageId}
            row={row}
            item={itemProps(row.messageId)}
            onOpen={() => dispatch(openInChannel(row))}
          />
        ))}
      </ul>
      {loaded.hasMore ? (
        <p className={styles['end']}>
          <Button size="small" onClick={() => load(rows)}>
            {t('mentions.older')}
          </Button>
        </p>
      ) : null}
    </div>
  )
}

type RowProps = {
  readonly row: ReactedMessage
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onOpen: () => void
}

function ReactedRow({ row, item, onOpen }: RowProps) {
  const marked = useLanguageMark<HTMLSpanElement>(row.text, useMe()?.language)
  const t = useTexts('unread')
  const formats = useFormats()
  const now = useMinute()
  const users = useAppSelector((state) => state.entities.users)
  const place = useAppSelector((state) => placeName(state, row.cid, undefined))
  const isDirect = (useChannel(row.cid)?.directUserIds.length ?? 0) > 0
  const custom = useAppSelector(selectEmojiByName)
  const signOf = (type: string): string => (custom.has(type) ? emojiCode(type) : glyphOf(type).text)
  const first = row.reactions[0]
  const types = [...new Set(row.reactions.map(({ type }) => type))]
  const namesOf = (type: string): string =>
    formats.list(
      row.reactions.filter((reaction) => reaction.type === type).map(({ userId }) => nameOf(users[userId], userId)),
    )
  return (
    <li className={hit['hit']} data-reacted={row.messageId}>
      <button type="button" className={hit['hitOpen']} {...item} onClick={onOpen}>
        {first === undefined ? null : <Portrait userId={first.userId} size={36} />}
        <span className={hit['hitMain']}>
          <span className={hit['hitHead']}>
            <span className={hit['author']}>
              <EmojiText
                text={types.map((type) => t('mentions.by', { emoji: signOf(type), names: namesOf(type) })).join(' · ')}
              />
            </span>
            <time dateTime={new Date(row.at).toISOString()} title={formats.full(row.at)}>
              {formats.listTime(row.at, now)}
            </time>
            <span className={hit['note']}>
              {t(`mentions.${row.parentId === undefined ? 'place' : 'reply'}${isDirect ? 'Direct' : ''}`, { place })}
            </span>
          </span>
          <span ref={marked} className={hit['text']} dir="auto">
            <EmojiText text={excerpt(row.text, 240)} />
          </span>
        </span>
      </button>
    </li>
  )
}
