import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { ListedMute } from '#shared/domain/manage/review.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { fold } from '../../../lib/text/fold.ts'
import { useAppDispatch, useAppStore, useConnection, useMe } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { BulkBar, Listed, Page } from '../Page.tsx'
import { usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { Portrait } from '../../people/index.ts'
import { Name } from './columns.tsx'
import { loadMutes, unmute } from './commands.ts'
import styles from './Bans.module.css'

type Props = { readonly onBack?: () => void; readonly actions: ReactNode }

const NOTHING: ReadonlySet<string> = new Set()
const idOf = ({ userId, byId }: ListedMute): string => `${userId} ${byId}`

/** Who muted whom until when: the viewer's own mutes, and everyone's with the server token. */
export function MutesList({ onBack, actions }: Props) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [find, setFind] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(NOTHING)
  const list = usePagesOf(useLoad(), 'mutes', useTopic('bans'))
  const columns = useColumns()
  const { next, more } = list
  const nameOf = (id: string): string => cleanName(store.getState().entities.users[id]?.name ?? id)
  const wanted = fold(find.trim())
  const mutes = list.rows.flatMap(({ mutes: each }) => each)
  const rows =
    wanted === ''
      ? mutes
      : mutes.filter(({ userId, byId }) => fold(`${nameOf(userId)} ${nameOf(byId)}`).includes(wanted))
  // A page of people may have none of these mutes: the next ones are asked for until there is something to show.
  const isSearching = more && rows.length === 0
  useEffect(() => {
    if (isSearching) next()
  }, [isSearching, next])
  const chosen = rows.filter((mute) => selected.has(idOf(mute)))
  return (
    <Page
      icon="ban"
      title={t('title')}
      fact={rows.length === 0 || more ? undefined : t('mutesFact', { count: rows.length })}
      onBack={onBack}
      actions={actions}
      filters={<FindField label={t('findMute')} value={find} onChange={setFind} list="[role=table]" maxLength={100} />}
    >
      <Listed
        list={{ ...list, rows, loading: list.loading || (isSearching && list.error === undefined) }}
        empty={
          wanted === ''
            ? { scene: 'done', title: t('noMutes'), children: t('noMutesText') }
            : { scene: 'search', title: t('noneFound') }
        }
      >
        <Table
          label={t('tabs.mutes')}
          columns={columns}
          rows={rows}
          idOf={idOf}
          onEnd={next}
          onOpen={({ userId }) => dispatch(dialogOpened({ kind: 'person', userId }))}
          selection={{
            ids: selected,
            labelOf: (id) => t('select', { person: nameOf(id.split(' ')[0] ?? '') }),
            allLabel: t('selectAll'),
            onChange: setSelected,
          }}
        />
      </Listed>
      {chosen.length === 0 ? null : <Bulk mutes={chosen} onDone={() => setSelected(NOTHING)} />}
    </Page>
  )
}

/** Each page of people as one row, so that the next page is asked for by the number of people. */
const PAGE = 100
type MutesPage = { readonly mutes: readonly ListedMute[] }

function useLoad() {
  const dispatch = useAppDispatch()
  return useCallback(
    async (offset: number) => {
      const loaded = await dispatch(loadMutes({ offset: offset * PAGE }))
      if (!loaded.ok) return loaded
      const rows: readonly MutesPage[] = [{ mutes: loaded.value.mutes }]
      return ok({ rows, more: loaded.value.more })
    },
    [dispatch],
  )
}

function Bulk({ mutes, onDone }: { readonly mutes: readonly ListedMute[]; readonly onDone: () => void }) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const end = async (): Promise<void> => {
    setWorking(true)
    let ended = 0
    for (const { userId, byId } of mutes) if ((await dispatch(unmute({ userId, byId }))).ok) ended += 1
    setWorking(false)
    announce(t('unmuted', { count: ended }))
    if (ended === mutes.length) onDone()
  }
  return (
    <BulkBar count={mutes.length} onClear={onDone}>
      <Button
        size="small"
        variant="quiet"
        icon="bell"
        working={working}
        aria-disabled={offline || undefined}
        title={offline ? t('offline') : undefined}
        onClick={() => offline || void end()}
      >
        {t('unmute')}
      </Button>
    </BulkBar>
  )
}

function useColumns(): readonly TableColumn<ListedMute>[] {
  const t = useTexts('bans')
  const formats = useFormats()
  const now = useMinute()
  const me = useMe()?.id
  return useMemo(
    () => [
      {
        id: 'person',
        title: t('columns.person'),
        width: 'minmax(180px, 2fr)',
        render: ({ userId }) => (
          <span className={styles['person']}>
            <Portrait userId={userId} size={32} />
            <span className={styles['names']}>
              <Name userId={userId} />
            </span>
          </span>
        ),
      },
      {
        id: 'by',
        title: t('columns.mutedBy'),
        width: 'minmax(120px, 2fr)',
        render: ({ byId }) => (byId === me ? t('you') : <Name userId={byId} />),
      },
      {
        id: 'since',
        title: t('columns.since'),
        width: '140px',
        priority: 1,
        render: ({ since }) => (since === undefined ? '—' : formats.ago(since, now)),
      },
      {
        id: 'ends',
        title: t('columns.ends'),
        width: '160px',
        render: ({ until }) => (until === undefined ? t('never') : formats.dayAndTime(until)),
      },
    ],
    [t, formats, now, me],
  )
}
