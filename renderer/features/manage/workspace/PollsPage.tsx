import { useMemo, useState } from 'react'
import type { ListedPoll } from '#shared/domain/manage/workspace.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { useMenu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { Listed, Page, Question } from '../Page.tsx'
import { byCursor, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { Portrait, useName } from '../../people/index.ts'
import { closePoll, loadPolls, removePoll } from './commands.ts'
import styles from './Workspace.module.css'

type Props = { readonly onBack?: () => void }

const STATES = ['all', 'open', 'closed'] as const

/** The polls of all channels, also those that this device has not stored. */
export function PollsPage({ onBack }: Props) {
  const t = useTexts('workspace')
  const dispatch = useAppDispatch()
  const [state, setState] = useState<(typeof STATES)[number]>('all')
  const [removing, setRemoving] = useState<ListedPoll>()
  const list = usePolls(state)
  const columns = useColumns(setRemoving)
  return (
    <Page
      icon="poll"
      title={t('polls.title')}
      fact={list.rows.length === 0 ? undefined : t('polls.fact', { count: list.rows.length })}
      onBack={onBack}
      filters={
        <Segments
          label={t('polls.show')}
          value={state}
          choices={STATES.map((value) => ({ value, label: t(`polls.${value}`) }))}
          onChange={setState}
        />
      }
    >
      <Listed
        list={list}
        empty={
          state === 'all'
            ? { scene: 'lines', title: t('polls.none'), children: t('polls.noneText') }
            : { scene: 'search', title: t('polls.noneFound') }
        }
      >
        <Table label={t('polls.title')} columns={columns} rows={list.rows} idOf={({ id }) => id} onEnd={list.next} />
      </Listed>
      {removing === undefined ? null : (
        <Question
          title={t('polls.deleteTitle', { name: removing.name })}
          texts={[t('polls.deleteText')]}
          confirm={t('polls.deleteConfirm')}
          done={t('polls.deleted')}
          onConfirm={() => dispatch(removePoll({ pollId: removing.id }))}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Page>
  )
}

function usePolls(state: (typeof STATES)[number]) {
  const dispatch = useAppDispatch()
  const load = useMemo(
    () =>
      byCursor(async (next) => {
        const closed = state === 'all' ? {} : { closed: state === 'closed' }
        const loaded = await dispatch(loadPolls({ ...closed, ...(next === undefined ? {} : { next }) }))
        return loaded.ok ? ok({ rows: loaded.value.polls, next: loaded.value.next }) : loaded
      }),
    [dispatch, state],
  )
  return usePagesOf(load, state, useTopic('settings'))
}

function useColumns(onRemove: (poll: ListedPoll) => void): readonly TableColumn<ListedPoll>[] {
  const t = useTexts('workspace')
  const formats = useFormats()
  const now = useMinute()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('polls.columns.name'),
        width: 'minmax(160px, 3fr)',
        render: ({ name }) => <bdi>{name}</bdi>,
      },
      {
        id: 'by',
        title: t('polls.columns.by'),
        width: 'minmax(120px, 1fr)',
        priority: 1,
        render: ({ byId }) => (byId === undefined ? t('polls.nobody') : <Author userId={byId} />),
      },
      {
        id: 'votes',
        title: t('polls.columns.votes'),
        width: '80px',
        priority: 1,
        render: ({ votes }) => formats.number(votes),
      },
      {
        id: 'since',
        title: t('polls.columns.since'),
        width: '130px',
        priority: 2,
        render: ({ createdAt }) => formats.ago(createdAt, now),
      },
      {
        id: 'state',
        title: t('polls.columns.state'),
        width: '100px',
        render: ({ closed }) => (
          <Tag tone={closed ? 'plain' : 'success'}>{t(closed ? 'polls.states.closed' : 'polls.states.open')}</Tag>
        ),
      },
      {
        id: 'actions',
        title: t('polls.columns.actions'),
        width: '70px',
        render: (poll) => <Actions poll={poll} onRemove={onRemove} />,
      },
    ],
    [t, formats, now, onRemove],
  )
}

function Author({ userId }: { readonly userId: string }) {
  return (
    <span className={styles['person']}>
      <Portrait userId={userId} size={20} />
      <bdi className="ellipsis">{useName(userId)}</bdi>
    </span>
  )
}

function Actions({ poll, onRemove }: { readonly poll: ListedPoll; readonly onRemove: (poll: ListedPoll) => void }) {
  const t = useTexts('workspace')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const why = offline ? { disabledReason: t('offline') } : {}
  const close = async (): Promise<void> => {
    const closed = await dispatch(closePoll({ pollId: poll.id }))
    if (closed.ok) announce(t('polls.closedNow'))
  }
  const menu = useMenu({
    label: t('polls.actionsFor', { name: poll.name }),
    items: (): readonly MenuItem[] => [
      ...(poll.closed
        ? []
        : [
            {
              id: 'close',
              icon: 'lock' as const,
              label: t('polls.close'),
              onSelect: () => void close(),
              ...why,
            },
          ]),
      {
        id: 'delete',
        icon: 'trash',
        danger: true,
        label: t('polls.delete'),
        onSelect: () => onRemove(poll),
        ...why,
      },
    ],
  })
  return (
    <>
      <IconButton icon="more" size="small" label={t('polls.actionsFor', { name: poll.name })} {...menu.triggerProps} />
      {menu.menu}
    </>
  )
}
