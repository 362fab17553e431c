import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { User } from '#shared/domain/user.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { NamesFound } from '#shared/domain/search.ts'
import { useTexts } from '../../../i18n/index.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { selectAccount } from '../../../store/accounts.ts'
import { useAppDispatch, useAppSelector, useAppStore, useEngine } from '../../../store/hooks.ts'
import { accountSwitchStarted } from '../../../store/window/ui.ts'
import { Avatar } from '../../../ui/Avatar/Avatar.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { AccountLogo } from '../../accounts/index.ts'
import { openDirect } from '../../sidebar/index.ts'
import { Portrait, presenceOf } from '../../people/index.ts'
import { openChannel, useOpening } from '../../windows/index.ts'
import { placeName, placeNameElsewhere } from '../question.ts'
import { keyIn } from './results.ts'
import row from './NameList.module.css'
import styles from '../Search.module.css'

type Props<Row> = { readonly found: NamedRows<Row>; readonly query: string; readonly onUp: () => void }

/** Channels whose name matches. */
export function ChannelList({ found: { rows }, query, onUp }: Props<Channel>) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  return (
    <Rows
      ids={rows.map(({ account, row: { cid } }) => keyIn(account, cid))}
      label={t('tabs.channels')}
      none={query === '' ? t('justWords') : t('noneChannels', { query })}
      onUp={onUp}
      renderRow={(at) => {
        const one = rows[at]
        if (one === undefined) return null
        return one.account === undefined ? (
          <ChannelRow channel={one.row} />
        ) : (
          <>
            <Icon name={one.row.isPrivate ? 'lock' : 'hash'} />
            <b className="ellipsis">{placeNameElsewhere(one.row, () => undefined).replace(/^#/, '')}</b>
            <Workspace account={one.account} />
          </>
        )
      }}
      onOpen={(at, target) => {
        const one = rows[at]
        if (one === undefined) return
        const { cid } = one.row
        if (one.account === undefined) dispatch(openChannel(cid, target))
        else dispatch(accountSwitchStarted({ key: one.account, place: { type: 'focus', cid } }))
      }}
    />
  )
}

function ChannelRow({ channel }: { readonly channel: Channel }) {
  const name = useAppSelector((state) => placeName(state, channel.cid, channel)).replace(/^#/, '')
  return (
    <>
      {channel.directUserId === undefined ? (
        <Icon name={channel.isPrivate ? 'lock' : 'hash'} />
      ) : (
        <Portrait userId={channel.directUserId} size={28} />
      )}
      <b className="ellipsis">{name}</b>
      <span className={`${row['note']} ellipsis`} dir="auto">
        {channel.topic}
      </span>
    </>
  )
}

/** The workspace that a row is from. */
function Workspace({ account }: { readonly account: string }) {
  const entry = useAppSelector((state) => selectAccount(state, account))
  if (entry === undefined) return null
  return (
    <span className={`${row['note']} ${row['workspace']}`}>
      <AccountLogo account={entry} size={16} />
      <bdi className="ellipsis">{entry.name}</bdi>
    </span>
  )
}

/** People whose name matches; a click opens the direct message, or who it is in another workspace. */
export function PeopleList({ found: { rows }, query, onUp }: Props<User>) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  return (
    <Rows
      ids={rows.map(({ account, row: { id } }) => keyIn(account, id))}
      label={t('tabs.people')}
      none={query === '' ? t('justWords') : t('nonePeople', { query })}
      onUp={onUp}
      renderRow={(at) => {
        const one = rows[at]
        if (one === undefined) return null
        const { id, name, bot, statusText } = one.row
        return (
          <>
            {one.account === undefined ? (
              <Portrait userId={id} size={28} presence={presenceOf(one.row)} />
            ) : (
              <Avatar id={id} name={cleanName(name)} size={28} bot={bot} />
            )}
            <b className="ellipsis">{cleanName(name)}</b>
            {one.account === undefined ? (
              <span className={`${row['note']} ellipsis`}>{statusText}</span>
            ) : (
              <Workspace account={one.account} />
            )}
          </>
        )
      }}
      onOpen={(at, target) => {
        const one = rows[at]
        if (one === undefined) return
        const { id: userId } = one.row
        const elsewhere = one.account === undefined ? undefined : selectAccount(store.getState(), one.account)
        if (elsewhere !== undefined) {
          const link = { route: 'user', workspace: elsewhere.link, userId } as const
          dispatch(accountSwitchStarted({ key: elsewhere.key, place: { type: 'link', link } }))
        } else if (one.account === undefined) {
          void dispatch(openDirect({ userIds: [userId] })).then(
            (opened) => opened.ok && dispatch(openChannel(opened.value, target)),
          )
        }
      }}
    />
  )
}

type RowsProps = {
  readonly ids: readonly string[]
  readonly label: string
  readonly none: string
  readonly onUp: () => void
  readonly renderRow: (at: number) => ReactNode
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
                {renderRow(at)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** `account`: the key of the other account that it was found in. */
type Named<Row> = { readonly account?: string; readonly row: Row }
type NamedRows<Row> = { readonly rows: readonly Named<Row>[]; readonly total: number }
export type NamesEverywhere = { readonly people: NamedRows<User>; readonly channels: NamedRows<Channel> }

const NO_NAMES: ReadonlyMap<string, NamesFound> = new Map()
const OWN = ''
const TYPING_MS = 150
const MOST = 50

/**
 * People and channels by name, of the account on screen first and then of the others with these keys. Each arrives for
 * itself; the previous ones are shown until the account on screen has answered.
 */
export function useNamesFound(text: string, others: readonly string[]): NamesEverywhere {
  const engine = useEngine()
  const [found, setFound] = useState(NO_NAMES)
  const joined = others.join('\n')
  useEffect(() => {
    if (text === '') return undefined
    let live = true
    const take = (key: string, answer?: NamesFound): void => {
      if (!live) return
      setFound(
        (before) =>
          new Map([...(key === OWN ? [] : before), ...(answer === undefined ? [] : [[key, answer] as const])]),
      )
    }
    const timer = setTimeout(async () => {
      // The message list reports a failed search.
      take(OWN, await engine.search.names({ text, limit: MOST }).catch(() => undefined))
      for (const key of joined === '' ? [] : joined.split('\n')) {
        engine.elsewhere.names({ key, text, limit: MOST }).then(
          (answer) => take(key, answer),
          () => take(key),
        )
      }
    }, TYPING_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [engine, text, joined])
  return useMemo(() => namesOf(text === '' ? NO_NAMES : found, joined.split('\n')), [found, text, joined])
}

function namesOf(found: ReadonlyMap<string, NamesFound>, others: readonly string[]): NamesEverywhere {
  const own = found.get(OWN)
  const lists = others.flatMap((account) => {
    const answer = account === OWN ? undefined : found.get(account)
    // Direct messages have no name of their own; their people are found.
    return answer === undefined
      ? []
      : [{ account, ...answer, named: answer.channels.filter(({ name }) => name !== '') }]
  })
  return {
    people: {
      rows: [
        ...(own?.people ?? []).map((one) => ({ row: one })),
        ...lists.flatMap(({ account, people }) => people.map((one) => ({ account, row: one }))),
      ],
      total: lists.reduce((sum, { total }) => sum + total.people, own?.total.people ?? 0),
    },
    channels: {
      rows: [
        ...(own?.channels ?? []).map((one) => ({ row: one })),
        ...lists.flatMap(({ account, named }) => named.map((one) => ({ account, row: one }))),
      ],
      total: lists.reduce(
        (sum, { total, channels, named }) => sum + total.channels - channels.length + named.length,
        own?.total.channels ?? 0,
      ),
    },
  }
}
