import { type ReactNode, useId, useState, useCallback, useEffect, useRef } from 'react'
import type { MediaTabName, MediaFilter } from '#shared/domain/channel.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import { attachmentsIn } from '#shared/rules/channels/media-tabs.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { Poll } from '#shared/domain/poll.ts'
import type { TimeCursor } from '#shared/domain/search.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useDelayed } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Empty, Skeleton } from '../../../ui/View/Empty.tsx'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { useAppSelector, useAppDispatch } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { DownloadButton, FileName, FileTile, mediaRef, useDownload } from '../../attachments/index.ts'
import { PanelHead, useBackToDetails } from '../PanelHead.tsx'
import { loadMedia } from '../commands.ts'
import { LinksList, ItemRow, MediaGrid } from './MediaLists.tsx'
import { type ActiveFilters, hasFilters, MediaFilters } from './MediaFilters.tsx'
import styles from '../Info.module.css'

/** The next page is requested this far before the end comes into view. */
const AHEAD_PX = 500

export type ListProps = { readonly cid: Cid; readonly tab: MediaTab; readonly labelledBy: string }

const LISTS: Readonly<Record<MediaTabName, (props: ListProps) => ReactNode>> = {
  media: MediaGrid,
  files: FilesList,
  links: LinksList,
  polls: PollsList,
}
const SCENES = { media: 'search', files: 'search', links: 'search', polls: 'search' } as const

/** The media, files, links or polls of a channel, newest first; searchable, also offline. */
export function MediaPanel({ cid, name }: { readonly cid: Cid; readonly name: MediaTabName }) {
  const t = useTexts('details')
  const headingId = useId()
  const back = useBackToDetails(cid)
  const [query, setQuery] = useState('')
  const [filters, setNarrowed] = useState<ActiveFilters>({})
  const tab = useMediaTab(cid, name, query.trim(), filters)
  const List = LISTS[name]
  const finds: Readonly<Record<MediaTabName, string>> = {
    media: t('mediaTab.findMedia'),
    files: t('mediaTab.findFile'),
    links: t('mediaTab.findLink'),
    polls: t('mediaTab.findPoll'),
  }
  return (
    <>
      <PanelHead id={headingId} title={t(`rows.${name}`)} back={back} />
      <div className={styles['find']}>
        <FindField label={finds[name]} list="[data-region]" value={query} onChange={setQuery} />
      </div>
      <MediaFilters cid={cid} name={name} filters={filters} onChange={setNarrowed} />
      <div
        className={styles['body']}
        aria-busy={tab.busy}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < AHEAD_PX) tab.more()
        }}
      >
        <List cid={cid} tab={tab} labelledBy={headingId} />
        <End name={name} tab={tab} query={query.trim()} filters={filters} onWiden={() => setNarrowed({})} />
      </div>
    </>
  )
}

type EndProps = {
  readonly name: MediaTabName
  readonly tab: MediaTab
  readonly query: string
  readonly filters: ActiveFilters
  readonly onWiden: () => void
}

function End({ name, tab, query, filters, onWiden }: EndProps) {
  const t = useTexts('details')
  const common = useTexts('common')
  const errorText = useErrorText()
  const waiting = useDelayed(tab.busy && (tab.messages?.length ?? 0) === 0, 200)
  const none = tab.messages?.length === 0 && !tab.busy
  const again = (
    <Button size="small" onClick={tab.again}>
      {common('tryAgain')}
    </Button>
  )
  if (tab.error !== undefined) {
    return (
      <div className={cx(styles['note'], styles['none'])} role="status">
        <p>{errorText(tab.error)}</p>
        {again}
      </div>
    )
  }
  if (none && hasFilters(filters)) {
    return (
      <div className={cx(styles['note'], styles['none'])} role="status">
        <p>{t('mediaTab.filter.nothing')}</p>
        {tab.cacheOnly ? <p>{t('mediaTab.here')}</p> : null}
        <Button size="small" onClick={onWiden}>
          {t('mediaTab.filter.clear')}
        </Button>
      </div>
    )
  }
  if (none && tab.cacheOnly) {
    return (
      <Empty scene={SCENES[name]} title={t('mediaTab.emptyHere')} action={again}>
        {t('mediaTab.here')}
      </Empty>
    )
  }
  if (none && query !== '') return <p className={styles['note']}>{t('mediaTab.nothing', { query })}</p>
  if (none) {
    return (
      <Empty scene={SCENES[name]} title={t(`mediaTab.empty.${name}`)}>
        {null}
      </Empty>
    )
  }
  if (waiting) {
    return (
      <div className={styles['section']}>
        <Skeleton width="70%" height={14} />
      </div>
    )
  }
  if (tab.cacheOnly) return <p className={styles['note']}>{t('mediaTab.here')}</p>
  return tab.busy && tab.messages !== undefined ? <p className={styles['note']}>{t('mediaTab.more')}</p> : null
}

/** Files and recordings, newest first. */
function FilesList({ tab, labelledBy }: ListProps) {
  const items = (tab.messages ?? []).flatMap((message) =>
    attachmentsIn('files', message.attachments, tab.only).map((attachment) => ({ message, attachment })),
  )
  if (items.length === 0) return null
  return (
    <ul className={styles['section']} aria-labelledby={labelledBy}>
      {items.map(({ message, attachment }) => (
        <FileItem key={`${message.id}.${attachment.index}`} message={message} attachment={attachment} />
      ))}
    </ul>
  )
}

