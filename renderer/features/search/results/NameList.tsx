import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { User } from '#shared/domain/user.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { NamesFound } from '#shared/domain/search.ts'
import { useTexts } from '../../../i18n/index.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector, useEngine } from '../../../store/hooks.ts'
import { Empty } from '../../../ui/View/Empty.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { openDirect } from '../../sidebar/index.ts'
import { Portrait, presenceOf } from '../../people/index.ts'
import { openChannel, useOpening } from '../../windows/index.ts'
import { placeName } from '../question.ts'
import row from './NameList.module.css'
import styles from '../Search.module.css'

type Props = { readonly query: string; readonly onUp: () => void }

/** Channels whose name matches. */
export function ChannelList({ channels, query, onUp }: Props & { readonly channels: readonly Channel[] }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  return (
    <Rows
      ids={channels.map(({ cid }) => cid)}
      label={t('tabs.channels')}
      none={query === '' ? t('justWords') : t('noneChannels', { query })}
      onUp={onUp}
      renderRow={(cid, at) => <ChannelRow channel={channels[at]} cid={cid} />}
      onOpen={(at, target) => {
        const cid = channels[at]?.cid
        if (cid !== undefined) dispatch(openChannel(cid, target))
      }}
    />
  )
}

function ChannelRow({ channel, cid }: { readonly channel: Channel | undefined; readonly cid: string }) {
  const name = useAppSelector((state) => placeName(state, cid, channel)).replace(/^#/, '')
  return (
    <>
      {channel?.directUserId === undefined ? (
        <Icon name={channel?.isPrivate === true ? 'lock' : 'hash'} />
      ) : (
        <Portrait userId={channel.directUserId} size={28} />
      )}
      <b className="ellipsis">{name}</b>
      <span className={`${row['note']} ellipsis`} dir="auto">
        {channel?.topic}
      </span>
    </>
  )
}

/** People whose name matches; a click opens the direct message. */
export function PeopleList({ people, query, onUp }: Props & { readonly people: readonly User[] }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  return (
    <Rows
      ids={people.map(({ id }) => id)}
      label={t('tabs.people')}
      none={query === '' ? t('justWords') : t('nonePeople', { query })}
      onUp={onUp}
      renderRow={(id, at) => {
        const user = people[at]
        return (
          <>
            <Portrait userId={id} size={28} presence={user === undefined ? undefined : presenceOf(user)} />
            <b className="ellipsis">{cleanName(user?.name ?? id)}</b>
            <span className={`${row['note']} ellipsis`}>{user?.statusText}</span>
          </>
        )
      }}
      onOpen={(at, target) => {
        const id = people[at]?.id
        if (id === undefined) return
        void dispatch(openDirect({ userIds: [id] })).then(
          (opened) => opened.ok && dispatch(openChannel(opened.value, target)),
        )
      }}
    />
  )
}

type RowsProps = {
  readonly ids: readonly string[]
  readonly label: string
  readonly none: string
  readonly onUp: () => void
  readonly renderRow: (id: string, at: number) => ReactNode
  readonly onOpen: (at: number, target: OpenTarget) => void
}

function Rows({ ids, label, none, onUp, renderRow, onOpen }: RowsProps) {
  const opening = useOpening()
  const { containerProps, itemProps } = useRoving({ ids })
  const { ref, onFocus, onKeyDown } = containerProps
  return (
    <div className={styles['view']} data-region="messages">
      {ids.length === 0 ? (
        <Empty scene="search" title={none} />
      ) : (
        <ul
          ref={ref as RefObject<HTMLUListElement | null>}
          className={styles['list']}
          aria-label={label}
          onFocus={onFocus}
          onKeyDown={(event) => {
            if (event.key === 'ArrowUp' && document.activeElement?.closest('li') === event.currentTarget.firstChild) {
              event.preventDefault()
              onUp()
            } else onKeyDown(event)
          }}
        >
          {ids.map((id, at) => (
            <li key={id}>
              <button
                type="button"
                className={row['nameRow']}
                {...itemProps(id)}
                {...opening((target) => onOpen(at, target))}
              >
                {renderRow(id, at)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const NO_NAMES: NamesFound = { people: [], channels: [], total: { people: 0, channels: 0 } }
const TYPING_MS = 150

/** People and channels by name; the previous ones while a search is in flight. */
export function useNamesFound(text: string): NamesFound {
  const engine = useEngine()
  const [found, setFound] = useState(NO_NAMES)
  useEffect(() => {
    if (text === '') return undefined
    let live = true
    const timer = setTimeout(() => {
      engine.search.names({ text, limit: 50 }).then(
        (answer) => live && setFound(answer),
        // The message list reports a failed search.
        () => live && setFound(NO_NAMES),
      )
    }, TYPING_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [engine, text])
  return text === '' ? NO_NAMES : found
}
