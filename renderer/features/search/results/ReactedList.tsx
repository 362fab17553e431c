import { useCallback, useEffect, useState } from 'react'
import type { ReactedMessage } from '#shared/domain/search.ts'
import { emojiCode } from '#shared/rules/messages/emoji.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { command } from '../../../store/command.ts'
import { selectEmojiByName } from '../../../store/selectors.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { EmojiText } from '../../emoji/index.ts'
import { Portrait } from '../../people/index.ts'
import { glyphOf } from '../../messages/reactions/index.ts'
import { openInChannel } from '../commands.ts'
import { placeName } from '../labels.ts'
import hit from './Hit.module.css'
import styles from '../Search.module.css'

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
export function ReactedList() {
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
  const t = useTexts('unread')
  const formats = useFormats()
  const now = useMinute()
  const users = useAppSelector((state) => state.entities.users)
  const place = useAppSelector((state) => placeName(state, row.cid, undefined))
  const custom = useAppSelector(selectEmojiByName)
  const signOf = (type: string): string => (custom.has(type) ? emojiCode(type) : glyphOf(type).text)
  const first = row.reactions[0]
  const types = [...new Set(row.reactions.map(({ type }) => type))]
  const namesOf = (type: string): string =>
    formats.list(
      row.reactions
        .filter((reaction) => reaction.type === type)
        .map(({ userId }) => cleanName(users[userId]?.name ?? userId)),
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
              {t(row.parentId === undefined ? 'mentions.place' : 'mentions.reply', { place })}
            </span>
          </span>
          <span className={hit['text']} dir="auto">
            <EmojiText text={excerpt(row.text, 240)} />
          </span>
        </span>
      </button>
    </li>
  )
}