function FileItem({ message, attachment }: { readonly message: Message; readonly attachment: Attachment }) {
  const t = useTexts('details')
  const formats = useFormats()
  const name = cleanName(attachment.title ?? '') || t('mediaTab.file')
  const download = useDownload(mediaRef(message.id, attachment.index), name)
  return (
    <ItemRow
      message={message}
      tile={<FileTile name={name} />}
      name={<FileName name={name} />}
      {...(attachment.sizeBytes === undefined ? {} : { more: formats.bytes(attachment.sizeBytes) })}
    >
      {attachment.hasMedia ? <DownloadButton download={download} name={name} /> : null}
    </ItemRow>
  )
}

/** Polls, newest first, with their number of votes. */
function PollsList({ tab, labelledBy }: ListProps) {
  const t = useTexts('details')
  const live = useAppSelector((state) => state.entities.polls)
  const items = (tab.messages ?? []).flatMap((message) => {
    const poll = message.pollId === undefined ? undefined : (live[message.pollId] ?? tab.polls[message.pollId])
    return poll === undefined ? [] : [{ message, poll }]
  })
  if (items.length === 0) return null
  return (
    <ul className={styles['section']} aria-labelledby={labelledBy}>
      {items.map(({ message, poll }) => (
        <ItemRow
          key={message.id}
          message={message}
          tile={
            <span className={styles['itemTile']} aria-hidden="true">
              <Icon name="poll" size={17} />
            </span>
          }
          name={
            <div className="ellipsis" dir="auto">
              {poll.name}
            </div>
          }
          more={t('mediaTab.votes', { count: poll.voteCount })}
        >
          {poll.closed ? <Tag>{t('mediaTab.closed')}</Tag> : null}
        </ItemRow>
      ))}
    </ul>
  )
}

const PAUSE_MS = 200

type MediaTab = {
  /** `undefined` until the first response. */
  readonly messages: readonly Message[] | undefined
  readonly polls: Readonly<Record<string, Poll>>
  /** The active filter. */
  readonly only: MediaFilter
  readonly busy: boolean
  /** Only cached items are listed, because the server is unreachable. */
  readonly cacheOnly: boolean
  readonly error: ErrorBody | undefined
  readonly more: () => void
  /** Requests from the server again. */
  readonly again: () => void
}

type Held = {
  readonly key: string
  readonly messages: readonly Message[]
  readonly polls: Readonly<Record<string, Poll>>
  readonly next?: TimeCursor
  readonly cacheOnly: boolean
  readonly error?: ErrorBody
}

/** Items of a media tab: cached ones at once, then those from the server; older pages while scrolling. */
function useMediaTab(cid: Cid, tab: MediaTabName, text: string, only: MediaFilter): MediaTab {
  const dispatch = useAppDispatch()
  const { userId, kind, minBytes, from } = only
  const [round, setRound] = useState(0)
  const key = JSON.stringify([cid, tab, text, userId, kind, minBytes, from, round])
  const wanted = useRef(key)
  const paging = useRef(false)
  const [held, setHeld] = useState<Held>()
  const [busy, setBusy] = useState(true)
  const load = useCallback(
    async (ask: 'cache' | 'server', before?: Held): Promise<void> => {
      const cursor = before?.next
      const request = { cid, tab, text, only: { userId, kind, minBytes, from }, ask }
      const loaded = await dispatch(loadMedia({ ...request, cursor }))
      if (wanted.current !== key) return
      if (!loaded.ok) {
        setHeld((now) => ({
          ...(now?.key === key ? now : { key, messages: [], polls: {}, cacheOnly: false }),
          error: loaded.error,
        }))
        return
      }
      const { messages, polls, next, server } = loaded.value
      setHeld({
        key,
        messages: [...(before?.messages ?? []), ...messages],
        polls: { ...before?.polls, ...Object.fromEntries(polls.map((poll) => [poll.id, poll])) },
        cacheOnly: server === 'unreachable',
        next,
      })
    },
    [dispatch, cid, tab, text, userId, kind, minBytes, from, key],
  )
  useEffect(() => {
    wanted.current = key
    paging.current = true
    const begin = async (): Promise<void> => {
      setBusy(true)
      await load('cache')
      if (wanted.current === key) await load('server')
      if (wanted.current !== key) return
      paging.current = false
      setBusy(false)
    }
    const timer = setTimeout(() => void begin(), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [load, key, text])
  const mine = held?.key === key ? held : undefined
  const more = (): void => {
    if (paging.current || mine?.next === undefined) return
    paging.current = true
    setBusy(true)
    const page = async (): Promise<void> => {
      await load('server', mine)
      if (wanted.current !== key) return
      paging.current = false
      setBusy(false)
    }
    void page()
  }
  return {
    messages: mine?.messages,
    polls: mine?.polls ?? {},
    only,
    busy,
    cacheOnly: mine?.cacheOnly ?? false,
    error: mine?.error,
    more,
    again: () => setRound((now) => now + 1),
  }
}
